/** The text of a file whose encoding nobody tells: UTF-8, UTF-16 or GB18030, as people's editors write them. */

/** No text file holds these: a program's, or another encoding taken for this one. */
const NO_TEXT = /[[\p{Cc}\p{Cn}\p{Co}\p{Cs}\uFFFD]--[\s\u0085]]/v;
const OUR_SCRIPTS = /[\p{Script=Han}\p{Script=Tibetan}]/gu;
const LETTERS = /\p{L}/gu;
/** Beyond so much of it, what two bytes a character make is no coincidence. */
const MOSTLY = 0.3;
/** UTF-16 units that are looked at to guess the order of bytes. */
const SAMPLE = 4000;

/** The text, its line ends as `\n`, without a byte order mark; undefined for what is none. */
export function decodeText(bytes: Buffer): string | undefined {
  const marked = encodingByMark(bytes);
  const candidates = marked === undefined ? ['utf-8', ...utf16Guess(bytes), 'gb18030'] : [marked];
  for (const encoding of candidates) {
    const text = decode(bytes, encoding);
    if (text !== undefined) return text.replace(/\r\n?/gu, '\n');
  }
  return undefined;
}

function encodingByMark(bytes: Buffer): string | undefined {
  const opening = bytes.toString('latin1', 0, 3);
  if (opening === '\xef\xbb\xbf') return 'utf-8';
  if (opening.startsWith('\xff\xfe')) return 'utf-16le';
  return opening.startsWith('\xfe\xff') ? 'utf-16be' : undefined;
}

function decode(bytes: Buffer, encoding: string): string | undefined {
  try {
    const text = new TextDecoder(encoding, { fatal: true }).decode(bytes);
    return NO_TEXT.test(text) ? undefined : text;
  } catch {
    return undefined;
  }
}

/** UTF-16 without a mark where, read so, most of its letters are in one of our scripts. */
function utf16Guess(bytes: Buffer): string[] {
  if (bytes.length % 2 !== 0) return [];
  return ['utf-16le', 'utf-16be'].filter((encoding) => {
    const sample = decode(bytes.subarray(0, SAMPLE * 2), encoding) ?? '';
    const letters = sample.match(LETTERS)?.length ?? 0;
    return letters > 0 && (sample.match(OUR_SCRIPTS)?.length ?? 0) > letters * MOSTLY;
  });
}
