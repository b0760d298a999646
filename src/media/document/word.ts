/** Opens a Word document (.docx), and takes its text, in a process of its own with bounded memory and time. */
import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { EXIT_CODES, runProgram } from '../child-process.ts';
import { Semaphore } from '../semaphore.ts';

/**
 * Writable memory of the process in kB: 512 MB that V8 reserves for code and hardly touches, the file, 64 MB of unpacked XML, and the heap.
 */
const MAX_DATA_KB = 850_000;
/** Processor time in seconds: 64 MB of XML take 8. */
const MAX_S = 10;

const PROGRAM = fileURLToPath(new URL('word-process.mjs', import.meta.url));
const COMMAND = [process.execPath, '--max-old-space-size=96', PROGRAM];

/** Runs one process at a time, shared fairly among people. */
export class WordReader {
  readonly #turns = new Semaphore(1);

  /**
   * A line for each paragraph, with tabs between table cells; empty if there are only pictures. `maxBytes`: of the text in UTF-8. Throws
   * `document-unreadable` if it is damaged, or no Word document, `text-file-too-large` if it exceeds a limit, `cancelled`, and the system's
   * error if no process can be started.
   */
  async text(
    file: Buffer,
    maxBytes: number,
    { person, signal }: { readonly person: string; readonly signal: AbortSignal },
  ): Promise<string> {
    const bounds = { dataKb: MAX_DATA_KB, seconds: MAX_S, maxBytes };
    const { code, cause, output } = await this.#turns.spend({ units: 1, person, signal }, () =>
      runProgram(COMMAND, { maxBytes }, file, bounds, signal),
    );
    if (code === 0) return output.toString();
    // A signal ended it: it ran out of memory or time.
    const isTooLarge = code === EXIT_CODES.tooLong || code === null;
    throw isTooLarge
      ? new Failure('text-file-too-large', 'a Word document exceeds a limit', { cause })
      : new Failure('document-unreadable', 'a file is no Word document, or damaged', { cause });
  }
}
