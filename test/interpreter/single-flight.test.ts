/** Single-flight: identical requests at the same moment are made once. */
import { expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { createSingleFlight } from '../../src/interpreter/pay-once.ts';

const never = new AbortController().signal;

it('fifty who ask at once get one result of one work', async () => {
  const { share } = createSingleFlight();
  let works = 0;
  const shared = await Promise.all(
    Array.from({ length: 50 }, () =>
      share('key', never, async () => {
        works += 1;
        return works;
      }),
    ),
  );
  expect(works).toBe(1);
  expect(shared.map(({ value }) => value)).toEqual(Array(50).fill(1));
  expect(shared.filter(({ joined }) => joined)).toHaveLength(49);
});

it('who gives up does not take the work from the others', async () => {
  const { share } = createSingleFlight();
  const finish = Promise.withResolvers<string>();
  const impatient = new AbortController();
  const first = share('key', impatient.signal, (signal) => {
    signal.addEventListener('abort', () => finish.reject(new Error('the work was aborted')));
    return finish.promise;
  });
  const second = share('key', never, () => Promise.reject(new Error('made twice')));
  impatient.abort();
  await expect(first).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
  finish.resolve('done');
  expect(await second).toEqual({ value: 'done', joined: true });
});

it('when all have given up the work is told, and what it gives all the same is for the next who asks', async () => {
  const { share, settled } = createSingleFlight();
  const finish = Promise.withResolvers<string>();
  const impatient = new AbortController();
  let aborted = false;
  const asked = share('key', impatient.signal, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    return finish.promise;
  });
  impatient.abort();
  await expect(asked).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
  expect(aborted).toBe(true);
  const next = share('key', never, async () => 'anew');
  finish.resolve('paid for');
  expect(await next).toEqual({ value: 'paid for', joined: true });
  await settled();
  expect(await share('key', never, async () => 'anew')).toEqual({ value: 'anew', joined: false });
});

it('a failure reaches all who wait, and is not kept', async () => {
  const { share } = createSingleFlight();
  const fails = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([share('key', never, fails), share('key', never, fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect((await share('key', never, async () => 1)).value).toBe(1);
});
