/** Text files in the encodings of people's editors. */
import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeText } from '../../src/media/document/text-file.ts';

const TEXTS = ['བཀྲ་ཤིས་བདེ་ལེགས།\nདུས་ཚོད།', '今天天气很好。\n你好', 'བོད་ and 中文, mixed: 1,2'];

it.each(TEXTS)('%s is told in each of them', (text) => {
  const swapped = Buffer.from(text, 'utf16le').swap16();
  const files = [
    Buffer.from(text),
    Buffer.from(`\uFEFF${text}`),
    Buffer.from(text.replaceAll('\n', '\r\n')),
    Buffer.from(`\uFEFF${text}`, 'utf16le'),
    Buffer.concat([Buffer.from([0xfe, 0xff]), swapped]),
    Buffer.from(text, 'utf16le'),
    swapped,
  ];
  for (const file of files) expect(decodeText(file)).toBe(text);
});

it.each([
  ['a broken character', '\uFFFD', '\uFFFD'],
  ['a character of a private font', '\uE000', '\uE000'],
  ['a character newer than ours', '\u0FFF', '\u0FFF'],
  ['the end mark of an old editor', '\u001A', ''],
  ["a printer's codes", '\u001BE', 'E'],
  ['a zero', '\u0000', ''],
])('UTF-8 is UTF-8 with %s, too', (_, sign, shown) => {
  for (const text of TEXTS) {
    expect(decodeText(Buffer.from(text + sign))).toBe(text + shown);
    expect(decodeText(Buffer.from(`\uFEFF${sign}${text}`))).toBe(shown + text);
  }
  expect(decodeText(Buffer.from(`\uFEFFonly English${sign}`))).toBe(`only English${shown}`);
});

it('the end mark of an old editor refuses no text in Latin letters', () => {
  for (const text of ['bkra shis bde legs/\r\n', 'hello']) {
    expect(decodeText(Buffer.from(`${text}\u001A`))).toBe(text.replace('\r', ''));
  }
});

/** The beginning of the Universal Declaration of Human Rights, by the encodings that writers of each language use. */
const DECLARATIONS = {
  gb18030: '人人生而自由，在尊严和权利上一律平等。他们赋有理性和良心，并应以兄弟关系的精神相对待。',
  big5: '人人生而自由，在尊嚴和權利上一律平等。他們賦有理性和良心，並應以兄弟關係的精神相對待。',
  'euc-kr':
    '모든 인간은 태어날 때부터 자유로우며 그 존엄과 권리에 있어 동등하다. 인간은 천부적으로 이성과 양심을 부여받았다.',
  'euc-jp': 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  shift_jis: 'すべての人間は、生まれながらにして自由であり、かつ、尊厳と権利とについて平等である。',
  'iso-8859-1':
    'Tous les êtres humains naissent libres et égaux en dignité et en droits. Ils sont doués de raison.',
};

it.each(Object.entries(DECLARATIONS))('%s is read if it is Chinese, and else refused', (encoding, text) => {
  const bytes = execFileSync('iconv', ['-f', 'UTF-8', '-t', encoding], { input: text });
  const isChinese = encoding === 'gb18030' || encoding === 'big5';
  expect(decodeText(bytes)).toBe(isChinese ? text : undefined);
});

it('a few words in two bytes a character are GB18030', () => {
  expect(decodeText(Buffer.from('c4e3bac3a3acbdf1ccecccecc6f8badcbac3a1a3', 'hex'))).toBe(
    '你好，今天天气很好。',
  );
});

it('any text in UTF-8 is that text, and junk is none', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom('བོད', '་', '中', 'a', ' ', 'é') }), (text) => {
      expect(decodeText(Buffer.from(text))).toBe(text);
    }),
  );
  for (const magic of ['89504e470d0a1a0a0000', '504b0304140000000800', '255044462d312e370a00ff']) {
    expect(decodeText(Buffer.from(magic, 'hex'))).toBeUndefined();
  }
});
