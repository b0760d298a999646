/** Long work yields to the event loop, by time: how much fits into a slice differs from machine to machine, and with the work. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long other work waits at most, in ms, where steps are short. */
const LONGEST_SLICE_MS = 3;

/**
 * Makes a function that is awaited between two steps of the work. It gives undefined while this turn of the event loop is young, else a
 * promise that resolves in the next turn. Meanwhile answers are read and timers run.
 */
export function createYield(): () => Promise<void> | undefined {
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
