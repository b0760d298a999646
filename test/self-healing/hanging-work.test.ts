/** Work that hangs is given up: its sender hears of it, and its lane goes on. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { anUpdate, doing, openQueue, type TestQueue } from '../queue/open-queue.ts';
import { onEachEngine, type TestStore } from '../store/open-store.ts';

const forever = () => new Promise<never>(() => {});

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

  it('a handler that heeds nothing is left to itself, a dead letter at once, and what waits behind it is handled', async () => {
    const { queue, deadLetters } = opened;
    const handled: unknown[] = [];
    await queue.start(
      doing(async ({ bodies }) => {
        if (bodies[0] === 'hangs') await forever();
        handled.push(bodies[0]);
      }),
    );
    await queue.push(['hangs', 'next'].map((body) => anUpdate('anna', body)));
    await expect.poll(() => handled).toEqual(['next']);
    expect(deadLetters).toEqual([{ bodies: ['hangs'], reason: 'TookTooLong' }]);
    await expect.poll(() => queue.requests.depth()).toBe(0);
  });

  it('more of them than there are workers stop nobody', async () => {
    const { queue } = opened;
    const handled: unknown[] = [];
    await queue.start(
      doing(async ({ bodies }) => {
        if (bodies[0] === 'hangs') await forever();
        handled.push(bodies[0]);
      }),
    );
    await queue.push([1, 2, 3, 4].map((lane) => anUpdate(`hanging ${lane}`, 'hangs')));
    await queue.push([anUpdate('pema', 'well')]);
    await expect.poll(() => handled).toEqual(['well']);
  });

  it('a handler is told by its signal that its time is over', async () => {
    const { queue } = opened;
    let isTold = false;
    await queue.start(
      doing(async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        isTold = true;
      }),
    );
    await queue.push([anUpdate('anna', 'waits for its signal')]);
    await expect.poll(() => isTold).toBe(true);
  });
});
