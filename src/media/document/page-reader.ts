/** Reads pages (spec §2, the reading of a page); many of them in a process of its own, since a book takes seconds. */
import { fileURLToPath } from 'node:url';
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import type { Page } from '../../language/reading/page.ts';
import { readingsOfPages } from '../../language/reading/reading.ts';
import { linesIn, runBounded } from '../child-process.ts';
import { Semaphore } from '../semaphore.ts';

/** UTF-16 units that are read at once, which takes 10 ms. */
const MAX_AT_ONCE = 8000;
/** Writable memory of the process in kB (RLIMIT_DATA), of which V8 reserves 512 MB for code and hardly touches it. */
const MAX_DATA_KB = 950_000;
/** Processor time, in seconds; a book takes one. */
const MAX_SECONDS = 20;
/** A reading is hardly longer than its page; JSON escapes some of its characters. */
const BYTES_PER_UNIT = 4;

const PROGRAM = fileURLToPath(new URL('reading-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=128', PROGRAM];
const reading = z.string();

/** One process at a time, shared fairly among people. */
export class PageReader {
  readonly #turns = new Semaphore(1);

  /** Like `readingsOfPages`. Throws `document-too-large` if it runs out of time or memory, and as `runBounded` does. */
  async read(
    pages: readonly Page[],
    { person, signal }: { readonly person: string; readonly signal: AbortSignal },
  ): Promise<string[]> {
    const letters = lettersOf(pages);
    if (letters <= MAX_AT_ONCE) return readingsOfPages(pages);
    return this.#turns.spend({ units: 1, person, signal }, async () => {
      const bounds = {
        dataKb: MAX_DATA_KB,
        seconds: MAX_SECONDS,
        maxBytes: BYTES_PER_UNIT * letters + 1024 * pages.length,
      };
      const { code, output, cause } = await runBounded(COMMAND, {}, linesOf(pages), bounds, signal);
      if (code === 0) return linesIn(output, reading);
      throw new Failure('document-too-large', 'reading pages exceeded the memory or time limit', { cause });
    });
  }
}

function* linesOf(pages: readonly Page[]): Generator<string> {
  for (const page of pages) yield `${JSON.stringify(page)}\n`;
}

function lettersOf(pages: readonly Page[]): number {
  let letters = 0;
  for (const { lines } of pages) for (const line of lines) letters += line.length + 1;
  return letters;
}
