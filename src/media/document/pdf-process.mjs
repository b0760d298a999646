/**
 * The process that opens a PDF: on standard output a line of JSON for each page, or one page as a JPEG. `pdf.ts` starts it with bounded
 * memory and time, gives it its task, and knows its exit codes.
 */
import { readFileSync, writeSync } from 'node:fs';
import { createRequire } from 'node:module';
import { init } from '@embedpdf/pdfium';
import sharp from 'sharp';
import { file, task } from '../task.mjs';
import { viewOf } from './page-view.mjs';
import { legacyReader, soundText } from './sound-text.mjs';

const STANDARD_OUTPUT = 1;
/** fpdfview.h */
const ERROR_PASSWORD = 4;
const BITMAP_BGRX = 3;
const WITH_ANNOTATIONS = 0x01;
/** Red first, as sharp takes it. */
const REVERSE_BYTE_ORDER = 0x10;
const WHITE = 0xffffffff;
const POINTS_PER_INCH = 72;
const QUALITY = 85;
/** As shares of the size of the letters: marks stand at most this far off the baseline, and lines further apart. */
const SAME_LINE = 0.6;
/** The largest shares of letters that nobody sees: in all, and where a picture shows what is there. */
const MAX_HIDDEN = 0.5;
const MAX_PICTURED = 0.1;

/** A letter of a script that has no spaces between its words, at the end of a text. */
const UNSPACED = /[\p{Script=Han}[[\p{L}\p{M}]&&\p{Script=Tibetan}]་]$/v;

sharp.concurrency(1);
sharp.cache(false);

/** The pages to inspect; undefined for all. */
let { ranges } = task;
const pdfium = await open();
const document = load();
/** A buffer for PDFium's coordinates. */
const scratch = pdfium.pdfium.wasmExports.malloc(24);
/** UTF-16 units of one character: five letters of an old font, two signs, and what PDFium has added before it. */
const MAX_UNITS = 8;
const MAX_FONT_NAME_BYTES = 256;
const fontName = pdfium.pdfium.wasmExports.malloc(MAX_FONT_NAME_BYTES);
/** The fonts of the page's text objects, and what reads them, by PDFium's address of each; another page may use the same address again. */
const fonts = new Map();
const readers = new Map();
/** In the text layers so far, as PDFium counts them. */
let letters = 0;
if (task.draw === undefined) inspect();
else await draw(task.draw);

async function open() {
  const wasm = createRequire(import.meta.url).resolve('@embedpdf/pdfium/pdfium.wasm');
  const opened = await init({ wasmBinary: readFileSync(wasm), print: () => {}, printErr: () => {} });
  opened.PDFiumExt_Init();
  return opened;
}

function load() {
  const { pdfium: wasm } = pdfium;
  const at = wasm.wasmExports.malloc(file.length);
  wasm.HEAPU8.set(file, at);
  for (const password of [{ text: '', ranges }, ...task.passwords]) {
    const loaded = pdfium.FPDF_LoadMemDocument(at, file.length, password.text);
    ranges = password.ranges;
    if (loaded !== 0) return loaded;
    if (pdfium.FPDF_GetLastError() !== ERROR_PASSWORD) process.exit(task.exitCodes.unreadable);
  }
  process.exit(task.exitCodes.encrypted);
}

/** Writes each page at once: if one page kills the process, those before it are not lost. */
function inspect() {
  const pageCount = pdfium.FPDF_GetPageCount(document);
  if (pageCount < 1) process.exit(task.exitCodes.unreadable);
  const chosen = chosenOf(pageCount);
  say({ pageCount, chosen });
  for (const number of chosen) say({ number, ...pageOf(number) });
}

function say(line) {
  write(Buffer.from(`${JSON.stringify(line)}\n`));
}

/** Writes at once: output queued by `process.stdout` would be lost if the time limit killed the process. */
function write(bytes) {
  for (let at = 0; at < bytes.length; ) at += writeSync(STANDARD_OUTPUT, bytes, at);
}

