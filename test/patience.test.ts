/** Work is tried again for as long as it may pass, and a shortage of the machine's is waited out. */
import { expect, it, vi } from 'vitest';
import { eventually, outlastShortage, patiently } from '../src/patience.ts';

const shortage = () => Object.assign(new Error('no file descriptor is left'), { code: 'EMFILE' });
const below = () => new Error('ffmpeg does not run', { cause: shortage() });
const missing = () => Object.assign(new Error('no such file'), { code: 'ENOENT' });

it.each([
  ['a shortage', shortage],
  ['a shortage below another error', below],
])('%s is waited out', async (_name, error) => {
  const onShortage = vi.fn();
  const work = vi
    .fn(async () => 'done')
    .mockRejectedValueOnce(error())
    .mockRejectedValueOnce(error());
  expect(await outlastShortage(work, { firstMs: 1, onShortage })).toBe('done');
  expect(onShortage).toHaveBeenCalledTimes(2);
});

it.each([
  ['another error', missing(), { firstMs: 1 }, 1],
  [
    'a shortage after which the work cannot be repeated',
    shortage(),
    { firstMs: 1, mayRepeat: () => false },
    1,
  ],
  ['a shortage that lasts', shortage(), { firstMs: 30, withinMs: 20 }, 2],
])('%s is thrown', async (_name, error, patience, tries) => {
  const work = vi.fn(() => Promise.reject(error));
  await expect(outlastShortage(work, patience)).rejects.toBe(error);
  expect(work).toHaveBeenCalledTimes(tries);
});

it('an abort ends the wait', async () => {
  const aborter = new AbortController();
  const work = vi.fn(async () => 'done').mockRejectedValueOnce(shortage());
  const patience = { firstMs: 60_000, signal: aborter.signal, onShortage: () => aborter.abort() };
  expect(await outlastShortage(work, patience)).toBe('done');
});

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
