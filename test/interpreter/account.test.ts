/** People who ask for the same at the same moment wait for one purchase. */
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Failure, isFailure } from '../../src/errors.ts';
import { Account } from '../../src/interpreter/account.ts';
import { Access } from '../../src/store/access/access.ts';
import { Results } from '../../src/store/kept/results.ts';
import { Ledger, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { Pauses } from '../../src/store/money/pauses.ts';
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
    access: new Access(database, { isOpen: true, adminIds: [] }),
    results: new Results(database, 1e9),
    pauses: new Pauses(database),
    log: pino({ level: 'silent' }),
    onAlert: () => {},
    onReuse: () => {},
  });
});
afterEach(() => store.close());

/** Pays for the same as all others. */
function pay(buy: () => Promise<string>): Promise<string> {
  const { signal } = new AbortController();
  const asker = { person: '1', group: undefined };
  return account.payOnce({ kind: 'translation', key: 'key', buy }, { asker, signal });
}

it('its failure reaches all of them, and is not kept', async () => {
  const fails = () => Promise.reject(new Error('no'));
  const both = await Promise.allSettled([pay(fails), pay(fails)]);
  expect(both.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  expect(await pay(async () => 'bought')).toBe('bought');
});

it("another asker's limit is not one's own", async () => {
  const refused = Promise.withResolvers<void>();
  const first = pay(async () => {
    await refused.promise;
    throw new Failure('limit-person', 'no calls left');
  });
  const second = pay(async () => 'on my own account');
  refused.resolve();
  await expect(first).rejects.toSatisfy((error) => isFailure(error, 'limit-person'));
  expect(await second).toBe('on my own account');
});
