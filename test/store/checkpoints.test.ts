/** The write-ahead log of SQLite while the bot writes on: it stays short, and nothing in it is lost. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { prune } from '../../src/store/erasure.ts';
import { openSqlite, type SqliteDatabase } from '../../src/store/sqlite/sqlite.ts';

let folder: string;
let path: string;
let database: SqliteDatabase;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'lotsawa-checkpoints-'));
  path = join(folder, 'lotsawa.db');
  database = await openSqlite(path);
});

afterEach(async () => {
  await database.close();
  rmSync(folder, { recursive: true, force: true });
});

const MB = 1024 * 1024;
/** Without checkpoints beside the writing, SQLite's own would begin at 62 MB. */
const MAX_LOG_MB = 48;
const logMb = (): number => statSync(`${path}-wal`).size / MB;

/** Each of a page or more, in a transaction of its own. */
async function write(count: number, first = 0): Promise<void> {
  for (let number = first; number < first + count; number++) {
    const reason = `${number}`.padEnd(4096, '.');
    await database.sql.insertInto('pauses').values({ reason, until: number }).execute();
    await nextTurn();
  }
}

async function count(): Promise<number> {
  const { rows } = await database.sql
    .selectFrom('pauses')
    .select((row) => row.fn.countAll<number>().as('rows'))
    .executeTakeFirstOrThrow();
  return rows;
}

it('the log stays short however much is written', async () => {
  let longest = 0;
  for (let round = 0; round < 12; round += 1) {
    await write(250, round * 250);
    // Waits for the checkpoint that the writing has asked for, however busy the machine is.
    await database.keptUp(400);
    longest = Math.max(longest, logMb());
  }
  expect(longest).toBeLessThan(24);
  expect(await count()).toBe(3000);
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

it('what was written meanwhile is there after a restart', async () => {
  await write(1000);
  await database.close();
  database = await openSqlite(path);
  expect(await count()).toBe(1000);
});

it('what was deleted stands in no file any more', async () => {
  await database.sql.insertInto('pauses').values({ reason: 'of Pema alone', until: 1 }).execute();
  await database.sql.deleteFrom('pauses').execute();
  const writing = write(300);
  await database.erased();
  await writing;
  await database.erased();
  expect(logMb()).toBe(0);
  expect(readFileSync(path).includes('of Pema alone')).toBe(false);
});

/** Another process in the middle of a read, since locks hold between processes only; it reports what it sees, and goes on. */
async function startReader() {
  const script = `
    const { DatabaseSync } = require('node:sqlite');
    const database = new DatabaseSync(process.argv[1], { readOnly: true });
    const look = () => process.send(database.prepare('select reason from pauses').all().map((row) => row.reason));
    database.exec('begin');
    look();
    process.once('message', () => {
      look();
      database.exec('commit');
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

it('what was deleted while somebody reads is gone at the next pruning, and nobody waits for them', async () => {
  const words = 'of Dolma alone';
  const isThere = () => [path, `${path}-wal`].some((file) => readFileSync(file).includes(words));
  await database.sql.insertInto('pauses').values({ reason: words, until: 1 }).execute();
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
  await database.sql.insertInto('pauses').values({ reason: words, until: 1 }).execute();
  await database.sql.deleteFrom('pauses').execute();
  for (const rest of ['', '-wal']) copyFileSync(`${path}${rest}`, `${copy}${rest}`);
  expect(readFileSync(`${copy}-wal`).includes(words)).toBe(true);
  const next = await openSqlite(copy);
  await prune(next, 1);
  expect(readFileSync(`${copy}-wal`).includes(words)).toBe(false);
  await next.close();
});
