/** The text of a Word document (.docx): a zip archive of XML, unpacked in pieces and never beyond its limit. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Unzip, UnzipInflate } from 'fflate';
import { Failure } from '../../errors.ts';

const MAIN_PART = 'word/document.xml';
/** A letter of text takes some ten bytes of XML; a bomb has gigabytes. */
const MAX_XML_BYTES = 16 * 1024 * 1024;
/** Unpacks to 16 MB at most, and holds the event loop for a millisecond or two. */
const SLICE_BYTES = 16 * 1024;

/** Text is in `w:t` alone; deleted text, and instructions of fields, have names of their own. */
const TOKEN = /<(\/?)(w:t|w:tab|w:br|w:cr|w:p|w:tc|w:tr|mc:Fallback)\b[^>]*?(\/?)>|[^<]+/gu;
const ENTITY = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/giu;
const NAMED = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

/**
 * The paragraphs, a line each, with tabs between the cells of a table; empty if there are only pictures. Undefined if it is no Word
 * document, or damaged. Throws `text-file-too-large` if its XML exceeds 16 MB.
 */
export async function docxText(bytes: Buffer): Promise<string | undefined> {
  const text = new ParagraphText();
  let size = 0;
  let isFound = false;
  let isOver = false;
  const unzip = new Unzip((file) => {
    if (file.name !== MAIN_PART || isFound) return;
    isFound = true;
    file.ondata = (error, piece, isLast) => {
      if (error) throw error;
      size += piece.length;
      if (size <= MAX_XML_BYTES) text.add(piece, isLast);
      isOver = isLast;
    };
    file.start();
  });
  unzip.register(UnzipInflate);
  for (let at = 0; at < bytes.length && !isOver; at += SLICE_BYTES) {
    try {
      unzip.push(bytes.subarray(at, at + SLICE_BYTES), at + SLICE_BYTES >= bytes.length);
    } catch {
      return undefined;
    }
    if (size > MAX_XML_BYTES) throw new Failure('text-file-too-large', 'a Word document has too much text');
    await nextTurn();
  }
  return isOver ? text.whole() : undefined;
}

/** Picks the text out of XML that comes in pieces. */
class ParagraphText {
  readonly #decoder = new TextDecoder();
  readonly #parts: string[] = [];
  #rest = '';
  #isText = false;
  /** Word draws a text box twice, for itself and for older programs. */
  #isFallback = false;

  add(piece: Uint8Array, isLast: boolean): void {
    const xml = this.#rest + this.#decoder.decode(piece, { stream: !isLast });
    const end = isLast ? xml.length : Math.max(0, xml.lastIndexOf('<'));
    this.#rest = xml.slice(end);
    for (const [token, slash, name, empty] of xml.slice(0, end).matchAll(TOKEN)) {
      if (name === undefined) {
        if (this.#isText && !this.#isFallback) this.#parts.push(plain(token));
        continue;
      }
      const isEnd = slash === '/';
      if (name === 'w:t') this.#isText = !isEnd && empty !== '/';
      else if (name === 'mc:Fallback') this.#isFallback = !isEnd && empty !== '/';
      else if (!this.#isFallback) this.#break(name, isEnd || empty === '/');
    }
  }

  whole(): string {
    return this.#parts.join('').replaceAll('\n\t', '\t').replaceAll('\t\n', '\n').trim();
  }

  #break(name: string, isOver: boolean): void {
    if (name === 'w:tab' && isOver) this.#parts.push('\t');
    if ((name === 'w:br' || name === 'w:cr' || name === 'w:p') && isOver) this.#parts.push('\n');
    if (name === 'w:tc' && isOver) this.#parts.push('\t');
    if (name === 'w:tr' && isOver) this.#parts.push('\n');
  }
}

function plain(xml: string): string {
  return xml.replace(ENTITY, (whole, hex?: string, decimal?: string, name?: string) => {
    if (name !== undefined) return NAMED[name.toLowerCase() as keyof typeof NAMED];
    const code = hex === undefined ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
