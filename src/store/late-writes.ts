/** Writes that found no database: kept in memory, and made good when it is back. */
import { setTimeout as delay } from 'node:timers/promises';

interface AboutSomebody {
  readonly person: string;
  /** Told when it is not tried any more: it has succeeded, has failed for too long, or the person is forgotten. */
  readonly onOver?: () => void;
}

export interface LateWrites {
  /**
   * Tries `work` again until it succeeds, in the background. False, and nothing done, where too much waits already. The work
   * may be done more than once: a connection can be lost after a commit. What it writes about somebody is told with it.
   */
  hold(work: () => Promise<unknown>, about?: AboutSomebody): boolean;
  /** Drops what would be written about this person; resolves when nothing of it is under way any more. */
  forget(person: string): Promise<void>;
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

interface Waiting {
  readonly work: () => Promise<unknown>;
  readonly until: number;
  readonly about: AboutSomebody | undefined;
}

/** Nothing waits yet. What waits does not keep the process running. */
export function createLateWrites(): LateWrites {
  let waiting: Waiting[] = [];
  let isArmed = false;
  let round: Promise<void> | undefined;
  let underWay: { readonly held: Waiting; readonly end: Promise<boolean> } | undefined;

  /** One after another. The first that fails ends the round, and goes to the end of the line: it must not block the others for ever. */
  const tryEach = async (): Promise<void> => {
    for (let next = waiting[0]; next !== undefined; next = waiting[0]) {
      const held = next;
      const end = held.work().then(
        () => true,
        () => false,
      );
      underWay = { held, end };
      const hasSucceeded = await end;
      underWay = undefined;
      const isForgotten = !waiting.includes(held);
      waiting = waiting.filter((other) => other !== held);
      if (!hasSucceeded && !isForgotten && performance.now() < held.until) waiting = [...waiting, held];
      else if (!isForgotten) held.about?.onOver?.();
      if (!hasSucceeded) return;
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
    hold: (work, about) => {
      if (waiting.length >= MOST_WAITING) return false;
      waiting = [...waiting, { work, until: performance.now() + HELD_FOR_MS, about }];
      arm();
      return true;
    },
    forget: async (person) => {
      const isAbout = ({ about }: Waiting) => about?.person === person;
      const dropped = waiting.filter(isAbout);
      waiting = waiting.filter((held) => !isAbout(held));
      for (const { about } of dropped) about?.onOver?.();
      if (underWay !== undefined && isAbout(underWay.held)) await underWay.end;
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
