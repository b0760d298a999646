/** Changes a stream of audio on its way out: starts, cuts, tears and paces it. */
import { setTimeout as wait } from 'node:timers/promises';

type Audio = AsyncIterable<Buffer>;

/** Odd, so that no cut but a chance one falls between samples; of very different lengths. */
const TORN_SIZES = [1, 3, 1_021, 4_093, 7, 333];
const TORN_APART_MS = 10;

/** The same stream once its first chunk is there; rejects when the engine fails before it has made anything. */
export async function begun(audio: Audio): Promise<Audio> {
  const chunks = audio[Symbol.asyncIterator]();
  const first = await chunks.next();
  return rejoined(first, chunks);
}

async function* rejoined(first: IteratorResult<Buffer>, rest: AsyncIterator<Buffer>): Audio {
  try {
    for (let next = first; !next.done; next = await rest.next()) yield next.value;
  } finally {
    await rest.return?.();
  }
}

/** The first half of the bytes, once all are there. */
export async function* firstHalf(audio: Audio): Audio {
  const whole = Buffer.concat(await Array.fromAsync(audio));
  yield whole.subarray(0, Math.ceil(whole.length / 2));
}

/** Everything but the last byte. */
export async function* withoutLastByte(audio: Audio): Audio {
  let held: Buffer | undefined;
  for await (const chunk of audio) {
    if (chunk.length === 0) continue;
    if (held !== undefined) yield held;
    held = chunk;
  }
  if (held !== undefined) yield held.subarray(0, -1);
}

/** The same bytes in chunks of odd sizes; the first ones a moment apart, or the way there would put them together again. */
export async function* torn(audio: Audio): Audio {
  let turn = 0;
  for await (let rest of audio) {
    while (rest.length > 0) {
      const size = TORN_SIZES[turn % TORN_SIZES.length] ?? 1;
      yield rest.subarray(0, size);
      rest = rest.subarray(size);
      turn += 1;
      if (turn < TORN_SIZES.length) await wait(TORN_APART_MS);
    }
  }
}

export interface Pace {
  readonly msBeforeFirst: number;
  readonly msPerChunk: number;
  /** What follows the first chunk waits for it. */
  readonly rest?: Promise<unknown> | undefined;
}

/** The same chunks, each not before its time; ends early when the caller has left. */
export async function* paced(audio: Audio, pace: Pace, gone: AbortSignal): Audio {
  const startedAt = Date.now();
  let chunks = 0;
  for await (const chunk of audio) {
    if (chunks > 0) await pace.rest;
    const due = pace.msBeforeFirst + pace.msPerChunk * chunks;
    await pause(startedAt + due - Date.now(), gone);
    if (gone.aborted) return;
    yield chunk;
    chunks += 1;
  }
}

/** Waits this number of milliseconds, or until the caller has left. */
export async function pause(ms: number, gone: AbortSignal): Promise<void> {
  if (ms <= 0) return;
  await wait(ms, undefined, { signal: gone }).catch(() => undefined);
}
