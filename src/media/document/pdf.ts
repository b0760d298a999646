/** Opens a PDF: what its pages hold as text, and a page drawn as a picture; in a process of its own, whose memory and time are bounded. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import type { PageRange } from '../../language/page-range.ts';
import { dominantLanguage } from '../../language/script.ts';
import { runBounded } from '../bounded-process.ts';
import type { PictureLimits } from '../picture/image-redraw.ts';
import { createSemaphore } from '../semaphore.ts';

/** A page as it was found. */
export interface PdfPage {
  /** From 1. */
  readonly number: number;
  /** Its text layer where that is sound Tibetan or Chinese, empty where there is nothing on the page; undefined where it is to be read. */
  readonly text: string | undefined;
  /** The document counts it, and does not have it. */
  readonly isMissing?: boolean;
}

interface InspectedPdf {
  readonly pageCount: number;
  /** Those that were chosen; none where they are more than `MOST_PAGES`, or there is none of them. */
  readonly pages: readonly PdfPage[];
}

/** Whose work it is, and what ends it. */
interface Turn {
  readonly person: string;
  readonly signal: AbortSignal;
}

/**
 * Both throw `document-encrypted`, `document-unreadable` for what is no PDF or a damaged one, `document-too-large` where memory or time
 * do not suffice, and `cancelled`.
 */
export interface PdfReader {
  /** `ranges`: undefined for all pages. */
  inspect(bytes: Buffer, ranges: readonly PageRange[] | undefined, turn: Turn): Promise<InspectedPdf>;
  /** A page as a JPEG, in 300 dpi as far as the limits allow. */
  draw(bytes: Buffer, page: number, turn: Turn): Promise<Buffer>;
}

/** What `pdf-process.mjs` is told, beside the bytes. */
export interface PdfTask {
  readonly bytes: number;
  readonly ranges?: readonly PageRange[] | undefined;
  readonly mostPages: number;
  /** The page that is to be drawn; unset: pages are to be inspected. */
  readonly draw?: {
    readonly number: number;
    readonly dotsPerInch: number;
    readonly maxSide: number;
    /** Pixels of the page as it is drawn. */
    readonly pixels: number;
  };
  /** Bytes that PDFium may have. */
  readonly memoryBytes: number;
  readonly exitCodes: typeof EXIT_CODES;
}

/** Pages that are read at once (spec §2, Documents). */
export const MOST_PAGES = 200;

const DOTS_PER_INCH = 300;
/** A3 in 300 dpi; what is larger is drawn coarser. */
const MOST_PIXELS = 17.5e6;
const EXIT_CODES = { unreadable: 65, tooLarge: 66, encrypted: 67 } as const;
/**
 * kB that the process may have for writing. V8 sets 512 MB of it aside for code of its own and touches next to none of that, so that the
 * RSS stays below 512 MB: PDFium has 256 MB at most, and Node with sharp takes about 120.
 */
const MOST_DATA_KB = 950_000;
const PDFIUM_BYTES = 256 * 1024 * 1024;
/** Of each page that is drawn, and of the look at all of them (spec §2, Documents). */
const LONGEST_S = 20;
/** How often a look at the pages is begun: each may take as long again. */
const MOST_RUNS = 3;
/** Of what is said of 200 pages, in bytes. */
const MOST_SAID_BYTES = 48 * 1024 * 1024;
const MOST_JPEG_BYTES = 32 * 1024 * 1024;

const PROGRAM = fileURLToPath(new URL('pdf-process.mjs', import.meta.url));
/** No variable of the bot's, which hold its secrets. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2' };
const COMMAND = [process.execPath, '--max-old-space-size=96', PROGRAM];

const pageLine = z.object({
  number: z.int(),
  text: z.string(),
  isBlank: z.boolean(),
  isMissing: z.boolean(),
  imageShare: z.number(),
});
const said = z.union([z.object({ pageCount: z.int().positive() }), pageLine]);

/** One process at a time, in turns that are fair to each person. */
export function createPdfReader(limits: PictureLimits): PdfReader {
  const turns = createSemaphore(1);

  const run = (bytes: Buffer, task: Partial<PdfTask>, mostBytes: number, { person, signal }: Turn) =>
    turns.spend({ units: 1, size: bytes.length, person, signal }, async () => {
      const whole: PdfTask = {
        bytes: bytes.length,
        mostPages: MOST_PAGES,
        memoryBytes: PDFIUM_BYTES,
        exitCodes: EXIT_CODES,
        ...task,
      };
      const bounds = { dataKb: MOST_DATA_KB, seconds: LONGEST_S, mostBytes };
      return runBounded([...COMMAND, JSON.stringify(whole)], ENVIRONMENT, [bytes], bounds, signal);
    });

  return {
    inspect: async (bytes, ranges, turn) => {
      const found = new Map<number, PdfPage>();
      let left = ranges;
      for (let runs = 1; ; runs += 1) {
        const ended = await run(bytes, { ranges: left }, MOST_SAID_BYTES, turn);
        const lines = saidIn(ended.output);
        const pageCount = lines.flatMap((line) => ('pageCount' in line ? [line.pageCount] : []))[0];
        if (pageCount === undefined) throw failureOf(ended);
        for (const line of lines) if ('number' in line) found.set(line.number, pageFrom(line));
        const unknown = ended.code === 0 ? [] : unknownOf(found, pageCount, ranges);
        // Memory or time did not suffice for the first of these: it is drawn, and the look goes on behind it.
        const skipped = unknown.splice(0, runs < MOST_RUNS ? 1 : unknown.length);
        for (const number of skipped) found.set(number, { number, text: undefined });
        left = unknown.map((number) => [number, number]);
        if (left.length > 0) continue;
        return { pageCount, pages: [...found.values()].sort((one, other) => one.number - other.number) };
      }
    },
    draw: async (bytes, number, turn) => {
      const { maxSide } = limits;
      const draw = { number, dotsPerInch: DOTS_PER_INCH, maxSide, pixels: MOST_PIXELS };
      const ended = await run(bytes, { draw }, MOST_JPEG_BYTES, turn);
      if (ended.code !== 0 || ended.output.length === 0) throw failureOf(ended);
      return ended.output;
    },
  };
}

