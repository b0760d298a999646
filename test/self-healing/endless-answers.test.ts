/** An answer that never ends holds no call for ever. */
import { expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { pouring } from '../faults/breakages.ts';
import { SPEAK, underTest } from '../service/service-under-test.ts';

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
  expect(isFailure(error, 'unavailable')).toBe(true);
  expect(outcomes()).toEqual(['charged']);
  await expect.poll(() => hasHungUp).toBe(true);
});
