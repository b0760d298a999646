/** What is kept of a group, and how it moves when the group becomes a supergroup. */

import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { subjectOf } from '../../src/store/access/admissions.ts';
import { Groups } from '../../src/store/kept/groups.ts';
import { Ledger, NO_LIMITS } from '../../src/store/money/ledger.ts';
import { ownScope, utcDay } from '../../src/store/money/spending.ts';
import { onEachEngine, type TestStore } from './open-store.ts';

onEachEngine((openStore) => {
  let store: TestStore;
  let groups: Groups;
  beforeEach(async () => {
    store = await openStore();
    groups = new Groups(store.database);
  });
  afterEach(() => store.close());

  it('what was spent and decided in the supergroup before the upgrade was told stays', async () => {
    const options = { limits: { ...NO_LIMITS, callsPerGroup: 10 }, adminIds: [] };
    const ledger = new Ledger(store.database, options);
    const call = { kind: 'translation', characters: 1, cost: 40 } as const;
    await groups.setLimit('-1', 4);
    await groups.setLimit('-100', 8);
    for (const group of ['-1', '-100', '-100'])
      await (await ledger.begin({ person: '7', group }, call))('charged');
    await groups.upgrade('-1', '-100');
    expect(await ledger.usageOf('group', '-100')).toMatchObject({ today: { calls: 3, cost: 120 } });
    expect((await ledger.leftOfGroup('-100')).limit).toBe(8);
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
        if (column === 'subject') return subjectOf(group);
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

  it('an upgrade leaves the old id nowhere, and forgetting neither', async () => {
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
