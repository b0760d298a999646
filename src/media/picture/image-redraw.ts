/** Draws a picture anew, as a JPEG that the provider takes: in a process of its own, whose memory and time are bounded. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Failure } from '../../errors.ts';
import { throwIfCancelled } from '../cancelled.ts';

/** What a provider takes of a picture. */
export interface PictureLimits {
  /** Bytes of the file. */
  readonly bytes: number;
  /** Pixels of the shortest and of the longest side. */
  readonly minSide: number;
  readonly maxSide: number;
}

/** What is to be drawn anew: a file of a format that sharp names so, or the pixels themselves. */
export interface Original {
  readonly bytes: Buffer;
  readonly format: 'jpeg' | 'png' | 'webp' | 'tiff' | 'gif' | 'heif' | 'raw';
  readonly raw?: { readonly width: number; readonly height: number; readonly channels: 3 | 4 };
}

/** What `redraw-process.mjs` is told, beside the bytes. */
export interface RedrawTask extends Omit<Original, 'bytes'> {
  readonly bytes: number;
  readonly limits: PictureLimits & {
    /** Pixels of the original, for the time that it takes: nobody's camera has more. */
    readonly originalPixels: number;
    /** Bytes that the process may have for writing. */
    readonly dataBytes: number;
    /** Seconds for each try. */
    readonly seconds: number;
  };
  readonly exitCodes: typeof EXIT_CODES;
}

/**
 * kB that the process may have for writing (RLIMIT_DATA), Node's own included: with the code that it runs, its RSS then is 170 MB at
 * most, and with the file and the JPEG, which the bot holds meanwhile, 200 MB. A limit that Linux keeps whatever a file does: what a
 * decoder takes is not to be told from a header (progressive JPEG, chunks of PNG that unpack to gigabytes, AVIF that lies).
 */
const MOST_DATA_KB = 145_000;
/** Of each thread's stack, which counts as data whether it is used or not. */
const STACK_KB = 2048;
const LONGEST_REDRAW_S = 30;
const MOST_ORIGINAL_PIXELS = 150e6;
const EXIT_CODES = { unreadable: 65, tooLarge: 66 } as const;
/** Characters kept of what the process says of an error. */
const MOST_COMPLAINTS = 500;

const PROGRAM = fileURLToPath(new URL('redraw-process.mjs', import.meta.url));
const BOUNDED = `ulimit -c 0; ulimit -s ${STACK_KB}; ulimit -d ${MOST_DATA_KB}; exec "$0" "$@"`;
/** No variable of the bot's, which hold its secrets; one thread beside Node's own, and a heap that gives back what was used. */
const ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };

/**
 * The picture as a JPEG within these limits: upright, 8-bit sRGB, what is transparent on white or black
 * (whichever its painted part stands out from), the shortest side padded; smaller where memory or the
 * limits ask for it.
 *
 * Throws `image-unreadable` for what is cut off or no picture, `image-too-large` where memory or time do not suffice, `cancelled`,
 * and what the machine says where it can start no process.
 */
export async function redraw(
  original: Original,
  limits: PictureLimits,
  signal: AbortSignal | undefined,
): Promise<Buffer> {
  throwIfCancelled(signal);
  const { bytes, ...kind } = original;
  const task: RedrawTask = {
    ...kind,
    bytes: bytes.length,
    limits: {
      ...limits,
      originalPixels: MOST_ORIGINAL_PIXELS,
      dataBytes: MOST_DATA_KB * 1024,
      seconds: LONGEST_REDRAW_S,
    },
    exitCodes: EXIT_CODES,
  };
  const child = spawn(
    '/bin/sh',
    ['-c', BOUNDED, process.execPath, '--jitless', '--expose-gc', PROGRAM, JSON.stringify(task)],
    { env: ENVIRONMENT, timeout: LONGEST_REDRAW_S * 1000, killSignal: 'SIGKILL' },
  );
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });

  const pieces: Buffer[] = [];
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => pieces.push(piece));
  child.stderr.on('data', (words: Buffer) => {
    if (complaints.length < MOST_COMPLAINTS) complaints += words.toString();
  });
  // A process that has ended reads no more; how it ended says enough.
  child.stdin.on('error', () => {});
  child.stdin.end(bytes);

  // `once` throws what keeps the process from being started.
  const [code, endedBy] = await once(child, 'close').finally(() =>
    signal?.removeEventListener('abort', kill),
  );
  throwIfCancelled(signal);
  if (code === 0) return Buffer.concat(pieces);
  const cause = new Error(complaints.slice(0, MOST_COMPLAINTS));
  if (code === EXIT_CODES.unreadable) {
    throw new Failure('image-unreadable', 'the picture cannot be decoded', { cause });
  }
  // A signal comes from our clock, from a library that ends the process where it gets no memory, or from Ctrl-C, which says nothing
  // of the picture.
  if (code === EXIT_CODES.tooLarge || (endedBy !== null && endedBy !== 'SIGINT')) {
    throw new Failure('image-too-large', 'decoding takes more memory or time than a picture may', { cause });
  }
  throw new Error('the process that redraws pictures does not work', { cause });
}
