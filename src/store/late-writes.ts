/** Writes that found no database: kept in memory, and made good when it is back. */
import { setTimeout as delay } from 'node:timers/promises';

export interface LateWrites {
  /**
   * Tries `work` again until it succeeds, with nobody waiting for it. False, and nothing done, where too much waits already. The work
   * may be done more than once: a connection can be lost after a commit.
   */
  hold(work: () => Promise<unknown>): boolean;
  /** For the end of the process: makes good what it can within so many ms, and gives how many writes still wait. */
  finish(withinMs: number): Promise<number>;
}

const AGAIN_AFTER_MS = 1000;
/** At the end, when there is little time. */
const AGAIN_SOON_MS = 100;
/** A voice note has some tens of kB. */
const MOST_WAITING = 500;
/** What has failed for so long, in ms, fails for another reason than that the database is away. */
const HELD_FOR_MS = 6 * 60 * 60 * 1000;

/** Nothing waits yet. What waits does not keep the process running. */
export function createLateWrites(): LateWrites {
  let waiting: { readonly work: () => Promise<unknown>; readonly until: number }[] = [];
  let isArmed = false;
  let round: Promise<void> | undefined;

  /** One after another. The first that fails ends the round, and goes to the end of the line: it must not block the others for ever. */
  const tryEach = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const { work, until } = next;
      try {
        await work();
        waiting.shift();
      } catch {
        waiting.shift();
        if (performance.now() < until) waiting = [...waiting, next];
        return;
      }
    }
  };

  /** One round at a time. */
  const makeGood = (): Promise<void> => {
    round ??= tryEach().finally(() => {
      round = undefined;
    });
    return round;
  };

  const arm = (): void => {
    if (isArmed || waiting.length === 0) return;
    isArmed = true;
    const again = async (): Promise<void> => {
      await makeGood();
      isArmed = false;
      arm();
    };
    setTimeout(again, AGAIN_AFTER_MS).unref();
  };

  return {
    hold: (work) => {
      if (waiting.length >= MOST_WAITING) return false;
      waiting.push({ work, until: performance.now() + HELD_FOR_MS });
      arm();
      return true;
    },
    finish: async (withinMs) => {
      const until = performance.now() + withinMs;
      const timeIsUp = delay(withinMs, undefined, { ref: false });
      while (waiting.length > 0 && performance.now() < until) {
        await Promise.race([makeGood(), timeIsUp]);
        if (waiting.length > 0) await delay(AGAIN_SOON_MS);
      }
      return waiting.length;
    },
  };
}
