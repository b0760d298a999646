/** Ideographs for characters that look and read the same, and that Unicode encodes apart: fonts of PDFs make them of common signs. */

/**
 * By code point from U+2E80 on, the ideograph of each radical of the block CJK Radicals Supplement; a radical without one stands for itself.
 * From EquivalentUnifiedIdeograph.txt of the Unicode Character Database (Unicode License v3).
 */
const RADICALS = [
  '⺀厂乛乚乙亻冂𠘨刀刂卜㔾小小兀尣尢𡯂巳幺彑彐忄心扌攵⺚旡日月歺母民氵氺灬爫爫丬牛',
  '犭王𤴔目示礻𥫗糹纟罓罒㓁冗𦉫羊𦍌𦍋耂肀聿肉𦥑艹艹艹虎衤覀西见角𧢲讠贝𧾷车辶辶辶邑',
  '钅長镸长门𨸏阝雨青韦页风飞食𩙿飠饣𩠐马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龜亀龟',
].join('');
/** The same for CJK Strokes, from U+31C0 on. */
const STROKES = '㇀㇁㇂㇃㇄㇅𠃌㇇㇈㇉㇊㇋㇌㇍㇎乀一丨丿丿丶𠃍乛𠃊𠃎𠄌亅𡿨𠃋乀𠃑乚乙𠄎㇢㇣';

const EQUIVALENTS: ReadonlyMap<string, string> = new Map(
  [
    { from: 0x2e80, ideographs: RADICALS },
    { from: 0x31c0, ideographs: STROKES },
  ].flatMap(({ from, ideographs }) =>
    Array.from(ideographs, (ideograph, index) => [String.fromCodePoint(from + index), ideograph]),
  ),
);

/** These radicals and strokes, the Kangxi radicals, numerals that look like ideographs, and compatibility ideographs. */
const LOOK_ALIKE = /[\u2e80-\u2fd5\u3038-\u303a\u31c0-\u31e3\uf900-\ufaff\u{2f800}-\u{2fa1f}]/gu;

/** The text in the ideographs that it shows, as many code points: for keys and for what is sent, while people see what they wrote. */
export function inIdeographs(text: string): string {
  // Unicode decomposes all of them but those of its table.
  return text.replace(LOOK_ALIKE, (sign) => EQUIVALENTS.get(sign) ?? sign.normalize('NFKC'));
}
