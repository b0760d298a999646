/**
 * Reads documents: the pages of a PDF, of which those with a sound text layer are free, and the others are drawn and recognised, one paid
 * call each; and files of text.
 */
import { Failure, type FailureKind } from '../errors.ts';
import { chosenPages } from '../language/page-range.ts';
import { inUnicode } from '../language/private-tibetan.ts';
import type { Language } from '../language/script.ts';
import { contentKind, isZip } from '../media/document/content-kind.ts';
import { MAX_PAGES, type OpenOptions, type PdfPage } from '../media/document/pdf.ts';
import { decodeText } from '../media/document/text-file.ts';
import { imageFormat, tiffPages } from '../media/picture/image-header.ts';
import type { CallKind } from '../paid-calls.ts';
import type { Interpreter } from './interpreter.ts';
import { callsOf, type PictureToRead, recognisePictures, UNKNOWN_BYTES, unpaidOf } from './recognition.ts';
import type { Picture, RequestOptions } from './request.ts';

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

interface PdfToRead extends OpenOptions {
  readonly pdf: Picture;
  /** Each drawn page is recognised in each of them. */
  readonly languages: readonly Language[];
}

/** Pages read at once; a /cancel may still pay for as many. */
const PAGES_AT_ONCE = 3;
/** Memory charged for a page while it is drawn and recognised, in bytes. */
const PAGE_BYTES = 4 * 1024 * 1024;
/** Memory charged for a document at least, in bytes: a small file may hold a book of text. */
const MIN_DOCUMENT_BYTES = 1024 * 1024;
/** The document is given up after this many pages that take too much memory or time: each may take 10 seconds of the processor. */
const MAX_TOO_LARGE = 3;

/** Failures of a single page; any other would repeat with the next page. */
const OF_ONE_PAGE: ReadonlySet<FailureKind> = new Set([
  'document-unreadable',
  'document-too-large',
  'document-page-blank',
  'image-unreadable',
  'image-too-large',
  'bad-request',
  'malformed',
  'in-doubt',
]);

/** Returns the pages in each language. Throws like `opened` and `Account.check`; each failed page carries its own failure. */
export function readPdf(
  interpreter: Interpreter,
  pdf: PdfToRead,
  options: RequestOptions,
): Promise<ReadPage[][]> {
  const { languages } = pdf;
  return opened(interpreter, pdf, options, async ({ pages, drawn: all }) => {
    const unpaid = await unpaidOf(interpreter, all);
    await interpreter.account.check(options.asker, callsOf(unpaid), options.callsAfter);
    let tooLarge = 0;
    const endsAll = ({ kind }: Failure): boolean => {
      if (kind === 'document-too-large') tooLarge += 1;
      return !OF_ONE_PAGE.has(kind) || tooLarge >= MAX_TOO_LARGE;
    };
    const several = { atOnce: PAGES_AT_ONCE, unpaid, endsAll };
    const results = await recognisePictures(interpreter, all, several, options);
    return languages.map((language) => {
      const ofLanguage = all.filter((one) => one.language === language);
      const found = new Map(ofLanguage.map((one) => [one.page, results.get(one)]));
      return pages.map((page) => readPage(page, found.get(page)));
    });
  });
}

/** Returns the pages of a picture that has so many; none if those asked for are too many. */
function pagesOf(pageCount: number, { ranges }: OpenOptions): { pageCount: number; pages: PdfPage[] } {
  const numbers = chosenPages(ranges, pageCount, MAX_PAGES);
  const pages = numbers.length > MAX_PAGES ? [] : numbers.map((number) => ({ number, text: undefined }));
  return { pageCount, pages };
}

/** Takes no call for text layers and kept pages. Throws like `opened`. */
export function unpaidPages(
  interpreter: Interpreter,
  pdf: PdfToRead,
  options: RequestOptions,
): Promise<CallKind[]> {
  return opened(interpreter, pdf, options, async ({ drawn }) => callsOf(await unpaidOf(interpreter, drawn)));
}

interface OpenPdf {
  readonly pages: readonly PdfPage[];
  /** The recognitions of the pages without a sound text layer. */
  readonly drawn: readonly (PictureToRead & { readonly page: PdfPage })[];
}

