/** Long work on the event loop, cut by time: how much is done in a ms differs from machine to machine, and with the work. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long others wait at most for their turn, in ms, where steps are short. */
const LONGEST_SLICE_MS = 3;

/**
 * Makes a function to be awaited between two steps of the work. It gives nothing, or, where this turn of the loop has been worked in for
 * long, the next one: meanwhile answers are read and timers heard.
 */
export function createFairTurns(): () => Promise<void> | undefined {
  let beganAt: number | undefined;
  const begin = (): void => {
    beganAt = performance.now();
    setImmediate(() => {
      beganAt = undefined;
    });
  };
  const goOn = async (): Promise<void> => {
    await nextTurn();
    begin();
  };
  return () => {
    if (beganAt === undefined) begin();
    else if (performance.now() - beganAt > LONGEST_SLICE_MS) return goOn();
    return undefined;
  };
}
