/** The ledger's limits, under concurrency and over crashes. */
import fc from 'fast-check';
import { sql as statement } from 'kysely';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { type FailureKind, isFailure } from '../../src/errors.ts';
import type { Database } from '../../src/store/database.ts';
import { Ledger, type Limits, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { utcDay } from '../../src/store/money/spending.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const CALL = { kind: 'translation', characters: 10, cost: 40 } as const;
/** The same at the price of another day. */
const DEARER = { ...CALL, cost: 55 };
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

  const ledgerWith = (limits: Partial<Limits>): Ledger =>
    new Ledger(store.database, { limits: { ...NO_LIMITS, ...limits }, adminIds: [] });
  const callsToday = async (whose: 'person' | 'group', id: string): Promise<number> =>
    (await ledgerWith({}).usageOf(whose, id)).today.calls;

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

  it.each([
    ['a charged call counts', 'charged', 1],
    ['a call in doubt counts', 'in-doubt', 1],
    ['a call that a crash left unsettled counts', undefined, 1],
    ['a failed call does not count, and is there to be made again', 'failed', 0],
  ] as const)('%s, for the person and for the group', async (_, end, calls) => {
    const ledger = ledgerWith({ callsPerUser: 1 });
    const settle = await ledger.begin(IN_GROUP, CALL);
    if (end !== undefined) await settle(end);
    expect([await callsToday('person', '1'), await callsToday('group', '-5')]).toEqual([calls, calls]);
    expect(await outcome(ledger.begin(ALONE, CALL))).toBe(calls === 0 ? 'ok' : 'limit-person');
  });

  it('a limit reached leaves the counts of other scopes unchanged', async () => {
    const ledger = ledgerWith({ callsPerUser: 1 });
    await ledger.begin(IN_GROUP, CALL);
    expect(await outcome(ledger.begin(IN_GROUP, CALL))).toBe('limit-person');
    expect(await callsToday('group', '-5')).toBe(1);
  });

  it('no limit is passed whatever processes ask for or die', async () => {
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
      // What got lost with a connection is taken back a moment later.
      await vi.waitFor(async () => {
        const rows = await store.database.sql
          .selectFrom('ledger')
          .selectAll()
          .where('day', '=', utcDay(store.now()))
          .where('outcome', '!=', 'failed')
          .execute();
        const spent = rows.reduce((sum, { cost_fen }) => sum + cost_fen, 0);
        expect(await ledgerWith({}).costToday()).toBe(spent);
        expect(spent).toBeLessThanOrEqual(budget);
        for (const person of ['1', '2', '3']) {
          const { today } = await ledgerWith({}).usageOf('person', person);
          expect(today.calls).toBe(rows.filter((row) => row.person === person).length);
          expect(today.calls).toBeLessThanOrEqual(limits.callsPerUser);
        }
        expect((await ledgerWith({}).usageOf('group', '-5')).today.calls).toBeLessThanOrEqual(
          limits.callsPerGroup,
        );
        const other = { person: 'somebody else', group: undefined };
        const left = { ...CALL, cost: budget - spent };
        if (left.cost > 0) expect(await outcome(ledgers[0]?.begin(other, left))).toBe('ok');
        expect(await outcome(ledgers[0]?.begin(other, { ...CALL, cost: 1 }))).toBe('limit-bot');
      }, 60_000);
    });
    await fc.assert(property, { numRuns: 15 });
  });

  it('what was paid before the price changes stays what it cost then', async () => {
    const ledger = ledgerWith({});
    for (const call of [CALL, DEARER]) await (await ledger.begin(IN_GROUP, call))('charged');
    await (await ledger.begin(IN_GROUP, DEARER))('in-doubt');
    await (await ledger.begin(IN_GROUP, DEARER))('failed');
    const both = { calls: 3, cost: 150 };
    const usage = { today: both, month: both };
    expect(await ledger.usageOf('person', '1')).toEqual(usage);
    expect(await ledger.usageOf('group', '-5')).toEqual(usage);
    expect(await ledger.costToday()).toBe(150);
    expect((await ledger.days(1))[0]).toMatchObject({ calls: { translation: 3 }, cost: 150 });
  });

  it('the limit starts again with the next UTC day', async () => {
    const ledger = ledgerWith({ callsPerUser: 1 });
    store.setClock('2026-01-10T23:59:59.999Z');
    await ledger.begin(ALONE, CALL);
    expect(await outcome(ledger.begin(ALONE, CALL))).toBe('limit-person');
    store.setClock('2026-01-11T00:00:00.000Z');
    expect(await outcome(ledger.begin(ALONE, CALL))).toBe('ok');
  });
});
