/** Work is tried again for as long as its failure may pass. */
import { expect, it, vi } from 'vitest';
import { eventually, patiently } from '../src/patience.ts';

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
