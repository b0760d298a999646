/** Where the log is written: standard output, which may be stuck, full or gone without that holding the bot up. */
import { write, writeSync } from 'node:fs';
import type { DestinationStream } from 'pino';

/** Most that waits for somebody to read it, in characters: hours of an idle bot, and no burden to the memory. */
const MOST_WAITING = 512 * 1024;
/** How long a pipe that is full, or gone, or a disk without room, is left alone, in ms. */
const AGAIN_AFTER_MS = 100;
/** How long the end of the process waits for whoever reads slowly, in ms. */
const LAST_WORDS_MS = 500;
const LOOK_AGAIN_MS = 10;
/** pino's number for `warn`. */
const WARN = 40;

/**
 * Standard output as the log's destination. What cannot be written waits, within a bound, and is tried again whatever the reason:
 * a pipe that nobody reads may be read again, and a disk get room. What comes beyond the bound is lost, which is told in the log
 * itself, in its place; nothing of this keeps the process running. pino's own destination waits for all that without an end,
 * keeps without a bound, and takes an error for the end of the process.
 *
 * `format` turns a line into what is written.
 */
export function openLogOutput(format: (line: string) => string = (line) => line): DestinationStream {
  // Once it is asked for, a pipe answers at once that it is full, instead of holding up whoever writes.
  const { fd } = process.stdout;
  let waiting: string[] = [];
  let length = 0;
  let lost = 0;
  /** What is left of what was begun; while it is being written, nothing else is. */
  let begun: Buffer = Buffer.alloc(0);
  let isWriting = false;
  let isResting = false;

  const keep = (line: string): void => {
    waiting.push(line);
    length += line.length;
  };

  /** What is to be written next: the rest of what was begun, else all that waits. */
  const takeNext = (): Buffer => {
    if (begun.length > 0 || waiting.length === 0) return begun;
    begun = Buffer.from(waiting.join(''));
    waiting = [];
    length = 0;
    if (lost > 0) keep(format(gap(lost)));
    lost = 0;
    return begun;
  };

  const goOn = (): void => {
    if (isWriting || isResting) return;
    const next = takeNext();
    if (next.length === 0) return;
    isWriting = true;
    write(fd, next, (error, written) => {
      isWriting = false;
      if (error === null) begun = next.subarray(written);
      else rest();
      goOn();
    });
  };

  const rest = (): void => {
    isResting = true;
    const again = (): void => {
      isResting = false;
      goOn();
    };
    setTimeout(again, AGAIN_AFTER_MS).unref();
  };

  const sayLastWords = (): void => {
    const until = performance.now() + LAST_WORDS_MS;
    // What is being written at this moment is, by one of Node's threads, even while the process ends.
    if (isWriting) begun = Buffer.alloc(0);
    for (let next = takeNext(); next.length > 0; next = takeNext()) {
      try {
        begun = next.subarray(writeSync(fd, next));
      } catch {
        if (performance.now() > until) return;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, LOOK_AGAIN_MS);
      }
    }
  };
  process.on('exit', sayLastWords);

  return {
    write: (line) => {
      const text = format(line);
      if (length + text.length > MOST_WAITING) lost += 1;
      else keep(text);
      goOn();
    },
  };
}

function gap(lines: number): string {
  const msg = 'lines of the log are missing here: nobody took them';
  return `${JSON.stringify({ level: WARN, time: Date.now(), lines, msg })}\n`;
}
