/** Long work on the event loop, cut by time: how much is done in a ms differs from machine to machine, and with the work. */
import { setImmediate as nextTurn } from 'node:timers/promises';

/** How long others wait at most, in ms, where steps are short. */
const LONGEST_SLICE_MS = 4;

/** Makes a function to be awaited between two steps of the work: it gives others their turn when that is due. */
export function createTurns(): () => Promise<void> {
  let isDueAt = performance.now() + LONGEST_SLICE_MS;
  return async () => {
    if (performance.now() < isDueAt) return;
    await nextTurn();
    isDueAt = performance.now() + LONGEST_SLICE_MS;
  };
}
