/** A machine that has run out of something for now, as opposed to one that lacks it: the one heals by itself, and is waited for. */
import { setTimeout as delay } from 'node:timers/promises';
import { codeOf } from './errors.ts';

/** No file descriptor left (for the process, for the machine), no process, no memory. */
const OF_A_MOMENT = new Set(['EMFILE', 'ENFILE', 'EAGAIN', 'ENOMEM']);

/** Whether the error, or what it was caused by, is such a shortage: the same may succeed a moment later. */
export function isShortage(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return OF_A_MOMENT.has(codeOf(error) ?? '') || isShortage(error.cause);
}

interface Patience {
  /** The wait before the second try; each further one is twice as long, up to `mostMs`. */
  readonly firstMs: number;
  /** As `firstMs` unless given: then all waits are alike. */
  readonly mostMs?: number;
  /** How long after the first shortage the work is begun once more; unless given, for as long as it takes. */
  readonly withinMs?: number;
  /** Its abort ends a wait early; the work is begun once more, and heeds the signal itself. */
  readonly signal?: AbortSignal;
  /** Where it gives false, a shortage is thrown like any other error. */
  readonly mayRepeat?: (error: unknown) => boolean;
  /** Told of every shortage that is waited out. */
  readonly onShortage?: (error: unknown) => void;
}

/** Does the work, again and again while the machine is short of something; throws whatever else it throws. Waiting keeps no process alive. */
export async function outlastShortage<T>(
  work: () => Promise<T>,
  { firstMs, mostMs = firstMs, withinMs = Number.POSITIVE_INFINITY, ...patience }: Patience,
): Promise<T> {
  const { signal, mayRepeat = () => true, onShortage } = patience;
  let until: number | undefined;
  for (let waitMs = firstMs; ; waitMs = Math.min(waitMs * 2, mostMs)) {
    try {
      return await work();
    } catch (error) {
      until ??= performance.now() + withinMs;
      if (!isShortage(error) || !mayRepeat(error) || performance.now() >= until) throw error;
      onShortage?.(error);
      await delay(waitMs, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
