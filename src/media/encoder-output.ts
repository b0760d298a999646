/** What an encoder writes: kept in memory within bounds, and expected to come as long as there is any. */
import { Writable } from 'node:stream';

/** How long an encoder may give nothing, in ms, although all of its input is there: it writes about a page for each second of sound. */
const SILENT_FOR_MS = 20_000;

/** In bytes, more than hours of speech take: an encoder that gives more is broken, and would fill the memory. */
const MOST_OGG_BYTES = 64 * 1024 * 1024;

/** Calls `onHung` when nothing has come for `SILENT_FOR_MS` after the input was complete. */
export function createWatchdog(complete: Promise<unknown>, onHung: () => void) {
  let timer: NodeJS.Timeout | undefined;
  let isOver = false;
  complete.then(
    () => {
      if (!isOver) timer = setTimeout(onHung, SILENT_FOR_MS);
    },
    () => {},
  );
  return {
    alive: (): void => {
      timer?.refresh();
    },
    end: (): void => {
      isOver = true;
      clearTimeout(timer);
    },
  };
}

/**
 * Keeps what is written. It never emits 'close': fluent-ffmpeg would take it for a broken pipe and fail a
 * slow but sound exit.
 */
export function createCollector(onChunk: () => void, onTooMuch: () => void) {
  let chunks: Buffer[] = [];
  let length = 0;
  const stream = new Writable({
    emitClose: false,
    write(chunk: Buffer, _encoding, done) {
      length += chunk.length;
      if (length <= MOST_OGG_BYTES) chunks.push(chunk);
      else {
        chunks = [];
        onTooMuch();
      }
      onChunk();
      done();
    },
  });
  return { stream, bytes: () => Buffer.concat(chunks) };
}
