/** One SQLite connection for many who write: their turns, and the write-ahead log, which stays short and keeps nothing that was erased. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prune } from '../../src/store/erasure.ts';
import { openSqlite, type SqliteDatabase } from '../../src/store/sqlite/sqlite.ts';

let folder: string;
let path: string;
let database: SqliteDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotsawa-sqlite-'));
  path = join(folder, 'lotsawa.db');
  database = await openSqlite(path);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const insert = (reason: string, into: Pick<SqliteDatabase['sql'], 'insertInto'> = database.sql) =>
  into.insertInto('pauses').values({ reason, until: 1 }).execute();

async function reasons(): Promise<string[]> {
  const rows = await database.sql.selectFrom('pauses').select('reason').orderBy('reason').execute();
  return rows.map(({ reason }) => reason);
}

it('a write during an open transaction is not undone with it', async () => {
  const { promise: mayFail, resolve: fail } = Promise.withResolvers<void>();
  const undone = database.sql.transaction().execute(async (transaction) => {
    await insert('undone', transaction);
    await mayFail;
    throw new Error('no');
  });
  await nextTurn();
  const kept = [insert('kept'), database.sessions.set('1', { dialect: 'amdo' })];
  await nextTurn();
  fail();
  await expect(undone).rejects.toThrow('no');
  await Promise.all(kept);
  expect(await reasons()).toEqual(['kept']);
  const { rows } = await sql`select session from "telegraf-sessions"`.execute(database.sql);
  expect(rows).toEqual([{ session: '{"dialect":"amdo"}' }]);
});

it('a full disk is reported as such, and written to again', async () => {
  // As large as it is, and no larger; it is not ours to fill a disk.
  await sql`pragma max_page_count = 1`.execute(database.sql);
  const inTransaction = (reason: string) =>
    database.sql.transaction().execute((transaction) => insert(reason, transaction));
  const refused = inTransaction('a long name '.repeat(100_000));
  await expect(refused).rejects.toMatchObject({ kind: 'database', cause: { code: 'SQLITE_FULL' } });
  await sql`pragma max_page_count = 1000000`.execute(database.sql);
  await inTransaction('small');
  expect(await reasons()).toEqual(['small']);
});

it('a statement that failed hinders none after it', async () => {
  await insert('one');
  await expect(insert('one')).rejects.toThrow();
  await database.sql.transaction().execute(async (transaction) => {
    await transaction.deleteFrom('pauses').execute();
  });
  await insert('one');
  expect(await reasons()).toEqual(['one']);
});

/** Has another program lock the file, which lets go after the next turn of this event loop. */
async function lockedMeanwhile(work: () => Promise<unknown>): Promise<void> {
  const other = new Sqlite(path);
  other.exec('begin immediate');
  const done = work();
  await nextTurn();
  await nextTurn();
  other.exec('rollback');
  other.close();
  await done;
}

it.each<[string, () => Promise<unknown>]>([
  ['a write', () => insert('new')],
  ['a transaction', () => database.sql.transaction().execute((open) => insert('new', open))],
  ['a session', async () => database.sessions.set('1', {})],
])('%s waits for the lock of another program without blocking the event loop', async (_, write) => {
  await lockedMeanwhile(write);
  await insert('next');
  expect(await reasons()).toContain('next');
});

it('what waits for a lock leaves no statement unfinished', async () => {
  const other = new Sqlite(path);
  other.exec('begin immediate');
  await expect(insert('lost')).rejects.toMatchObject({ cause: { code: 'SQLITE_BUSY' } });
  // A lock that lasts holds up only those who met it first.
  await expect(insert('lost')).rejects.toMatchObject({ cause: { code: 'SQLITE_BUSY' } });
  other.exec('rollback');
  other.close();
  await insert('kept');
  await database.erased();
  expect(await reasons()).toEqual(['kept']);
});

it('many writes at once let others have their turn in between', async () => {
  let written = 0;
  const all = Array.from({ length: 2000 }, async (_, index) => {
    await insert(String(index));
    written += 1;
  });
  await nextTurn();
  expect(written).toBeLessThan(2000);
  await Promise.all(all);
  expect(await reasons()).toHaveLength(2000);
});

const MB = 1024 * 1024;
/** Without checkpoints beside the writing, SQLite's own would begin at 62 MB. */
const MAX_LOG_MB = 48;
const logMb = (): number => statSync(`${path}-wal`).size / MB;

it('the log stays short however much is written', async () => {
  let longest = 0;
  for (let number = 0; number < 3000; number += 1) {
    // A page or more, in a transaction of its own.
    await insert(`${number}`.padEnd(4096, '.'));
    await nextTurn();
    if (number % 250 !== 249) continue;
    // Waits for the checkpoint that the writing has asked for, however busy the machine is.
    await database.keptUp(400);
    longest = Math.max(longest, logMb());
  }
  expect(longest).toBeLessThan(24);
  expect(await reasons()).toHaveLength(3000);
});

it('the log stays short however much is erased', async () => {
  const audio = Buffer.alloc(32_000, 1);
  for (let ten = 0; ten < 300; ten += 1) {
    const rows = Array.from({ length: 10 }, (_, one) => ({ key: `speech:${ten}${one}`, audio }));
    await database.sql
      .insertInto('results')
      .values(rows.map((row) => ({ ...row, person: '1', kept_at: 1 })))
      .execute();
  }
  await database.erased();
  const keys = () => database.sql.selectFrom('results').select('key').execute();
  let longest = 0;
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await nextTurn()) longest = Math.max(longest, logMb());
  })();
  expect(await keys()).toHaveLength(3000);
  await prune(database, 1);
  expect(await keys()).toEqual([]);
  isOver = true;
  await watching;
  expect(longest).toBeLessThan(MAX_LOG_MB);
});

/** Another process in the middle of a read, since locks hold between processes only; it reports what it sees, and goes on. */
async function startReader() {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { readOnly: true });
    const look = () => database.prepare('select reason from pauses').all().map((row) => row.reason);
    database.exec('begin');
    process.send(look());
    process.once('message', () => {
      const seen = look();
      database.exec('commit');
      process.send(seen);
      process.once('message', () => process.exit());
    });`;
  const child = spawn(process.execPath, ['-e', script, path], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await once(child, 'message');
  return {
    commit: async () => {
      child.send('commit');
      const [seen] = await once(child, 'message');
      return seen;
    },
    end: async () => {
      child.send('end');
      await once(child, 'exit');
    },
  };
}

it('deleted rows are gone at the next pruning despite readers', async () => {
  const words = 'of Dolma alone';
  const isThere = () => [path, `${path}-wal`].some((file) => readFileSync(file).includes(words));
  await insert(words);
  const reader = await startReader();
  await database.sql.deleteFrom('pauses').execute();
  await database.erased();
  expect(isThere()).toBe(true);
  expect(await reader.commit()).toEqual([words]);
  await prune(database, 1);
  expect(isThere()).toBe(false);
  await reader.end();
});

it('what a killed process has left in its log is gone at the next pruning', async () => {
  const words = 'of Tashi alone';
  const copy = join(folder, 'left.db');
  await insert(words);
  await database.sql.deleteFrom('pauses').execute();
  for (const rest of ['', '-wal']) copyFileSync(`${path}${rest}`, `${copy}${rest}`);
  expect(readFileSync(`${copy}-wal`).includes(words)).toBe(true);
  const next = await openSqlite(copy);
  await prune(next, 1);
  expect(readFileSync(`${copy}-wal`).includes(words)).toBe(false);
  await next.close();
});
