/** Work that is asked for again and again. */
import { expect, it } from 'vitest';
import { Repeater } from '../../src/queue/repeater.ts';

/** A repeater whose runs a test ends one by one. */
function underTest() {
  const runs: PromiseWithResolvers<void>[] = [];
  const repeater = new Repeater(() => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  return { ask: repeater.ask, settled: () => repeater.settled(), runs };
}

it('is done once more after the run in which it was asked for, however often', async () => {
  const { ask, settled, runs } = underTest();
  ask();
  ask();
  ask();
  expect(runs).toHaveLength(1);
  runs[0]?.resolve();
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await settled();
  expect(runs).toHaveLength(2);
});

it('is done when it is asked for at the very end of a run', async () => {
  const { ask, settled, runs } = underTest();
  ask();
  const end = runs[0]?.promise.then(async () => {
    await Promise.resolve();
    ask();
  });
  runs[0]?.resolve();
  await end;
  await expect.poll(() => runs.length).toBe(2);
  runs[1]?.resolve();
  await settled();
});

it('is settled from the beginning, and again after each run', async () => {
  const { ask, settled, runs } = underTest();
  await settled();
  ask();
  runs[0]?.resolve();
  await settled();
  ask();
  expect(runs).toHaveLength(2);
});
