/** Backs up the SQLite database while the bot runs, and restores it while the bot does not. */
import {
  accessSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { codeOf } from '../../errors.ts';
import { schemaState } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { createNewPrivateFile, createPrivateFolder, makePrivate, withoutLinks } from './sqlite-files.ts';

/** Nothing was changed; the message tells the operator why, and what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const BUSY_TIMEOUT_MS = 5000;

/**
 * Writes a consistent copy of the database at `path` to the new file `target` while others write, and checks it. Throws `BackupRefused` if
 * there is nothing to copy or `target` exists, and errors of SQLite and the disk.
 */
export function backUp(path: string, target: string): void {
  if (!existsSync(path)) throw new BackupRefused(`there is no database at ${path}: check DATABASE_URL`);
  throwIfClosed(path);
  createNew(target);
  try {
    copyInto(path, target);
    if (!isSound(target)) throw new BackupRefused('the copy is damaged: check the disk, then try again');
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** Throws the system's error if this user cannot read and write a file; SQLite's own error has no code. */
function throwIfClosed(path: string): void {
  accessSync(path, constants.R_OK | constants.W_OK);
}

function copyInto(path: string, target: string): void {
  const database = new Sqlite(path);
  try {
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.prepare('vacuum into ?').run(target);
  } finally {
    database.close();
  }
}

function createNew(target: string): void {
  try {
    createNewPrivateFile(target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new BackupRefused(`${target} already exists: name another file`);
  }
}

/** Whether a file is an undamaged SQLite database. */
function isSound(file: string): boolean {
  const database = new Sqlite(file);
  try {
    return isDeepStrictEqual(database.prepare('pragma integrity_check').all(), [{ integrity_check: 'ok' }]);
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** A time as part of a file's name that sorts by time: `20260131-235959`, UTC. */
export function stamp(ms: number): string {
  const [date = '', time = ''] = new Date(ms).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}

interface RestoreOptions {
  /** Whether an existing database may be put aside. */
  readonly replace: boolean;
  /** For the name of the file put aside; ms since the epoch. */
  readonly now: number;
}

/**
 * Replaces the database called `name` with a copy of `backup`, following symbolic links. Returns the name under which the former database
 * is kept. Throws `BackupRefused` if a bot is using it, if it may not be replaced, or if the file is damaged, no backup, or from a newer
 * release.
 */
export async function restore(
  backup: string,
  name: string,
  { replace, now }: RestoreOptions,
): Promise<string | undefined> {
  const path = withoutLinks(name);
  if (!existsSync(backup)) throw new BackupRefused(`there is no file ${backup}`);
  const isThere = existsSync(path);
  if (isThere && !replace) {
    throw new BackupRefused(
      `there is a database at ${path}: npm run restore FILE -- --force replaces it, and keeps a copy`,
    );
  }
  if (isThere) {
    throwIfClosed(path);
    refuseWhileInUse(path);
  }
  createPrivateFolder(dirname(path));
  const copy = `${path}.restoring`;
  try {
    copyFileSync(backup, copy);
    makePrivate(copy);
    await refuseUnusable(copy);
    flush(copy);
    const aside = isThere ? `${path}.replaced-${stamp(now)}` : undefined;
    if (aside !== undefined) renameSync(path, aside);
    for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true });
    renameSync(copy, path);
    return aside;
  } finally {
    for (const rest of ['', '-wal', '-shm']) rmSync(`${copy}${rest}`, { force: true });
  }
}

/** Leaving WAL mode works only if no other process has the file open; it also moves the WAL into the file. */
function refuseWhileInUse(path: string): void {
  const database = new Sqlite(path);
  try {
    database.pragma('journal_mode = DELETE');
  } catch (error) {
    // A damaged database may be replaced.
    if (!codeOf(error)?.startsWith('SQLITE_BUSY')) return;
    throw new BackupRefused(`${path} is in use: stop the bot first`);
  } finally {
    database.close();
  }
}

async function refuseUnusable(copy: string): Promise<void> {
  if (!isSound(copy)) throw new BackupRefused('that file is damaged, or not an SQLite database');
  const kysely = new Kysely<Schema>({ dialect: new SqliteDialect({ database: new Sqlite(copy) }) });
  const state = await schemaState(kysely, 'sqlite').finally(() => kysely.destroy());
  if (state === 'empty' || state === 'foreign')
    throw new BackupRefused('that file is not a backup of this bot');
  if (state === 'newer') {
    throw new BackupRefused('that backup is from a newer release of the bot: install that release first');
  }
}

function flush(file: string): void {
  const descriptor = openSync(file, 'r+');
  fsyncSync(descriptor);
  closeSync(descriptor);
}
