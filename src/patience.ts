/**
 * Waiting: for a time, for a condition, for work that may succeed on another try, for what others use at present, and for the next turn of
 * the event loop.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, isFailure } from './errors.ts';

/** Resolves after `ms`, or as soon as `signal` aborts; never rejects, so the caller checks the signal next. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {});
}

/** The reason of an aborted signal if that is a `Failure`, otherwise a new one of kind `cancelled`. */
export function cancellation(signal: AbortSignal): Failure {
  return isFailure(signal.reason)
    ? signal.reason
    : new Failure('cancelled', 'the work was cancelled', { cause: signal.reason });
}

/** Whether a signal has aborted without a `Failure` (a person's own wish): the work will be repeated, or is no longer wanted. */
export function isLeftUndone(signal: AbortSignal): boolean {
  return signal.aborted && !isFailure(signal.reason);
}

export function throwIfCancelled(signal: AbortSignal | undefined): void {
  if (signal?.aborted) throw cancellation(signal);
}

/** Stops waiting, not the work: throws `reason()`, by default the `cancellation`, as soon as the signal aborts. */
export async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
  reason?: () => Error,
): Promise<T> {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const onAbort = (): void => aborted.reject(reason?.() ?? cancellation(signal));
  if (signal.aborted) onAbort();
  signal.addEventListener('abort', onAbort, { once: true });
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', onAbort);
  }
}

/** Calls `look` every `everyMs` until it finds something; undefined when `signal` aborts first. Throws errors of `look`. */
export async function eventually<T>(
  look: () => T | undefined | Promise<T | undefined>,
  everyMs: number,
  signal?: AbortSignal,
): Promise<T | undefined> {
  while (!signal?.aborted) {
    const found = await look();
    if (found !== undefined) return found;
    await sleep(everyMs, signal);
  }
  return undefined;
}

interface Trying {
  /** Aborting it ends a wait early; the work runs once more, and checks the signal itself. */
  readonly signal?: AbortSignal | undefined;
  /** False: waiting does not keep the process alive. */
  readonly ref?: boolean;
}

/** Repeats `work` (tries count from 1); `waitAfter` gives the wait before the next try in ms, or undefined to throw the error. */
export async function patiently<T>(
  work: (attempt: number) => Promise<T>,
  waitAfter: (error: unknown, attempt: number) => number | undefined,
  { signal, ref = true }: Trying = {},
): Promise<T> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      const waitMs = waitAfter(error, attempt);
      if (waitMs === undefined) throw error;
      await delay(waitMs, undefined, { signal, ref }).catch(() => {});
    }
  }
}

/** Work that holds a place among the work of this process, and gives that place to others while it waits for them. */
export interface Waiter {
  /** False: there is no room to wait, so the work keeps its place. */
  beginWait(): boolean;
  /** Called once after each `beginWait`. */
  endWait(): void;
  /** Lets others of the same person go first that wait for another chat. Resolves with a signal that ends the wait: the process stops. */
  leaveLane(): Promise<AbortSignal>;
}

/** Too many others wait in this process: the queue attempts the request again later. */
export class NoRoom extends Error {
  override readonly name = 'NoRoom';
}

/** Ambient, since who waits deep inside a decoder need not know of the queue, and none can forget to pass it on. */
const waiters = new AsyncLocalStorage<Waiter>();

export function waitingAs<T>(waiter: Waiter, work: () => T): T {
  return waiters.run(waiter, work);
}

/**
 * Waits for what other work of this process uses at present: a decoder, memory, or the result of a call that is under way. The wait holds no
 * worker of the queue. Without room to wait: throws `NoRoom`, or holds its worker if it `mayHold` one.
 */
export async function standAside<T>(wait: Promise<T>, { mayHold = false } = {}): Promise<T> {
  const waiter = waiters.getStore();
  const hasRoom = waiter?.beginWait() ?? true;
  try {
    if (!hasRoom && !mayHold) throw new NoRoom('too many requests wait in this process');
    return await wait;
  } finally {
    waiter?.endWait();
  }
}

/**
 * Waits for what holds up one chat alone: meanwhile its person is served in other chats. Throws `refusal()` if the process stops, and without
 * room to wait.
 */
export async function standAsideInChat(ms: number, refusal: () => Error): Promise<void> {
  const waiter = waiters.getStore();
  if (waiter === undefined) throw refusal();
  const hasRoom = waiter.beginWait();
  try {
    if (!hasRoom) throw refusal();
    const stopping = await waiter.leaveLane();
    await unlessAborted(sleep(ms, stopping), stopping, refusal);
  } finally {
    waiter.endWait();
  }
}

/** Longest work before it yields to the event loop, in ms. A time and not a number of steps, since machines differ. */
const MAX_SLICE_MS = 3;

/** Long works that wait for their next slice: in each turn of the event loop one goes on, so that many hold up others as little as one. */
const waiting: (() => void)[] = [];

function nextSlice(): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  if (waiting.push(resolve) === 1) setImmediate(goOn);
  return standAside(promise, { mayHold: true });
}

function goOn(): void {
  waiting.shift()?.();
  if (waiting.length > 0) setImmediate(goOn);
}

/**
 * Returns a function to await between steps of long work: a promise if this work has lasted `MAX_SLICE_MS` in this turn of the event loop. It
 * is fulfilled when the work's next slice begins; `wait` may say otherwise.
 */
export function createYield(wait: () => Promise<void> = nextSlice): () => Promise<void> | undefined {
  let beganAt: number | undefined;
  const begin = (): void => {
    if (beganAt !== undefined) return;
    beganAt = performance.now();
    setImmediate(() => {
      beganAt = undefined;
    });
  };
  begin();
  return () => {
    if (beganAt !== undefined && performance.now() - beganAt > MAX_SLICE_MS) return wait().then(begin);
    begin();
    return undefined;
  };
}
