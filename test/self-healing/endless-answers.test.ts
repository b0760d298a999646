/** An answer that never ends holds no call for ever, be it that it drips or that it gushes. */
import { afterEach, expect, it, vi } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { readBytes } from '../../src/service/answer.ts';
import { pouring } from '../faults/breakages.ts';
import { SPEAK, underTest } from '../service/service-under-test.ts';

afterEach(() => {
  vi.useRealTimers();
});

it('a text that comes byte by byte, each in time, is given up, and told as in doubt', async () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  let sent = 0;
  const bytes = (async function* () {
    for (;;) {
      vi.advanceTimersByTime(10_000);
      sent += 1;
      yield Buffer.from(' ');
    }
  })();
  const error = await readBytes({ bytes }).catch((thrown: unknown) => thrown);
  expect(isFailure(error, 'in-doubt')).toBe(true);
  expect(sent).toBeLessThan(10);
});

it('speech that never ends is hung up on, and not asked for again', async () => {
  let hasHungUp = false;
  const { service, meter, outcomes } = await underTest({
    [SPEAK]: [
      async (response) => {
        await pouring(Number.POSITIVE_INFINITY, '', 3)({ response });
        hasHungUp = response.destroyed;
      },
    ],
  });
  const speech = await service.speak({ text: 'བོད།', variety: 'amdo' }, { meter });
  const read = async () => {
    let bytes = 0;
    for await (const chunk of speech) bytes += chunk.length;
    return bytes;
  };
  const error = await read().catch((thrown: unknown) => thrown);
  expect(isFailure(error, 'malformed')).toBe(true);
  expect(outcomes()).toEqual(['charged']);
  await expect.poll(() => hasHungUp).toBe(true);
});
