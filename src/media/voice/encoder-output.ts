/** What an encoder writes: kept in memory within bounds, and expected to come as long as there is any. */
import { Writable } from 'node:stream';

/** How many seconds an encoder may give nothing although it has sound: it writes about a page for each second of it. */
const SILENT_SECONDS = 20;

/** In bytes, more than hours of speech take: an encoder that gives more is broken, and would fill the memory. */
const MOST_OGG_BYTES = 64 * 1024 * 1024;

/**
 * Calls `onHung` once the encoder has given nothing for so long although it had sound to work on. Time in which `hasSound` gives false,
 * as while a slow source gives nothing, does not count.
 */
export function createWatchdog(hasSound: () => boolean, onHung: () => void) {
  let silent = 0;
  const timer = setInterval(() => {
    silent = hasSound() ? silent + 1 : 0;
    if (silent > SILENT_SECONDS) onHung();
  }, 1000);
  return {
    alive: (): void => {
      silent = 0;
    },
    end: (): void => clearInterval(timer),
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
