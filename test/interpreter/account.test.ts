/** People who ask for the same at the same moment wait for one purchase. */
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Failure, isFailure } from '../../src/errors.ts';
import { Account } from '../../src/interpreter/account.ts';
import type { Payer } from '../../src/interpreter/request.ts';
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

describe('a purchase', () => {
  const NEVER = new AbortController().signal;
  const spentBy = async (person: string) => {
    const rows = await store.database.sql.selectFrom('ledger').select('person').execute();
    return rows.filter((row) => row.person === person).length;
  };
  /** Makes its call once `mayGo` resolves. */
  const metered = (mayGo: Promise<unknown>) => async (_: AbortSignal, payer: () => Payer) => {
    await mayGo;
    const settle = await account.meter(payer).begin({ kind: 'translation', characters: 1 });
    await settle('charged');
    return 'bought';
  };
  const payAs = (asker: Payer, buy: ReturnType<typeof metered>, signal = NEVER) =>
    account.payOnce({ kind: 'translation', key: 'key', buy }, { asker, signal });

  it('is paid by who still waits for it', async () => {
    const gate = Promise.withResolvers<void>();
    const aborter = new AbortController();
    const first = payAs({ person: 'first', group: undefined }, metered(gate.promise), aborter.signal);
    const second = payAs({ person: 'second', group: undefined }, metered(gate.promise));
    aborter.abort();
    await expect(first).rejects.toSatisfy((error) => isFailure(error, 'cancelled'));
    gate.resolve();
    expect(await second).toBe('bought');
    expect([await spentBy('first'), await spentBy('second')]).toEqual([0, 1]);
  });

  it('tells its request that it got further, but not one that finds the result', async () => {
    const told: string[] = [];
    const asker = (person: string): Payer => ({
      person,
      group: undefined,
      gotFurther: () => told.push(person),
    });
    await payAs(asker('buyer'), metered(Promise.resolve()));
    await payAs(asker('finder'), metered(Promise.resolve()));
    expect(told).toEqual(['buyer']);
  });

  it('asks once its request has made ten calls, though they begin side by side', async () => {
    let begun = 0;
    const gate = Promise.withResolvers<void>();
    // All of them go on in the same turn of the event loop.
    const mustStillAsk = () => {
      begun += 1;
      if (begun === 14) gate.resolve();
      return gate.promise;
    };
    const asker: Payer = { person: 'busy', group: undefined, consent: { calls: 0 }, mustStillAsk };
    const call = () => account.meter(() => asker).begin({ kind: 'translation', characters: 1 });
    const calls = await Promise.allSettled(Array.from({ length: 14 }, call));
    expect(calls.filter(({ status }) => status === 'fulfilled')).toHaveLength(10);
  });
});