/** None if there are too many. */
function chosenOf(pageCount) {
  const numbers = new Set();
  const fromStart = (number) => (number < 0 ? pageCount + 1 + number : number);
  for (const [from, to] of ranges ?? [[1, pageCount]]) {
    const last = Math.min(fromStart(to), pageCount);
    for (let number = Math.max(1, fromStart(from)); number <= last; number += 1) {
      numbers.add(number);
      if (numbers.size > task.maxPages) return [];
    }
  }
  return [...numbers].sort((one, other) => one - other);
}

function pageOf(number) {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) return { isMissing: true };
  const objects = pdfium.FPDFPage_CountObjects(page);
  const isBlank = objects === 0 && pdfium.FPDFPage_GetAnnotCount(page) === 0;
  const sound = isBlank ? { text: '' } : soundText(...pageText(page));
  pdfium.FPDF_ClosePage(page);
  return { ...sound, isMissing: false };
}

/**
 * The letters that a page shows, none if it shows others than its layer has, and `imageShare`. PDFium breaks a line wherever a glyph stands a
 * little higher or lower, as the parts of a Tibetan stack do, and puts a space into gaps: what it adds itself counts only where the baseline
 * says so, and between letters that have no spaces not at all.
 */
function pageText(page) {
  const layer = pdfium.FPDFText_LoadPage(page);
  if (layer === 0) return ['', 0];
  const count = Math.max(0, pdfium.FPDFText_CountChars(layer));
  letters += count;
  if (letters > task.maxLetters) process.exit(task.exitCodes.tooLong);
  fonts.clear();
  readers.clear();
  const view = viewOf(pdfium, page, count);
  const counts = { shown: 0, repeated: 0, hidden: 0, pictured: 0, outside: 0 };
  // Growing a string letter by letter would take many times the memory.
  const text = Buffer.allocUnsafe(2 * MAX_UNITS * count);
  let length = 0;
  let end = '';
  let before = 0;
  let added = '';
  for (let index = 0; index < count; index += 1) {
    const code = pdfium.FPDFText_GetUnicode(layer, index);
    let character = code === 0 || code > 0x10ffff ? '\uFFFD' : String.fromCodePoint(code);
    if (pdfium.FPDFText_IsGenerated(layer, index) === 1) {
      if (character !== '\r') added = added === '\n' ? added : character;
      continue;
    }
    const object = pdfium.FPDFText_GetTextObject(layer, index);
    const seen = view.seen(object, code, () => middleOf(layer, index));
    counts[seen] += 1;
    if (seen !== 'shown') continue;
    const read = object === 0 ? undefined : readerOf(object);
    if (read !== undefined) character = read(character);
    else if (pdfium.FPDFText_HasUnicodeMapError(layer, index) === 1) character = '\uFFFD';
    if (added === '\n' && isSameLine(positionOf(layer, before), positionOf(layer, index))) added = '';
    if (added === ' ' && UNSPACED.test(end) && UNSPACED.test(character)) added = '';
    length += text.write(`${added}${character}`, length, 'utf16le');
    end = `${end}${added}${character}`.slice(-2);
    added = '';
    before = index;
  }
  pdfium.FPDFText_ClosePage(layer);
  view.close();
  const { shown, hidden, pictured } = counts;
  const all = shown + hidden + pictured;
  // Hidden letters are another program's recognition of a scan, or left over: the page shows something else.
  const isOther = pictured > all * MAX_PICTURED || hidden + pictured > all * MAX_HIDDEN;
  return [isOther ? '' : text.toString('utf16le', 0, length), view.imageShare];
}

function middleOf(layer, index) {
  pdfium.FPDFText_GetLooseCharBox(layer, index, scratch);
  const [left, top, right, bottom] = new Float32Array(pdfium.pdfium.HEAPU8.buffer, scratch, 4);
  return [(left + right) / 2, (top + bottom) / 2];
}

