/** Work that hangs is given up: its sender hears of it, and its lane goes on. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anUpdate, doing, openQueue, type TestQueue } from '../queue/open-queue.ts';
import { onEachEngine, type TestStore } from '../store/open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let opened: TestQueue;
  beforeEach(async () => {
    store = await openStore();
    opened = await openQueue(store.database, { workers: 2, limitMs: 300 });
  });
  afterEach(async () => {
    await opened.queue.stop(0);
    await store.close();
  });

  it('a hung handler is given up as a dead letter', async () => {
    const { queue, deadLetters } = opened;
    const handled: unknown[] = [];
    let told = 0;
    await queue.start(
      doing(async ({ bodies, signal }) => {
        signal.addEventListener('abort', () => (told += 1), { once: true });
        if (bodies[0] === 'hangs') await new Promise(() => {});
        handled.push(bodies[0]);
      }),
    );
    // More of them than there are workers.
    const lanes = ['one', 'two', 'three', 'four'];
    await queue.requests.push(lanes.flatMap((lane) => ['hangs', lane].map((body) => anUpdate(lane, body))));
    await expect.poll(() => handled).toEqual(expect.arrayContaining(lanes));
    expect(told).toBe(lanes.length);
    await expect
      .poll(() => deadLetters)
      .toEqual(lanes.map(() => ({ bodies: ['hangs'], reason: 'TookTooLong' })));
    await expect.poll(() => queue.requests.depth()).toBe(0);
  });
});
