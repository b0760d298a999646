/** The ledger's limits, under concurrency and over crashes. */

import fc from 'fast-check';
import { sql as statement } from 'kysely';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type FailureKind, isFailure } from '../../src/errors.ts';
import type { Database } from '../../src/store/database.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { Accounting } from '../../src/store/money/accounting.ts';
import { Ledger } from '../../src/store/money/ledger.ts';
import { type Limits, NO_LIMITS } from '../../src/store/money/scopes.ts';
import { utcDay } from '../../src/store/money/utc-day.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const CALL = { kind: 'translation', characters: 10, cost: 40 } as const;
/** The same at the price of another day. */
const DEARER = { ...CALL, cost: 55 };
/** As `check` is asked. */
const DEARER_MORE = { calls: 1, cost: DEARER.cost };
const callsMore = (calls: number) => ({ calls, cost: calls * CALL.cost });
const ALONE = { person: '1', group: undefined };
const IN_GROUP = { person: '1', group: '-5' };
/** Calls that are made at once, each by one of three processes, and which of these dies over them. */
const WAVES = fc.array(
  fc.record({
    calls: fc.array(
      fc.record({
        process: fc.nat(2),
        person: fc.constantFrom('1', '2', '3'),
        group: fc.constantFrom(undefined, '-5'),
        cost: fc.constantFrom(1, 7, 40, 55),
        end: fc.constantFrom('charged', 'failed', 'none'),
      }),
      { maxLength: 12 },
    ),
    dies: fc.constantFrom(undefined, 1, 2),
  }),
  { maxLength: 3 },
);

