/** Writes that found no database: kept in memory, and made good when it is back. */

export interface LateWrites {
  /**
   * Has `work` tried again until it succeeds, which calls nobody; false, and nothing done, where too much waits already. It may
   * be done more than once: a connection can be lost after a commit.
   */
  hold(work: () => Promise<unknown>): boolean;
}

const AGAIN_AFTER_MS = 1000;
/** A voice note has some tens of kB. */
const MOST_WAITING = 500;
/** What fails for so long does not fail for want of a database, in ms. */
const HELD_FOR_MS = 6 * 60 * 60 * 1000;

/** Nothing waits yet. What waits ends with the process; it does not keep it running. */
export function createLateWrites(): LateWrites {
  let waiting: { readonly work: () => Promise<unknown>; readonly until: number }[] = [];
  let isArmed = false;

  /** One after another; the first that fails ends the round, and goes to the end, lest it stand before the others for ever. */
  const makeGood = async (): Promise<void> => {
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
  };
}
