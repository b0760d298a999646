/** Who may use the bot's one SQLite connection: one after another, and never so long that nobody else is served. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** Lets one in after another; the function given to each ends its turn, once. */
export type Turns = () => Promise<() => void>;

/** One line before the connection, to be shared by all dialects on it. */
export function createTurns(): Turns {
  let last = Promise.resolve();
  const pause = createPauses();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    await pause();
    return resolve;
  };
}

/** How long statements may follow one another before the event loop gets on, in ms. */
const LONGEST_RUN_MS = 2;

/**
 * SQLite answers at once, so whoever goes from one statement to the next never lets the event loop go: of many updates that come
 * together, all would be worked at in one go while no answer is read and no timer heard. Gives what is to be awaited before a
 * statement: nothing, or the next turn of the loop where this one has taken long.
 */
function createPauses(): () => Promise<void> | undefined {
  let beganAt: number | undefined;
  const goOn = async (): Promise<void> => {
    await nextTurn();
    begin();
  };
  const begin = (): void => {
    beganAt = performance.now();
    setImmediate(() => {
      beganAt = undefined;
    });
  };
  return () => {
    if (beganAt === undefined) begin();
    else if (performance.now() - beganAt > LONGEST_RUN_MS) return goOn();
    return undefined;
  };
}