onEachEngine((openStore) => {
  let store: TestStore;
  beforeEach(async () => {
    store = await openStore();
  });
  afterEach(() => store.close());

  const ledgerWith = (limits: Partial<Limits>, adminIds: number[] = []): Ledger =>
    new Ledger(store.database, { limits: { ...NO_LIMITS, ...limits }, adminIds });
  const callsToday = async ({ person, group }: { person?: string; group?: string }): Promise<number> => {
    const accounting = new Accounting(store.database, { limits: NO_LIMITS, adminIds: [] });
    const whose = person === undefined ? 'group' : 'person';
    return (await accounting.usageOf(whose, person ?? group ?? '')).today.calls;
  };

  /** Ends the connections by which a process works, as its death does. */
  async function cutOff(database: Database): Promise<void> {
    if (database.engine === 'sqlite') return;
    const name = `lotsawa ${database.session.process}`;
    await statement`select pg_terminate_backend(pid) from pg_stat_activity where application_name = ${name}`.execute(
      store.database.sql,
    );
  }

  async function outcome(call: Promise<unknown> | undefined): Promise<FailureKind | 'ok' | 'unforeseen'> {
    try {
      await call;
      return 'ok';
    } catch (error) {
      return isFailure(error) ? error.kind : 'unforeseen';
    }
  }

  const count = (outcomes: string[], wanted: string) => outcomes.filter((each) => each === wanted).length;

  describe('of 100 calls at once against 3 left, exactly 3 may be made', () => {
    it.each([
      ['a person', { callsPerUser: 3 }, ALONE, 'limit-person'],
      ['a group', { callsPerGroup: 3 }, IN_GROUP, 'limit-group'],
      ['the whole bot', { budgetYuan: 1.2 }, ALONE, 'limit-bot'],
    ] as const)('for %s', async (_who, limits, asker, refusal) => {
      const ledger = ledgerWith(limits);
      const outcomes = await Promise.all(
        Array.from({ length: 100 }, () => outcome(ledger.begin(asker, CALL))),
      );
      expect(count(outcomes, 'ok')).toBe(3);
      expect(count(outcomes, refusal)).toBe(97);
    });
  });

  describe('what counts as spent', () => {
    const spent = () => callsToday({ person: '1' });
    let ledger: Ledger;
    beforeEach(() => {
      ledger = ledgerWith({});
    });

    it('a charged call does', async () => {
      await (await ledger.begin(ALONE, CALL))('charged');
      expect(await spent()).toBe(1);
    });

    it('a call in doubt does', async () => {
      await (await ledger.begin(ALONE, CALL))('in-doubt');
      expect(await spent()).toBe(1);
    });

    it('a call that a crash left unsettled does', async () => {
      await ledger.begin(ALONE, CALL);
      expect(await spent()).toBe(1);
    });

    it('a failed call does not, and is there to be made again', async () => {
      const limited = ledgerWith({ callsPerUser: 1 });
      await (await limited.begin(ALONE, CALL))('failed');
      expect(await spent()).toBe(0);
      expect(await outcome(limited.begin(ALONE, CALL))).toBe('ok');
    });

    it('a call in a group counts for the person and for the group', async () => {
      await (await ledger.begin(IN_GROUP, CALL))('charged');
      expect(await callsToday({ person: '1' })).toBe(1);
      expect(await callsToday({ group: '-5' })).toBe(1);
    });
  });

  it('a limit that is reached in one place leaves the counts of the others as they were', async () => {
    const ledger = ledgerWith({ callsPerUser: 1 });
    await ledger.begin(IN_GROUP, CALL);
    expect(await outcome(ledger.begin(IN_GROUP, CALL))).toBe('limit-person');
    expect(await callsToday({ group: '-5' })).toBe(1);
  });

  it('admins are counted but not limited', async () => {
    const limits = { callsPerUser: 1, callsPerGroup: 1, budgetYuan: 0.4 };
    const ledger = ledgerWith(limits, [1]);
    const outcomes = await Promise.all(
      Array.from({ length: 5 }, () => outcome(ledger.begin(IN_GROUP, CALL))),
    );
    expect(count(outcomes, 'ok')).toBe(5);
    expect(await callsToday({ person: '1' })).toBe(5);
    // What they spent is gone from everybody's budget.
    expect(await outcome(ledger.begin({ person: '2', group: undefined }, CALL))).toBe('limit-bot');
  });

  it('the admins of a group lower its limit, and cannot raise it', async () => {
    const ledger = ledgerWith({ callsPerGroup: 2 });
    await new Groups(store.database).setLimit('-5', 1);
    expect(await outcome(ledger.check(IN_GROUP, callsMore(1)))).toBe('ok');
    expect(await outcome(ledger.check(IN_GROUP, callsMore(2)))).toBe('limit-group');
    await new Groups(store.database).setLimit('-5', 50);
    expect(await outcome(ledger.check(IN_GROUP, callsMore(3)))).toBe('limit-group');
  });

  it('a budget that is no whole number of calls is never overspent', async () => {
    const ledger = ledgerWith({ budgetYuan: 1 });
    const outcomes = await Promise.all(Array.from({ length: 5 }, () => outcome(ledger.begin(ALONE, CALL))));
    expect(count(outcomes, 'ok')).toBe(2);
  });

  it('a budget is kept to the fen', async () => {
    // 0.29 * 100 is less than 29.
    const ledger = ledgerWith({ budgetYuan: 0.29 });
    expect(await outcome(ledger.begin(ALONE, { ...CALL, cost: 29 }))).toBe('ok');
    expect(await outcome(ledger.begin(ALONE, { ...CALL, cost: 1 }))).toBe('limit-bot');
  });

  it('whatever processes ask for at once, whichever of them die: no limit is passed, and what is left can be spent to the fen', async () => {
    const limits = { callsPerUser: 5, callsPerGroup: 8 };
    const databases = [store.database, await store.another(), await store.another()];
    let days = 0;
    const property = fc.asyncProperty(WAVES, fc.integer({ min: 0, max: 1200 }), async (waves, budget) => {
      days += 1;
      store.setClock(new Date(Date.UTC(2026, 1, days, 12)).toISOString());
      const options = { limits: { ...limits, budgetYuan: budget / 100 }, adminIds: [] };
      const ledgers = databases.map((database) => new Ledger(database, options));
      for (const { calls, dies } of waves) {
        const ended = Promise.allSettled(
          calls.map(async ({ process, person, group, cost, end }) => {
            const settle = await ledgers[process]?.begin({ person, group }, { ...CALL, cost });
            if (end !== 'none') await settle?.(end);
          }),
        );
        const dead = dies === undefined ? undefined : databases[dies];
        if (dead !== undefined) await cutOff(dead);
        await ended;
      }
      const accounting = new Accounting(store.database, options);
      // What got lost with a connection is taken back a moment later.
      await vi.waitFor(async () => {
        const rows = await store.database.sql
          .selectFrom('ledger')
          .selectAll()
          .where('day', '=', utcDay(store.now()))
          .where('outcome', '!=', 'failed')
          .execute();
        const spent = rows.reduce((sum, { cost_fen }) => sum + cost_fen, 0);
        expect(await accounting.costToday()).toBe(spent);
        expect(spent).toBeLessThanOrEqual(budget);
        for (const person of ['1', '2', '3']) {
          const { today } = await accounting.usageOf('person', person);
          expect(today.calls).toBe(rows.filter((row) => row.person === person).length);
          expect(today.calls).toBeLessThanOrEqual(limits.callsPerUser);
        }
        expect((await accounting.usageOf('group', '-5')).today.calls).toBeLessThanOrEqual(
          limits.callsPerGroup,
        );
        const other = { person: 'somebody else', group: undefined };
        const left = { ...CALL, cost: budget - spent };
        if (left.cost > 0) expect(await outcome(ledgers[0]?.begin(other, left))).toBe('ok');
        expect(await outcome(ledgers[0]?.begin(other, { ...CALL, cost: 1 }))).toBe('limit-bot');
      }, 60_000);
    });
    await fc.assert(property, { numRuns: 15 });
  }, 120_000);

  describe('when the price changes', () => {
    const accounting = () => new Accounting(store.database, { limits: NO_LIMITS, adminIds: [] });

    it('what was paid and saved before stays what it cost then', async () => {
      const ledger = ledgerWith({});
      for (const call of [CALL, DEARER]) {
        await (await ledger.begin(IN_GROUP, call))('charged');
        await ledger.reuse(IN_GROUP, call);
      }
      await (await ledger.begin(IN_GROUP, DEARER))('in-doubt');
      await (await ledger.begin(IN_GROUP, DEARER))('failed');
      const both = { calls: 3, cost: 150 };
      const usage = { today: both, month: both, saved: { calls: 2, cost: 95 } };
      expect(await accounting().usageOf('person', '1')).toMatchObject(usage);
      expect(await accounting().usageOf('group', '-5')).toMatchObject(usage);
      expect(await accounting().costToday()).toBe(150);
      expect((await accounting().days(1))[0]).toMatchObject({
        calls: { translation: 3 },
        cost: 150,
        inDoubt: { calls: 1, cost: 55 },
      });
    });

    it('the budget counts each call at its own price, and a failed one is given back at it', async () => {
      const ledger = ledgerWith({ budgetYuan: 1 });
      const fail = await ledger.begin(ALONE, DEARER);
      await ledger.begin(ALONE, CALL);
      expect(await outcome(ledger.check(ALONE, DEARER_MORE))).toBe('limit-bot');
      expect(await outcome(ledger.begin(ALONE, CALL))).toBe('limit-bot');
      await fail('failed');
      expect(await outcome(ledger.check(ALONE, DEARER_MORE))).toBe('ok');
      expect(await outcome(ledger.begin(ALONE, DEARER))).toBe('ok');
      expect(await accounting().costToday()).toBe(95);
    });
  });

  describe('days', () => {
    it('the limit starts again with the next UTC day', async () => {
      const ledger = ledgerWith({ callsPerUser: 1 });
      store.setClock('2026-01-10T23:59:59.999Z');
      await ledger.begin(ALONE, CALL);
      expect(await outcome(ledger.begin(ALONE, CALL))).toBe('limit-person');
      store.setClock('2026-01-11T00:00:00.000Z');
      expect(await outcome(ledger.begin(ALONE, CALL))).toBe('ok');
    });
  });

  it('a ledger that cannot be written allows nothing', async () => {
    const ledger = ledgerWith({});
    await store.database.sql.schema.dropTable('ledger').execute();
    expect(await outcome(ledger.begin(ALONE, CALL))).toBe('database');
  });

  it('what a person writes into their session while a limit is refused is not lost with it', async () => {
    const ledger = ledgerWith({ callsPerUser: 1 });
    const attempts = Array.from({ length: 20 }, (_, number) =>
      Promise.all([
        outcome(ledger.begin(ALONE, CALL)),
        store.database.sessions.set(`s${number}`, { number }),
      ]),
    );
    await Promise.all(attempts);
    const kept = await Promise.all(attempts.map((_, number) => store.database.sessions.get(`s${number}`)));
    expect(kept).toEqual(attempts.map((_, number) => ({ number })));
  });
});
