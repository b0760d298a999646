/** Holds writes that failed because the database was away, and repeats them until they succeed. */
import { setTimeout as delay } from 'node:timers/promises';

interface AboutSomebody {
  readonly person: string;
  /** Called when the write is over: it succeeded, failed for too long, or the person was forgotten. */
  readonly onOver?: () => void;
}

export interface LateWrites {
  /**
   * Repeats `work` in the background until it succeeds. False, and nothing happens, if too many writes wait already. `work` may run twice:
   * a connection can be lost after a commit. `about` names the person whose data it writes.
   */
  hold(work: () => Promise<unknown>, about?: AboutSomebody): boolean;
  /** Drops the writes about this person; resolves when none of them is running any more. */
  forget(person: string): Promise<void>;
  /** At the end of the process: repeats writes for at most `withinMs`; gives how many still wait. */
  finish(withinMs: number): Promise<number>;
}

const AGAIN_AFTER_MS = 1000;
/** The shorter wait at the end of the process. */
const AGAIN_SOON_MS = 100;
/** Bounds memory: a voice note has some tens of kB. */
const MOST_WAITING = 500;
/** How long a write is repeated, in ms. After that, something else than the database is wrong. */
const HELD_FOR_MS = 6 * 60 * 60 * 1000;

interface Waiting {
  readonly work: () => Promise<unknown>;
  readonly until: number;
  readonly about: AboutSomebody | undefined;
}

/** Creates an empty line of writes, which does not keep the process running. */
export function createLateWrites(): LateWrites {
  let waiting: Waiting[] = [];
  let isArmed = false;
  let round: Promise<void> | undefined;
  let underWay: { readonly held: Waiting; readonly end: Promise<boolean> } | undefined;

  /** Repeats one write after another. One that fails goes to the end of the line, and ends the round. */
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
