/** Opens a PDF, reads its text layers and draws its pages, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure, type FailureKind } from '../../errors.ts';
import type { PageRange, Password } from '../../language/page-range.ts';
import { createYield } from '../../patience.ts';
import { type Ended, EXIT_CODES, runProgram } from '../child-process.ts';
import type { PictureLimits } from '../picture/image-redraw.ts';
import { Semaphore } from '../semaphore.ts';

export interface PdfPage {
  /** From 1. */
  readonly number: number;
  /** Its text layer, if that is sound Tibetan or Chinese; empty for an empty page; undefined if the page needs recognition. */
  readonly text: string | undefined;
  /** The document counts the page, but does not contain it. */
  readonly isMissing?: boolean;
  /** How often the particle `ཀྱི` stands in its text layer, whole, and bare of its subjoined letter. */
  readonly particles?: { readonly whole: number; readonly bare: number } | undefined;
}

interface InspectedPdf {
  readonly pageCount: number;
  /** The chosen pages; empty if they are more than `MAX_PAGES`, or do not exist. */
  readonly pages: readonly PdfPage[];
}

interface Caller {
  readonly person: string;
  readonly signal: AbortSignal;
}

export interface OpenOptions {
  /** Undefined for all pages. */
  readonly ranges?: readonly PageRange[] | undefined;
  readonly isForced?: boolean | undefined;
  readonly passwords?: readonly Password[] | undefined;
}

/** The task of `pdf-process.mjs`. */
export interface PdfTask {
  readonly passwords: readonly Password[];
  readonly ranges?: readonly PageRange[] | undefined;
  readonly maxPages: number;
  /** Of all text layers, in UTF-16 units. */
  readonly maxLetters: number;
  /** The page to draw; unset to inspect pages. */
  readonly draw?: {
    readonly number: number;
    readonly dotsPerInch: number;
    readonly maxSide: number;
    /** Pixels of the page as it is drawn. */
    readonly pixels: number;
  };
  /** Memory of PDFium. */
  readonly wasmBytes: number;
}

/** The maximum number of pages of a request. */
export const MAX_PAGES = 200;

const DOTS_PER_INCH = 300;
/** A3 in 300 dpi; larger pages are drawn with fewer dpi. */
const MAX_PIXELS = 17.5e6;
/**
 * Writable memory of the process in kB. V8 reserves 512 MB of it for code and hardly touches it, so the RSS stays below 512 MB: PDFium has at
 * most 256 MB, and Node with sharp takes about 120.
 */
const MAX_DATA_KB = 950_000;
/** In effect about 213 MB (task.mjs). */
const PDFIUM_BYTES = 256 * 1024 * 1024;
/** Processor time in seconds, for drawing a page, and for inspecting all pages: a book of 200 pages full of text takes 3. */
const MAX_S = 10;
/** How often the inspection is started; each attempt has the whole time limit. */
const MAX_RUNS = 3;
/** Of the text layers of all pages, in UTF-16 units: a book has fewer. */
const MAX_LETTERS = 2_000_000;
/** The maximum of output for these and 200 pages, in bytes. */
const MAX_SAID_BYTES = 4 * MAX_LETTERS + 1024 * MAX_PAGES;
const MAX_JPEG_BYTES = 32 * 1024 * 1024;

