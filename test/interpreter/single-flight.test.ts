/** Single-flight: identical purchases at the same moment are made once. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Failure, isFailure } from '../../src/errors.ts';
import { Account } from '../../src/interpreter/account.ts';
import { Claims } from '../../src/store/money/claims.ts';
import { Ledger } from '../../src/store/money/ledger.ts';
import { Pauses } from '../../src/store/money/pauses.ts';
import { NO_LIMITS } from '../../src/store/money/scopes.ts';
import { createSecondProvider } from '../second-provider/provider.ts';
import { openStore, type TestStore } from '../store/open-store.ts';

let store: TestStore;
let account: Account;
beforeEach(async () => {
  store = await openStore();
  const { database } = store;
  account = new Account({
    provider: createSecondProvider(),
    ledger: new Ledger(database, { limits: NO_LIMITS, adminIds: [] }),
    claims: new Claims(database),
    pauses: new Pauses(database),
    log: pino({ level: 'silent' }),
    onAlert: () => {},
  });
});
afterEach(() => store.close());

const never = new AbortController().signal;

/** Pays for the same as all others, of which nothing is kept. */
function pay<T>(signal: AbortSignal, buy: (signal: AbortSignal) => Promise<T>): Promise<T> {
  const purchase = {
    kind: 'translation',
    key: 'key',
    recall: async () => undefined,
    buy,
    keep: async () => {},
  } as const;
  return account.payOnce<T>(purchase, { asker: { person: '1', group: undefined }, signal });
}

it('fifty who ask at once get one result of one purchase', async () => {
  let bought = 0;
  const results = await Promise.all(
    Array.from({ length: 50 }, () =>
      pay(never, async () => {
        bought += 1;
        return bought;
      }),
    ),
  );
  expect(results).toEqual(Array(50).fill(1));
});

it('who gives up does not take the purchase from the others', async () => {
  const finish = Promise.withResolvers<string>();
  const impatient = new AbortController();
  const first = pay(impatient.signal, (signal) => {
    signal.addEventListener('abort', () => finish.reject(new Error('the purchase was aborted')));
    return finish.promise;
  });
  const second = pay(never, () => Promise.reject(new Error('made twice')));
  impatient.abort();
  await expect(first).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
  finish.resolve('done');
  expect(await second).toBe('done');
});

it('when all have given up the purchase is told, and what it gives all the same is for the next who asks', async () => {
  const begun = Promise.withResolvers<void>();
  const finish = Promise.withResolvers<string>();
  const impatient = new AbortController();
  let aborted = false;
  const asked = pay(impatient.signal, (signal) => {
    signal.addEventListener('abort', () => {
      aborted = true;
    });
    begun.resolve();
    return finish.promise;
  });
  await begun.promise;
  impatient.abort();
  await expect(asked).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
  expect(aborted).toBe(true);
  const next = pay(never, async () => 'anew');
  finish.resolve('paid for');
  expect(await next).toBe('paid for');
  await account.settled();
  expect(await pay(never, async () => 'anew')).toBe('anew');
});

it('a failure reaches all who wait, and is not kept', async () => {
  const fails = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([pay(never, fails), pay(never, fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await pay(never, async () => 1)).toBe(1);
});

it("another asker's limit is not one's own", async () => {
  const refused = Promise.withResolvers<void>();
  const first = pay(never, async () => {
    await refused.promise;
    throw new Failure('limit-person', 'no calls left');
  });
  const second = pay(never, async () => 'on my own account');
  refused.resolve();
  await expect(first).rejects.toSatisfy((error) => isFailure(error, 'limit-person'));
  expect(await second).toBe('on my own account');
});
