/** Reads the pages of a PDF: pages with a good text layer cost nothing, the others are drawn and recognised, one paid call each. */
import { Failure, type FailureKind, isFailure } from '../errors.ts';
import type { PageRange } from '../language/page-range.ts';
import type { Language } from '../language/script.ts';
import type { PdfPage } from '../media/document/pdf.ts';
import type { CallKind } from '../paid-calls.ts';
import { eachInTurn } from '../patience.ts';
import type { Interpreter } from './interpreter.ts';
import { isRecognised, recognise, UNKNOWN_BYTES } from './recognition.ts';
import type { Asked, Picture } from './request.ts';

/** A page that was read. */
export interface ReadPage {
  /** From 1. */
  readonly number: number;
  /** Line by line; empty if nothing was found. */
  readonly text: string;
  /** Why there is no text. */
  readonly failure?: Failure;
  /** The text is the page's own text layer. */
  readonly isLayer: boolean;
}

export interface ReadDocument {
  readonly pageCount: number;
  /** The pages in each language; empty if none of the requested pages exist, or they are too many. */
  readonly inEach: readonly (readonly ReadPage[])[];
}

interface PdfToRead {
  readonly pdf: Picture;
  /** Undefined: all pages. */
  readonly ranges: readonly PageRange[] | undefined;
  /** Each drawn page is recognised in each of them. */
  readonly languages: readonly Language[];
}

/** How many pages are read at once, and how many may still be paid for after a /cancel. */
const PAGES_AT_ONCE = 3;
/** The memory that a page counts as while it is drawn and recognised, in bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** After this many pages that take too much memory or time the document is given up: each may take 20 seconds. */
const MOST_TOO_LARGE = 3;

/** Failures of one page alone; any other would repeat with the next page. */
const OF_ONE_PAGE: ReadonlySet<FailureKind> = new Set([
  'document-unreadable',
  'document-too-large',
  'image-unreadable',
  'image-too-large',
  'bad-request',
  'malformed',
  'in-doubt',
]);

/** Throws like `PdfReader.inspect` and `Account.check`, and a failure of all pages; otherwise each failed page carries its own. */
export function readPdf(interpreter: Interpreter, pdf: PdfToRead, asked: Asked): Promise<ReadDocument> {
  return opened(interpreter, pdf, asked, async ({ pageCount, pages, pictureOf }) => ({
    pageCount,
    inEach: await readPages(interpreter, pages, pictureOf, pdf.languages, asked),
  }));
}

/** The calls that it takes to read a PDF: none for pages with a text layer, and for what is kept. Throws like `PdfReader.inspect`. */
export function unpaidPages(interpreter: Interpreter, pdf: PdfToRead, asked: Asked): Promise<CallKind[]> {
  return opened(interpreter, pdf, asked, async ({ pages, pictureOf }) => {
    const { unpaid } = await recognitionsOf(interpreter, pages, pictureOf, pdf.languages);
    return Array.from(unpaid, () => 'recognition');
  });
}

interface OpenPdf {
  readonly pageCount: number;
  readonly pages: readonly PdfPage[];
  pictureOf(page: PdfPage): Picture;
}

async function opened<T>(
  interpreter: Interpreter,
  { pdf, ranges }: PdfToRead,
  { asker, signal }: Asked,
  work: (pdf: OpenPdf) => Promise<T>,
): Promise<T> {
  const turn = { person: asker.person, signal };
  const units = pdf.bytes ?? UNKNOWN_BYTES;
  return interpreter.documentMemory.spend({ units, ...turn }, async () => {
    const loaded = await pdf.load(signal);
    const bytes = Buffer.from(loaded.buffer, loaded.byteOffset, loaded.byteLength);
    const { pageCount, pages } = await interpreter.pdfs.inspect(bytes, ranges, turn);
    if (pages.length > 0 && pages.every(({ isMissing }) => isMissing)) {
      throw new Failure('document-unreadable', 'a PDF has none of its pages');
    }
    const pictureOf = ({ number }: PdfPage): Picture => ({
      id: `${pdf.id}#${number}`,
      bytes: PAGE_BYTES,
      load: () => interpreter.pdfs.draw(bytes, number, turn),
    });
    return work({ pageCount, pages, pictureOf });
  });
}

