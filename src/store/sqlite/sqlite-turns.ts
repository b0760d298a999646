/** Who may use the bot's one SQLite connection: one after another, and never so long that nobody else is served. */
import { createFairTurns } from '../../fair-turns.ts';

/** Lets one in after another; the function given to each ends its turn, once. */
export type Turns = () => Promise<() => void>;

/**
 * One line before the connection, to be shared by all dialects on it. SQLite answers at once, so whoever goes from one statement to
 * the next never lets the event loop go: of many updates that come together, all would be worked at in one go.
 */
export function createTurns(): Turns {
  let last = Promise.resolve();
  const giveTurn = createFairTurns();
  return async () => {
    const before = last;
    const { promise, resolve } = Promise.withResolvers<void>();
    last = promise;
    await before;
    await giveTurn();
    return resolve;
  };
}