const PROGRAM = fileURLToPath(new URL('pdf-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=96', PROGRAM];

const pageLine = z.object({
  number: z.int(),
  text: z.string().optional(),
  isMissing: z.boolean(),
  particles: z.object({ whole: z.int(), bare: z.int() }).optional(),
});
const documentLine = z.object({ pageCount: z.int().positive(), chosen: z.array(z.int()) });
const said = z.union([documentLine, pageLine]);

/**
 * Runs one process at a time, shared fairly among people. Its methods throw `document-encrypted`, `document-page-blank`,
 * `document-unreadable` if it is no PDF or damaged, `document-too-large` if it runs out of memory or time, `document-too-long` if it has more
 * text than a book, `cancelled`, and the system's error if no process can be started.
 */
export class PdfReader {
  readonly #limits: PictureLimits;
  readonly #turns = new Semaphore(1);

  constructor(limits: PictureLimits) {
    this.#limits = limits;
  }

  #run(
    bytes: Buffer,
    passwords: readonly Password[] = [],
    task: Partial<PdfTask>,
    maxBytes: number,
    { person, signal }: Caller,
  ): Promise<Ended> {
    const whole: PdfTask = {
      passwords,
      maxPages: MAX_PAGES,
      maxLetters: MAX_LETTERS,
      wasmBytes: PDFIUM_BYTES,
      ...task,
    };
    const bounds = { dataKb: MAX_DATA_KB, seconds: MAX_S, maxBytes };
    return this.#turns.spend({ units: 1, person, signal }, () =>
      runProgram(COMMAND, whole, bytes, bounds, signal),
    );
  }

  async inspect(
    bytes: Buffer,
    { ranges, isForced = false, passwords }: OpenOptions,
    turn: Caller,
  ): Promise<InspectedPdf> {
    const found = new Map<number, PdfPage>();
    let left = ranges;
    for (let runs = 1; ; runs += 1) {
      const maxLetters = MAX_LETTERS - lettersOf(found.values());
      const keys = runs === 1 ? passwords : passwords?.map((one) => ({ ...one, ranges: left }));
      const ended = await this.#run(bytes, keys, { ranges: left, maxLetters }, MAX_SAID_BYTES, turn);
      const lines = await linesIn(ended.output);
      const document = lines.find((line) => 'pageCount' in line);
      if (document === undefined || ended.code === EXIT_CODES.tooLong) throw failureOf(ended);
      for (const line of lines) if ('number' in line) found.set(line.number, { ...line, text: line.text });
      const unknown = document.chosen.filter((number) => !found.has(number));
      // The first of these pages ran out of memory or time: it is drawn instead, and the inspection continues after it.
      const skipped = unknown.splice(0, runs < MAX_RUNS ? 1 : unknown.length);
      for (const number of skipped) found.set(number, { number, text: undefined });
      left = unknown.map((number) => [number, number]);
      if (left.length > 0) continue;
      const pages = [...found.values()].sort((one, other) => one.number - other.number);
      return {
        pageCount: document.pageCount,
        pages: isForced || lacksSubjoined(pages) ? pages.map(withoutLayer) : pages,
      };
    }
  }

  /** A page as a JPEG, in 300 dpi as far as the limits allow. */
  async draw(
    bytes: Buffer,
    number: number,
    { passwords }: Pick<OpenOptions, 'passwords'>,
    turn: Caller,
  ): Promise<Buffer> {
    const { maxSide } = this.#limits;
    const draw = { number, dotsPerInch: DOTS_PER_INCH, maxSide, pixels: MAX_PIXELS };
    const ended = await this.#run(bytes, passwords, { draw }, MAX_JPEG_BYTES, turn);
    if (ended.code !== 0 || ended.output.length === 0) throw failureOf(ended);
    return ended.output;
  }
}

/** What the process says, in turns of the event loop; without a last line that was cut off. */
async function linesIn(output: Buffer): Promise<z.infer<typeof said>[]> {
  const yieldToOthers = createYield();
  const values = [];
  for (const line of output.toString().split('\n').slice(0, -1)) {
    await yieldToOthers();
    values.push(said.parse(JSON.parse(line)));
  }
  return values;
}

/** Below this number bare particles may be typos, or Sanskrit; no Tibetan text goes long without the particle. */
const MIN_BARE_PARTICLES = 2;

/** Whether the document's character map has lost subjoined letters (`ཀྱི་` became `ཀི་`), which no single word reveals. */
function lacksSubjoined(pages: readonly PdfPage[]): boolean {
  const sumOf = (kind: 'whole' | 'bare'): number =>
    pages.reduce((sum, { particles }) => sum + (particles?.[kind] ?? 0), 0);
  return sumOf('whole') === 0 && sumOf('bare') >= MIN_BARE_PARTICLES;
}

/** An empty page needs no recognition. */
function withoutLayer(page: PdfPage): PdfPage {
  return page.text === '' ? page : { ...page, text: undefined };
}

function lettersOf(pages: Iterable<PdfPage>): number {
  let letters = 0;
  for (const { text = '' } of pages) letters += text.length;
  return letters;
}

const FAILURES: ReadonlyMap<number | null, readonly [FailureKind, string]> = new Map([
  [0, ['document-unreadable', 'a PDF is damaged, or no PDF']],
  [EXIT_CODES.unreadable, ['document-unreadable', 'a PDF is damaged, or no PDF']],
  [EXIT_CODES.encrypted, ['document-encrypted', 'a PDF needs a password']],
  [EXIT_CODES.blank, ['document-page-blank', 'a page of a PDF is drawn blank']],
  [EXIT_CODES.tooLong, ['document-too-long', 'a PDF exceeds the text limit']],
]);

/** A process that exits with another code ran out of memory, or met a bug of PDFium. */
function failureOf({ code, cause }: Ended): Failure {
  const [kind, message] = FAILURES.get(code) ?? [
    'document-too-large',
    'a PDF exceeds the memory or time limit',
  ];
  return new Failure(kind, message, { cause });
}
