/** Many who write on one SQLite connection. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openSqlite, type SqliteDatabase } from '../../src/store/sqlite/sqlite.ts';

let folder: string;
let database: SqliteDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotsawa-turns-'));
  database = await openSqlite(join(folder, 'lotsawa.db'));
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const pause = (reason: string) => ({ reason, until: 1 });

async function reasons(): Promise<string[]> {
  const rows = await database.sql.selectFrom('pauses').select('reason').orderBy('reason').execute();
  return rows.map(({ reason }) => reason);
}

it('a write waits until the transaction before it is over, so that it is not undone with it', async () => {
  const undone = database.sql.transaction().execute(async (transaction) => {
    await transaction.insertInto('pauses').values(pause('undone')).execute();
    await nextTurn();
    throw new Error('no');
  });
  const kept = database.sql.insertInto('pauses').values(pause('kept')).execute();
  await expect(undone).rejects.toThrow('no');
  await kept;
  expect(await reasons()).toEqual(['kept']);
});

it('a session is not written into a transaction of others, which would undo it if it fails', async () => {
  const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
  const undone = database.sql.transaction().execute(async (transaction) => {
    await transaction.insertInto('pauses').values(pause('undone')).execute();
    await mayFail;
    throw new Error('no');
  });
  await nextTurn();
  const kept = database.sessions.set('1', { dialect: 'amdo' });
  await nextTurn();
  fail();
  await expect(undone).rejects.toThrow('no');
  await kept;
  const { rows } = await sql`select session from "telegraf-sessions"`.execute(database.sql);
  expect(rows).toEqual([{ session: '{"dialect":"amdo"}' }]);
});

it('many writes at once all arrive, each once', async () => {
  const names = Array.from({ length: 200 }, (_, index) => String(1000 + index));
  await Promise.all(names.map((name) => database.sql.insertInto('pauses').values(pause(name)).execute()));
  expect(await reasons()).toEqual(names);
});

it('a disk without room is told as what it is, and written again once there is some', async () => {
  // As large as it is, and no larger; it is not ours to fill a disk.
  await sql`pragma max_page_count = 1`.execute(database.sql);
  const large = 'a long name '.repeat(100_000);
  const insert = (reason: string) =>
    database.sql
      .transaction()
      .execute((transaction) => transaction.insertInto('pauses').values(pause(reason)).execute());
  await expect(insert(large)).rejects.toMatchObject({ kind: 'database', cause: { code: 'SQLITE_FULL' } });
  await sql`pragma max_page_count = 1000000`.execute(database.sql);
  await insert('small');
  expect(await reasons()).toEqual(['small']);
});

it('a statement that failed hinders none after it', async () => {
  const insert = () => database.sql.insertInto('pauses').values(pause('one')).execute();
  await insert();
  await expect(insert()).rejects.toThrow();
  await database.sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('pauses').execute();
  });
  await insert();
  expect(await reasons()).toEqual(['one']);
});

it('many writes at once let others have their turn in between', async () => {
  let written = 0;
  const all = Array.from({ length: 2000 }, async (_, index) => {
    await database.sql
      .insertInto('pauses')
      .values(pause(String(index)))
      .execute();
    written += 1;
  });
  await nextTurn();
  expect(written).toBeLessThan(2000);
  await Promise.all(all);
  expect(written).toBe(2000);
});
