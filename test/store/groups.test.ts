/** What is kept of a group, and how it moves when the group becomes a supergroup. */

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { Requests } from '../../src/queue/requests.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { Accounting } from '../../src/store/money/accounting.ts';
import { Ledger } from '../../src/store/money/ledger.ts';
import { NO_LIMITS } from '../../src/store/money/scopes.ts';
import { ownScope } from '../../src/store/money/spending.ts';
import { utcDay } from '../../src/store/money/utc-day.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

const LIMITS = { ...NO_LIMITS, callsPerGroup: 10 };

const NONE = { calls: 0, cost: 0 };
const TWO = { calls: 2, cost: 80 };

onEachEngine((openStore) => {
  let store: TestStore;
  let groups: Groups;
  beforeEach(async () => {
    store = await openStore();
    groups = new Groups(store.database);
  });
  afterEach(() => store.close());

  const spend = async (group: string, calls: number): Promise<void> => {
    const ledger = new Ledger(store.database, { limits: LIMITS, adminIds: [] });
    for (let call = 0; call < calls; call += 1) {
      const settle = await ledger.begin(
        { person: '7', group },
        { kind: 'translation', characters: 1, cost: 40 },
      );
      await settle('charged');
    }
  };
  const accounting = () => new Accounting(store.database, { limits: LIMITS, adminIds: [] });
  const usageOf = (group: string) => accounting().usageOf('group', group);
  const limitOf = async (group: string) => (await accounting().leftOfGroup(group)).limit;

  it('a group that nothing was decided for is not listened to', async () => {
    expect(await groups.settings('-1')).toEqual({ listens: false, joinedAt: undefined, isUpgraded: false });
  });

  it('what is decided one by one is kept together', async () => {
    await groups.join('-1', 5000);
    await groups.setListening('-1', true);
    await groups.setLimit('-1', 4);
    expect(await groups.settings('-1')).toEqual({ listens: true, joinedAt: 5000, isUpgraded: false });
    expect(await limitOf('-1')).toBe(4);
  });

  it('an upgrade moves settings, spending and the session, once', async () => {
    await groups.setListening('-1', true);
    await groups.setLimit('-1', 4);
    await spend('-1', 2);
    await store.database.sessions.set('-1', { dialect: 'amdo' });
    for (const _ of ['told in the group', 'told in the supergroup']) await groups.upgrade('-1', '-100');
    expect(await groups.settings('-100')).toMatchObject({ listens: true, isUpgraded: true });
    expect(await usageOf('-100')).toMatchObject({ today: TWO, month: TWO });
    expect(await limitOf('-100')).toBe(4);
    expect(await usageOf('-1')).toMatchObject({ today: NONE, month: NONE });
    expect(await limitOf('-1')).toBe(10);
    expect(await store.database.sessions.get('-100')).toEqual({ dialect: 'amdo' });
    expect(await store.database.sessions.get('-1')).toBeUndefined();
  });

  it('what was spent and decided in the supergroup before the upgrade was told stays', async () => {
    await groups.setLimit('-1', 4);
    await spend('-1', 1);
    await groups.setLimit('-100', 8);
    await spend('-100', 2);
    await groups.upgrade('-1', '-100');
    expect(await usageOf('-100')).toMatchObject({ today: { calls: 3, cost: 120 } });
    expect(await limitOf('-100')).toBe(8);
  });

  it('a group that the bot has left is forgotten, and what it spent today is not given back', async () => {
    await groups.join('-1', 5000);
    await groups.setLimit('-1', 4);
    await spend('-1', 3);
    const requests = new Requests(store.database);
    await store.database.sql
      .insertInto('requests')
      .values({ update_id: 1, lane: '7', chat: -1, message: 55, state: 'done', sent: '[{"id":56}]', at: 0 })
      .execute();
    expect(await requests.isAnswered(-1, 55)).toBe(true);
    await groups.leave('-1');
    expect(await groups.settings('-1')).toEqual({ listens: false, joinedAt: undefined, isUpgraded: false });
    expect(await requests.isAnswered(-1, 55)).toBe(false);
    expect(await usageOf('-1')).toMatchObject({ today: { calls: 3, cost: 120 } });
    expect(await limitOf('-1')).toBe(10);
    const named = await store.database.sql
      .selectFrom('ledger')
      .selectAll()
      .where('chat_group', '=', '-1')
      .execute();
    expect(named).toEqual([]);
  });

  /** Every column of every table, the library's of the sessions included; on PostgreSQL those of the bot's schema. */
  const columns = async (): Promise<{ table: string; column: string; isText: boolean; isKey: boolean }[]> => {
    const tables = await store.database.sql.introspection.getTables();
    return tables
      .filter(({ name, schema }) => !/^kysely_|^sqlite_/.test(name) && (schema ?? 'public') === 'public')
      .flatMap(({ name, columns }) =>
        columns.map(({ name: column, dataType, isAutoIncrementing }) => ({
          table: name,
          column,
          isText: /char|text/i.test(dataType),
          isKey: isAutoIncrementing,
        })),
      );
  };
  /** What may name somebody: the names that columns of this kind have. */
  const NAMES_SOMEBODY = /^(?:person|chat|chat_group|lane|scope)$/;
  const scopeOf = (group: string) => ownScope('group', group, utcDay(store.now()));
  /** `table.column` of every place that holds this id, alone or in a scope of today. */
  const places = async (group: string): Promise<string[]> => {
    const scopes = [group, scopeOf(group)];
    const found = new Set<string>();
    for (const { table, column } of await columns()) {
      const { rows } = await sql<{ value: unknown }>`
        select ${sql.ref(column)} as value from ${sql.table(table)}`.execute(store.database.sql);
      if (rows.some(({ value }) => scopes.includes(String(value)))) found.add(`${table}.${column}`);
    }
    return [...found].sort();
  };
  /** A row in every table of ours that can name somebody, with this group wherever it can. */
  const fill = async (group: string): Promise<string[]> => {
    const all = await columns();
    const filled: string[] = [];
    for (const table of new Set(all.map((entry) => entry.table))) {
      const own = all.filter(
        (entry) => entry.table === table && !entry.isKey && entry.column !== 'upgraded_from',
      );
      const naming = own.filter(({ column }) => NAMES_SOMEBODY.test(column));
      if (naming.length === 0) continue;
      filled.push(...naming.map(({ column }) => `${table}.${column}`));
      const values = own.map(({ column, isText }) => {
        if (column === 'scope') return scopeOf(group);
        if (NAMES_SOMEBODY.test(column)) return isText ? group : Number(group);
        if (column === 'day') return utcDay(store.now());
        if (column === 'audio') return Buffer.from('x');
        return isText ? '[]' : 1;
      });
      await sql`insert into ${sql.table(table)} (${sql.join(own.map(({ column }) => sql.ref(column)))})
        values (${sql.join(values)})`.execute(store.database.sql);
    }
    return filled.sort();
  };

  it('an upgrade leaves the old id in no table, and forgetting the supergroup then leaves nothing of either', async () => {
    await store.database.sessions.set('-1', { dialect: 'amdo' });
    const filled = await fill('-1');
    expect(filled).toContain('results.person');
    expect(await places('-1')).toEqual(expect.arrayContaining(filled));
    await groups.upgrade('-1', '-100');
    expect(await places('-1')).toEqual(['groups.upgraded_from']);
    // Its old requests are gone.
    expect(await places('-100')).toEqual(
      expect.arrayContaining(filled.filter((place) => !place.startsWith('requests.'))),
    );
    await groups.leave('-100');
    // What was spent today still counts.
    expect(await places('-100')).toEqual(['spending.scope']);
    expect(await places('-1')).toEqual([]);
  });
});