function saidIn(output: Buffer) {
  // The last line may have been cut off.
  const lines = output.toString('utf8').split('\n').slice(0, -1);
  return lines.map((line) => said.parse(JSON.parse(line)));
}

function pageFrom({ number, text, isBlank, isMissing, imageShare }: z.infer<typeof pageLine>): PdfPage {
  return { number, text: isBlank ? '' : soundText(text, imageShare), isMissing };
}

/** What no sound text has: unassigned and private characters, and those of a decoder that gave up. */
const BROKEN = /[\p{Co}\p{Cn}\p{Cs}\uFFFD]/gu;
const CONTROLS = /[[\p{Cc}\u00AD\uFEFF]--[\n\t]]/gv;
const LETTERS = /[\p{L}\p{M}]/gu;
const OURS = /[[\p{L}\p{M}]&&[\p{Script=Tibetan}\p{Script=Han}]]/gv;
/** A vowel sign or a subjoined letter with nothing to stand on. */
const STRAY_MARKS = /(?<![\p{L}\p{M}])[\u0F71-\u0F84\u0F8D-\u0FBC]/gu;
/** Of all letters, those in one of the two scripts at least: a page in English with a word of Tibetan is read. */
const MOSTLY = 0.5;
/** Of all letters, broken ones and stray marks at most. */
const HARDLY = 0.01;
/** A picture that covers so much of its page is what the page is about; the text beside it is, from so many letters on. */
const LARGE_IMAGE = 0.3;
const LETTERS_BESIDE_IMAGE = 150;

/**
 * The text layer of a page where it is sound Unicode Tibetan or Chinese, else undefined: fonts from before Unicode, and broken tables, give
 * nonsense. `imageShare`: of the page, under its largest picture.
 */
function soundText(layer: string, imageShare: number): string | undefined {
  const text = layer.replace(/\r\n?/gu, '\n').replace(CONTROLS, '').trim();
  if (dominantLanguage(text) === undefined) return undefined;
  const letters = count(text, LETTERS);
  const ours = count(text, OURS);
  if (ours < letters * MOSTLY) return undefined;
  if (count(text, BROKEN) + count(text, STRAY_MARKS) > letters * HARDLY) return undefined;
  if (imageShare > LARGE_IMAGE && ours < LETTERS_BESIDE_IMAGE) return undefined;
  return text;
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0;
}

/** The chosen pages that nothing is known of, in order; none where more are chosen than are read at once. */
function unknownOf(
  found: ReadonlyMap<number, PdfPage>,
  pageCount: number,
  ranges: readonly PageRange[] = [[1, pageCount]],
): number[] {
  const unknown = new Set<number>();
  for (const [from, to] of ranges) {
    for (let number = Math.max(1, from); number <= Math.min(to, pageCount); number += 1) {
      if (found.size + unknown.size > MOST_PAGES) return [];
      if (!found.has(number)) unknown.add(number);
    }
  }
  return [...unknown].sort((one, other) => one - other);
}

/** A process that ends of itself with another code has met the bound of its memory, or a mistake of PDFium's. */
function failureOf({ code, cause }: { code: number | null; cause: Error }): Failure {
  if (code === EXIT_CODES.encrypted) {
    return new Failure('document-encrypted', 'a PDF needs a password', { cause });
  }
  if (code === EXIT_CODES.unreadable || code === 0) {
    return new Failure('document-unreadable', 'no PDF that can be opened', { cause });
  }
  return new Failure('document-too-large', 'a PDF takes more memory or time than one may', { cause });
}
