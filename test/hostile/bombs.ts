/** Answers meant to exhaust memory. */
import { gzipSync } from 'node:zlib';
import type { Meddling } from './meddler.ts';

export const MB = 1024 * 1024;

export interface Bomb {
  /** Poured again and again, as fast as it is taken. */
  readonly chunk: Buffer;
  readonly times: number;
  readonly headers?: Record<string, string>;
  /** What comes before it. */
  readonly opening?: string;
}

/** Answers with `opening`, then repeats `chunk` this number of times, as fast as the bot reads. */
export function pouring({ chunk, times, headers = {}, opening = '' }: Bomb): Meddling {
  return (response) => {
    response.writeHead(200, { 'content-type': 'application/json', ...headers });
    response.write(opening);
    let left = times;
    const pour = (): void => {
      if (response.destroyed) return;
      if (left <= 0) {
        response.end();
        return;
      }
      left -= 1;
      if (response.write(chunk)) setImmediate(pour);
      else response.once('drain', pour);
    };
    pour();
  };
}

/** 10 GB of white space in 10 MB. */
export const gzipBomb: Meddling = pouring({
  chunk: gzipSync(Buffer.alloc(100 * MB, ' ')),
  times: 100,
  headers: { 'content-encoding': 'gzip' },
});

/** A megabyte of headers, and then an answer. */
export const hugeHeaders: Meddling = (response) => {
  response.socket?.end(`HTTP/1.1 200 OK\r\nx: ${'a'.repeat(MB)}\r\n\r\n{}`);
};
