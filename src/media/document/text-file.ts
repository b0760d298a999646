/** The text of a file in an unknown encoding (UTF-8, UTF-16, GB18030, Big5), or of a Word document (.docx), a zip archive of XML. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { analyse } from 'chardet';
import { Unzip, UnzipInflate } from 'fflate';
import { Failure } from '../../errors.ts';
import { createYield } from '../../patience.ts';

/** Such characters in a guessed encoding mean a program's file, or another encoding. Old editors end a file with Ctrl-Z. */
const NO_TEXT = /[[\p{Cc}\p{Cn}\p{Co}\p{Cs}\uFFFD]--[\s\u0085\cZ]]/v;
/** Printer control codes mean nothing to a reader. */
const CONTROLS = /[\p{Cc}--[\s\u0085]]/gv;
const OUR_SCRIPTS = /[\p{Script=Han}\p{Script=Tibetan}]/gu;
const LETTERS = /\p{L}/gu;
/** A larger share of our scripts, read as two bytes a character, is no coincidence. */
const MOSTLY = 0.3;
/** UTF-16 units to look at when guessing the byte order, and bytes when guessing the encoding. */
const SAMPLE = 4000;
const SAMPLE_BYTES = 4000;
/** chardet's names of the encodings with two bytes a character, and the confidence that only one of them reaches. */
const DOUBLE_BYTE = new Set<string>(['GB18030', 'Big5', 'EUC-JP', 'Shift_JIS', 'EUC-KR']);
const SURE = 60;
/** The more frequent first: a few words alone do not tell one from the other. */
const CHINESE = ['GB18030', 'Big5'];

/**
 * Gives `\n` line ends, and no byte order mark or control characters; undefined if it is no text. Bytes that are UTF-8 and hold a character
 * of our scripts are UTF-8, whatever else they hold: broken characters in them are the writer's.
 */
export function decodeText(bytes: Buffer): string | undefined {
  const marked = encodingByMark(bytes);
  const utf8 = decode(bytes, 'utf-8');
  const isUtf8 = utf8 !== undefined && (marked === 'utf-8' || utf8.search(OUR_SCRIPTS) >= 0 || isSound(utf8));
  const text = isUtf8 ? utf8 : guessed(bytes, marked);
  return text?.replace(CONTROLS, '').replace(/\r\n?/gu, '\n');
}

function guessed(bytes: Buffer, marked: string | undefined): string | undefined {
  const candidates = marked === undefined ? guesses(bytes) : [marked];
  for (const encoding of candidates) {
    const text = sound(bytes, encoding);
    if (text !== undefined) return text;
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
    return new TextDecoder(encoding, { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

function sound(bytes: Buffer, encoding: string): string | undefined {
  const text = decode(bytes, encoding);
  return text !== undefined && isSound(text) ? text : undefined;
}

function isSound(text: string): boolean {
  return !NO_TEXT.test(text);
}

/** The byte orders of UTF-16 without a mark in which enough letters are in one of our scripts. */
function utf16Guess(bytes: Buffer): string[] {
  if (bytes.length % 2 !== 0) return [];
  return ['utf-16le', 'utf-16be'].filter((encoding) =>
    isMostlyOurs(sound(bytes.subarray(0, SAMPLE * 2), encoding) ?? ''),
  );
}

/**
 * The encodings that bytes without a mark may have, the likeliest first; none if they rather are Japanese, Korean, or Latin letters with
 * accents. Of segments of 25 characters from Universal Dependencies' treebanks chardet tells 149 of 150 right, of 40 and more all but one
 * in 2000; it is sure of none in UTF-16.
 */
function guesses(bytes: Buffer): string[] {
  const found = analyse(bytes.subarray(0, SAMPLE_BYTES)).filter(({ name }) => DOUBLE_BYTE.has(name));
  const highest = Math.max(...found.map(({ confidence }) => confidence));
  const likely = found.filter(({ confidence }) => confidence === highest).map(({ name }) => String(name));
  const chinese = CHINESE.filter((name) => likely.includes(name) && isMostlyOurs(decode(bytes, name) ?? ''));
  return highest >= SURE ? chinese : [...utf16Guess(bytes), ...chinese];
}

function isMostlyOurs(text: string): boolean {
  const letters = text.match(LETTERS)?.length ?? 0;
  return letters > 0 && (text.match(OUR_SCRIPTS)?.length ?? 0) > letters * MOSTLY;
}

const MAIN_PART = 'word/document.xml';
/** A letter of text takes some ten bytes of XML; a bomb has gigabytes. */
const MAX_XML_BYTES = 16 * 1024 * 1024;
/** Unpacks to 16 MB at most, and holds the event loop for a millisecond or two. */
const SLICE_BYTES = 16 * 1024;

/** Text is in `w:t` alone; deleted text, and instructions of fields, have names of their own. */
const TOKEN = /<(\/?)(w:t|w:tab|w:br|w:cr|w:p|w:tc|w:tr|mc:Fallback)\b[^<>]*?(\/?)>|[^<]+/g;
/** What each element leaves in the text at its end. */
const BREAKS = new Map([
  ['w:tab', '\t'],
  ['w:tc', '\t'],
  ['w:br', '\n'],
  ['w:cr', '\n'],
  ['w:p', '\n'],
  ['w:tr', '\n'],
]);
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/giu;
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The paragraphs of a Word document, a line each, with tabs between table cells; empty if there are only pictures. Undefined if it is
 * damaged, or no Word document. Throws `text-file-too-large` if its XML exceeds 16 MB.
 */
export async function docxText(bytes: Buffer): Promise<string | undefined> {
  const decoder = new TextDecoder();
  let xml = '';
  let size = 0;
  let isWhole = false;
  const unzip = new Unzip((file) => {
    if (file.name !== MAIN_PART) return;
    file.ondata = (error, piece, isLast) => {
      if (error) throw error;
      size += piece.length;
      if (size <= MAX_XML_BYTES) xml += decoder.decode(piece, { stream: !isLast });
      isWhole = isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length && !isWhole; at += SLICE_BYTES) {
    try {
      unzip.push(bytes.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length);
    } catch {
      return undefined;
    }
    if (size > MAX_XML_BYTES) throw new Failure('text-file-too-large', 'a Word document has too much text');
    await nextTurn();
  }
  return isWhole ? paragraphsIn(xml) : undefined;
}

async function paragraphsIn(xml: string): Promise<string> {
  const yieldToOthers = createYield();
  const parts: string[] = [];
  let isText = false;
  // Word draws a text box twice, for itself and for older programs.
  let isFallback = false;
  for (const [token, slash, name, empty] of xml.matchAll(TOKEN)) {
    await yieldToOthers();
    const isOver = slash === '/' || empty === '/';
    if (name === 'mc:Fallback') isFallback = !isOver;
    else if (isFallback) continue;
    else if (name === 'w:t') isText = !isOver;
    else if (name === undefined) parts.push(isText ? plain(token) : '');
    else if (isOver) parts.push(BREAKS.get(name) ?? '');
  }
  return parts.join('').replaceAll('\n\t', '\t').replaceAll('\t\n', '\n').trim();
}

function plain(xml: string): string {
  return xml.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase() as keyof typeof NAMED];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