/** Throws like `PdfReader.inspect`, `document-too-many-pages`, and `document-no-such-pages`. */
async function opened<T>(
  interpreter: Interpreter,
  { pdf, languages, ...how }: PdfToRead,
  { asker, signal }: RequestOptions,
  work: (pdf: OpenPdf) => Promise<T>,
): Promise<T> {
  const turn = { person: asker.person, signal };
  const units = Math.max(pdf.bytes ?? UNKNOWN_BYTES, MIN_DOCUMENT_BYTES);
  return interpreter.documentMemory.spend({ units, ...turn }, async () => {
    const bytes = await pdf.load(signal);
    // A TIFF may have several.
    const pictures = imageFormat(bytes) === undefined ? undefined : tiffPages(bytes);
    const { pageCount, pages } = pictures
      ? pagesOf(pictures.length, how)
      : await interpreter.pdfs.inspect(bytes, how, turn);
    if (pages.length === 0) {
      const isTooMany = chosenPages(how.ranges, pageCount, MAX_PAGES).length > MAX_PAGES;
      const kind = isTooMany ? 'document-too-many-pages' : 'document-no-such-pages';
      const details = { pages: { count: pageCount, most: MAX_PAGES } };
      throw new Failure(kind, 'a document has too many pages, or not those asked for', details);
    }
    if (pages.every(({ isMissing }) => isMissing)) {
      throw new Failure('document-unreadable', 'a PDF has none of its pages');
    }
    const pictureOf = ({ number }: PdfPage): Picture => {
      const page = { id: `${pdf.id}#${number}`, bytes: PAGE_BYTES, isPage: true };
      return pictures
        ? { ...page, load: async () => bytes, page: pictures[number - 1] ?? 0, mayBeSliced: true }
        : { ...page, load: () => interpreter.pdfs.draw(bytes, number, how, turn), isEncodedAnew: true };
    };
    const drawn = pages
      .filter(({ text, isMissing }) => text === undefined && !isMissing)
      .flatMap((page) => languages.map((language) => ({ page, picture: pictureOf(page), language })));
    return work({ pages, drawn });
  });
}

function readPage({ number, text, isMissing }: PdfPage, result: string | Failure | undefined): ReadPage {
  if (text !== undefined) return { number, text, isLayer: true };
  const failure = isMissing
    ? new Failure('document-unreadable', 'a PDF lacks a page that it counts')
    : result instanceof Failure && result;
  if (failure) return { number, text: '', failure, isLayer: false };
  return { number, text: typeof result === 'string' ? result : '', isLayer: false };
}

/** The largest text of a file, in bytes; a Word document may be larger, with its pictures. */
const MAX_TEXT_BYTES = 1024 * 1024;

/**
 * The text of a Word document, or of a text file, whichever it proves to be; `isWord`: what it says that it is. Throws
 * `text-file-too-large`, `document-unreadable`, `cancelled`, and as loading it does.
 */
export function readText(
  { documentMemory, wordFiles }: Interpreter,
  file: Picture & { readonly isWord: boolean },
  { asker: { person }, signal }: RequestOptions,
): Promise<string> {
  const turn = { person, signal };
  const mustBeShort = (bytes = 0): void => {
    if (bytes > MAX_TEXT_BYTES) throw new Failure('text-file-too-large', 'a text exceeds 1 MB');
  };
  if (!file.isWord) mustBeShort(file.bytes);
  return documentMemory.spend({ units: file.bytes ?? UNKNOWN_BYTES, ...turn }, async () => {
    const bytes = await file.load(signal);
    if (isZip(bytes)) return inUnicode(await wordFiles.text(bytes, MAX_TEXT_BYTES, turn));
    mustBeShort(bytes.length);
    const text = await decodeText(bytes);
    if (text === undefined) throw new Failure('document-unreadable', 'a file is no text that is read');
    return inUnicode(text);
  });
}

/** What a file proves to be. Throws as loading it does. */
export function kindOf(
  { documentMemory }: Interpreter,
  file: Picture,
  { asker: { person }, signal }: RequestOptions,
): ReturnType<typeof contentKind> {
  const units = file.bytes ?? UNKNOWN_BYTES;
  return documentMemory.spend({ units, person, signal }, async () => contentKind(await file.load(signal)));
}
