/** Work that several wait for and one does: identical requests at the same moment are made once. */
import { Failure } from '../errors.ts';
import { unlessAborted } from '../unless-aborted.ts';

export interface Shared<T> {
  readonly value: T;
  /** True for those who found the work under way. */
  readonly joined: boolean;
}

interface UnderWay {
  readonly result: Promise<unknown>;
  readonly aborter: AbortController;
  isOver: boolean;
  waiting: number;
}

/** A register of work under way in this process, by key. */
export function createSharedWork() {
  const underWay = new Map<string, UnderWay>();

  const begin = (key: string, work: (signal: AbortSignal) => Promise<unknown>): UnderWay => {
    const aborter = new AbortController();
    const result = work(aborter.signal).finally(() => {
      entry.isOver = true;
      if (underWay.get(key) === entry) underWay.delete(key);
    });
    // Whoever waits is told; with nobody left waiting it must not count as unhandled.
    result.catch(() => {});
    const entry: UnderWay = { result, aborter, isOver: false, waiting: 0 };
    underWay.set(key, entry);
    return entry;
  };

  /**
   * Does the work under this key, or waits for whoever does it already. One who aborts stops waiting and throws `cancelled`; the
   * work itself is aborted when nobody waits any more.
   */
  return async <T>(
    key: string,
    signal: AbortSignal,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Shared<T>> => {
    if (signal.aborted) throw cancelled();
    const found = underWay.get(key);
    const entry = found ?? begin(key, work);
    entry.waiting += 1;
    try {
      // The register is keyed by what is asked for, so a key always stands for the same kind of value.
      const value = (await unlessAborted(entry.result, signal, cancelled)) as T;
      return { value, joined: found !== undefined };
    } finally {
      entry.waiting -= 1;
      if (entry.waiting === 0 && !entry.isOver) {
        entry.aborter.abort();
        if (underWay.get(key) === entry) underWay.delete(key);
      }
    }
  };
}

function cancelled(): Failure {
  return new Failure('cancelled', 'the request was cancelled');
}
