/** A shortage of the machine's is waited out, and nothing else is. */
import { expect, it, vi } from 'vitest';
import { outlastShortage } from '../src/shortage.ts';

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
