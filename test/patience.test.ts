/** Work is tried again for as long as its failure may pass. */
import { expect, it, vi } from 'vitest';
import { createYield, eventually, patiently } from '../src/patience.ts';

it('work is tried until it succeeds, or fails of what is not waited for', async () => {
  const tries: number[] = [];
  const work = (failures: number) => async (attempt: number) => {
    tries.push(attempt);
    if (attempt <= failures) throw new Error(`failure ${attempt}`);
    return 'done';
  };
  const twice = (_error: unknown, attempt: number) => (attempt <= 2 ? 1 : undefined);
  expect(await patiently(work(2), twice)).toBe('done');
  await expect(patiently(work(3), twice)).rejects.toThrow('failure 3');
  expect(tries).toEqual([1, 2, 3, 1, 2, 3]);
});

it('what comes by itself is looked for until it is there, or until the abort', async () => {
  let looks = 0;
  expect(await eventually(() => (++looks < 3 ? undefined : looks), 1)).toBe(3);
  const aborter = new AbortController();
  const never = vi.fn(() => aborter.abort());
  expect(await eventually(never, 60_000, aborter.signal)).toBeUndefined();
  expect(await eventually(never, 60_000, aborter.signal)).toBeUndefined();
  expect(never).toHaveBeenCalledTimes(1);
});

it('of many long works one goes on in each turn of the event loop', async () => {
  const order: string[] = [];
  let isOver = false;
  const turn = (): void => {
    order.push('turn');
    if (!isOver) setImmediate(turn);
  };
  setImmediate(turn);
  const work = async (name: string): Promise<void> => {
    const yieldToOthers = createYield();
    for (let step = 0; step < 3; step += 1) {
      // Longer than a slice.
      for (const until = performance.now() + 5; performance.now() < until; );
      await yieldToOthers();
      order.push(name);
    }
  };
  await Promise.all(['one', 'two', 'three'].map(work));
  isOver = true;
  const steps = order.slice(order.indexOf('turn')).join(' ').split('turn');
  expect(steps.map((names) => names.trim()).filter((names) => names !== '')).toEqual([
    ...['one', 'two', 'three'],
    ...['one', 'two', 'three'],
    ...['one', 'two', 'three'],
  ]);
});