/** What reads the font of a text object if that is from before Unicode. */
function readerOf(object) {
  if (!fonts.has(object)) fonts.set(object, pdfium.FPDFTextObj_GetFont(object));
  const font = fonts.get(object);
  if (font !== 0 && !readers.has(font)) {
    const bytes = pdfium.FPDFFont_GetBaseFontName(font, fontName, MAX_FONT_NAME_BYTES);
    const end = fontName + Math.max(0, Math.min(bytes, MAX_FONT_NAME_BYTES) - 1);
    readers.set(font, legacyReader(Buffer.from(pdfium.pdfium.HEAPU8.slice(fontName, end)).toString()));
  }
  return readers.get(font);
}

/** The position of a character and the direction of its line (`a`, `b`: a step along it), in points from the lower left corner. */
function positionOf(layer, index) {
  const { pdfium: wasm } = pdfium;
  pdfium.FPDFText_GetCharOrigin(layer, index, scratch, scratch + 8);
  const [x, y] = new Float64Array(wasm.HEAPU8.slice(scratch, scratch + 16).buffer);
  pdfium.FPDFText_GetMatrix(layer, index, scratch);
  const [a, b, c, d] = new Float32Array(wasm.HEAPU8.slice(scratch, scratch + 16).buffer);
  return { x, y, a, b, size: pdfium.FPDFText_GetFontSize(layer, index) * Math.hypot(c, d) };
}

/** The page, or a single line, may be turned: old pechas are printed two to a sheet. */
function isSameLine(before, here) {
  const size = Math.max(before.size, here.size, 1);
  const step = Math.hypot(here.a, here.b) || 1;
  const [right, up] = [here.x - before.x, here.y - before.y];
  const along = (right * here.a + up * here.b) / step;
  const across = (up * here.a - right * here.b) / step;
  return Math.abs(across) < size * SAME_LINE && along > -size;
}

async function draw({ number, dotsPerInch, maxSide, pixels }) {
  const page = pdfium.FPDF_LoadPage(document, number - 1);
  if (page === 0) process.exit(task.exitCodes.unreadable);
  const [across, down] = [pdfium.FPDF_GetPageWidthF(page), pdfium.FPDF_GetPageHeightF(page)];
  if (!(across > 0 && down > 0)) process.exit(task.exitCodes.unreadable);
  const scale = Math.min(
    dotsPerInch / POINTS_PER_INCH,
    maxSide / Math.max(across, down),
    Math.sqrt(pixels / (across * down)),
  );
  const width = Math.max(1, Math.floor(across * scale));
  const height = Math.max(1, Math.floor(down * scale));
  const bitmap = pdfium.FPDFBitmap_CreateEx(width, height, BITMAP_BGRX, 0, 0);
  if (bitmap === 0) process.exit(task.exitCodes.tooLarge);
  pdfium.FPDFBitmap_FillRect(bitmap, 0, 0, width, height, WHITE);
  pdfium.FPDF_RenderPageBitmap(bitmap, page, 0, 0, width, height, 0, WITH_ANNOTATIONS | REVERSE_BYTE_ORDER);
  const at = pdfium.FPDFBitmap_GetBuffer(bitmap);
  const row = pdfium.FPDFBitmap_GetStride(bitmap);
  if (row !== width * 4) throw new Error('the rows of a bitmap have padding');
  // A view of the memory, not a copy: it no longer grows.
  const pixelBytes = Buffer.from(pdfium.pdfium.HEAPU8.buffer, at, row * height);
  const isWhite =
    pixelBytes.readUInt32LE(0) === WHITE && pixelBytes.subarray(4).equals(pixelBytes.subarray(0, -4));
  if (isWhite) process.exit(task.exitCodes.blank);
  const jpeg = await sharp(pixelBytes, { raw: { width, height, channels: 4 } })
    .removeAlpha()
    .jpeg({ quality: QUALITY })
    .toBuffer();
  write(jpeg);
}