/** A page to be recognised in a language. */
interface Recognition {
  readonly page: PdfPage;
  readonly language: Language;
}

/** All recognitions of drawn pages, and those of them that are not kept. */
async function recognitionsOf(
  interpreter: Interpreter,
  pages: readonly PdfPage[],
  pictureOf: OpenPdf['pictureOf'],
  languages: readonly Language[],
) {
  const drawn = pages.filter(({ text, isMissing }) => text === undefined && !isMissing);
  const all = drawn.flatMap((page) => languages.map((language): Recognition => ({ page, language })));
  const areKept = await Promise.all(
    all.map(({ page, language }) => isRecognised(interpreter, pictureOf(page), language)),
  );
  return { all, unpaid: new Set(all.filter((_, index) => !areKept[index])) };
}

async function readPages(
  interpreter: Interpreter,
  pages: readonly PdfPage[],
  pictureOf: OpenPdf['pictureOf'],
  languages: readonly Language[],
  { asker, signal, onProgress, callsAfter }: Asked,
): Promise<ReadPage[][]> {
  const { all, unpaid } = await recognitionsOf(interpreter, pages, pictureOf, languages);
  const calls = Array<CallKind>(unpaid.size).fill('recognition');
  await interpreter.account.check(asker, calls, callsAfter);
  let done = 0;
  onProgress?.(done, unpaid.size);

  const results = new Map<Recognition, string | Failure>();
  let tooLarge = 0;
  /** The reason to begin no more pages; those that were read are kept and answered. */
  let end: Failure | undefined;
  await eachInTurn(all, PAGES_AT_ONCE, async (one) => {
    if (end !== undefined) {
      results.set(one, end);
      return;
    }
    const result = await recognise(interpreter, pictureOf(one.page), one.language, { asker, signal }).catch(
      failureOrThrow,
    );
    results.set(one, result);
    if (unpaid.has(one)) done += 1;
    onProgress?.(done, unpaid.size);
    if (!isFailure(result)) return;
    if (result.kind === 'document-too-large') tooLarge += 1;
    if (!OF_ONE_PAGE.has(result.kind) || tooLarge >= MOST_TOO_LARGE) end ??= result;
  });
  const inEach = languages.map((language) => {
    const ofLanguage = all.filter((one) => one.language === language);
    const found = new Map(ofLanguage.map((one) => [one.page, results.get(one)]));
    return pages.map((page) => readPage(page, found.get(page)));
  });
  const failure = commonFailure(inEach.flat());
  if (failure !== undefined) throw failure;
  return inEach;
}

function readPage({ number, text, isMissing }: PdfPage, result: string | Failure | undefined): ReadPage {
  if (text !== undefined) return { number, text, isLayer: true };
  if (isMissing || result === undefined) {
    const failure = new Failure('document-unreadable', 'a PDF lacks a page that it counts');
    return { number, text: '', failure, isLayer: false };
  }
  return isFailure(result)
    ? { number, text: '', failure: result, isLayer: false }
    : { number, text: result, isLayer: false };
}

/** The failure that all pages share, or one of the database: a call that could not be entered is repeated later. */
function commonFailure(pages: readonly ReadPage[]): Failure | undefined {
  const failures = pages.flatMap(({ failure }) => failure ?? []);
  const unwritten = failures.find(({ kind }) => kind === 'database');
  if (unwritten !== undefined || failures.length < pages.length) return unwritten;
  return failures.find(({ kind }) => kind !== 'in-doubt');
}

function failureOrThrow(error: unknown): Failure {
  if (isFailure(error) && error.kind !== 'cancelled' && error.kind !== 'costly') return error;
  throw error;
}
