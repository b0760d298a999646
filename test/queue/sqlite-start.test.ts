/** A bot on SQLite gets updates before it has queued what an earlier process left. */
import { expect, it } from 'vitest';
import { openStore } from '../store/open-store.ts';
import { anUpdate, noting, openQueue } from './open-queue.ts';

it('what comes while the queue starts stands behind what was left, and is handled once', async () => {
  const { database, close } = await openStore();
  const before = (await openQueue(database)).queue;
  await before.push([1, 2, 3].map((number) => anUpdate('anna', number)));
  await before.stop(0);
  const { queue } = await openQueue(database);
  const handled: unknown[] = [];
  const pushed: Promise<unknown>[] = [];
  const push = (number: number) => pushed.push(queue.push([anUpdate('anna', number)]));
  push(4);
  const started = queue.start(noting(handled));
  push(5);
  await Promise.resolve();
  push(6);
  await started;
  push(7);
  await Promise.all(pushed);
  await expect.poll(() => queue.requests.depth()).toBe(0);
  expect(handled).toEqual([1, 2, 3, 4, 5, 6, 7]);
  await queue.stop(0);
  await close();
});
