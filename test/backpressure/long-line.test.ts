/** A long line of updates takes little memory, and keeps its order. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { aGate, anUpdate, doing, openQueue } from '../queue/open-queue.ts';
import { openStore, type TestStore } from '../store/open-store.ts';

const LINE = 5000;
/** The size of one update in bytes; all of them would take 100 MB. */
const BODY = 20_000;

/** The heap in use after a collection, in bytes. */
function heapInUse(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

let store: TestStore;
beforeEach(async () => {
  store = await openStore();
});
afterEach(() => store.close());

it('who waits far behind waits on disk: memory holds the place in line, and the order stays', async () => {
  const { queue } = await openQueue(store.database);
  const gate = aGate();
  const handled: number[] = [];
  await queue.start(
    doing(async ({ bodies }) => {
      await gate.passed;
      handled.push(Number(Reflect.get(Object(bodies[0]), 'number')));
    }),
  );
  const before = heapInUse();
  for (let first = 0; first < LINE; first += 100) {
    const numbers = Array.from({ length: 100 }, (_, index) => first + index);
    await queue.push(
      numbers.map((number) =>
        anUpdate(`lane ${number % 3}`, { number, text: String(number).repeat(BODY / 8) }),
      ),
    );
  }
  expect(await queue.requests.depth()).toBe(LINE);
  expect(heapInUse() - before).toBeLessThan((LINE * BODY) / 2);
  gate.open();
  await expect.poll(() => handled.length).toBe(LINE);
  for (const lane of [0, 1, 2]) {
    const ofLane = handled.filter((number) => number % 3 === lane);
    expect(ofLane).toEqual(ofLane.toSorted((one, other) => one - other));
  }
  await queue.stop(0);
});
