/** Backs up the SQLite database while the bot runs, and restores it while the bot does not. */
import {
  accessSync,
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { Kysely, SqliteDialect } from 'kysely';
import { codeOf } from '../../errors.ts';
import { describeDatabaseError, UnfitDatabase } from '../database-errors.ts';
import { schemaState } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { createFolder, FILE_MODE, ownerOf } from './sqlite-files.ts';

/** Nothing was changed; the message tells the operator why, and what to do. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const BUSY_TIMEOUT_MS = 5000;

/** Copies the database at `path` to the new file `target` while others write. Throws `BackupRefused`, and errors of SQLite and the disk. */
export function backUp(path: string, target: string): void {
  if (!existsSync(path)) throw new BackupRefused(`there is no database at ${path}: check DATABASE_URL`);
  if (existsSync(target)) throw new BackupRefused(`${target} already exists: name another file`);
  const database = openOwn(path);
  try {
    closeSync(openSync(target, 'wx', FILE_MODE));
    database.pragma(`busy_timeout = ${BUSY_TIMEOUT_MS}`);
    database.prepare('vacuum into ?').run(target);
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  } finally {
    database.close();
  }
}

/** Throws the system's error if this user cannot read and write the file; SQLite's own error has no code. */
function openOwn(path: string): Sqlite.Database {
  accessSync(path, constants.R_OK | constants.W_OK);
  return new Sqlite(path);
}

/** A time as part of a file's name that sorts by time: `20260131-235959`, UTC. */
export function stamp(ms: number): string {
  return new Date(ms).toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-');
}

/**
 * Replaces the database called `name` with a copy of `backup`, following symbolic links; one that exists only if `mayReplace`. Returns the
 * name under which the former database is kept. Throws `BackupRefused` if a bot is using it, if it may not be replaced, or if the file is
 * damaged, no backup, or from a newer release.
 */
export async function restore(
  backup: string,
  name: string,
  mayReplace: boolean,
): Promise<string | undefined> {
  if (!existsSync(backup)) throw new BackupRefused(`there is no file ${backup}`);
  const isThere = existsSync(name);
  const path = isThere ? realpathSync(name) : name;
  if (isThere && !mayReplace) {
    throw new BackupRefused(
      `there is a database at ${path}: npm run restore FILE -- --force replaces it, and keeps a copy`,
    );
  }
  if (isThere) refuseWhileInUse(path);
  createFolder(dirname(path));
  const copy = `${path}.restoring`;
  try {
    copyFileSync(backup, copy);
    chmodSync(copy, FILE_MODE);
    await refuseUnusable(copy);
    const aside = isThere ? `${path}.replaced-${stamp(Date.now())}` : undefined;
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
  const database = openOwn(path);
  try {
    database.pragma('journal_mode = DELETE');
  } catch (error) {
    // A damaged database may be replaced.
    if (!codeOf(error)?.startsWith('SQLITE_BUSY')) return;
    const pid = ownerOf(path);
    const by = pid === undefined ? '' : ` by process ${pid}`;
    throw new BackupRefused(`${path} is in use${by}: stop the bot first`);
  } finally {
    database.close();
  }
}

async function refuseUnusable(copy: string): Promise<void> {
  const database = new Sqlite(copy);
  const kysely = new Kysely<Schema>({ dialect: new SqliteDialect({ database }) });
  try {
    if (!isSound(database)) throw new BackupRefused('that file is damaged, or not an SQLite database');
    if ((await schemaState(kysely, 'sqlite')) === 'empty') throw new UnfitDatabase('foreign');
  } catch (error) {
    if (!(error instanceof UnfitDatabase)) throw error;
    if (error.kind === 'foreign') throw new BackupRefused('that file is not a backup of this bot');
    const { what } = describeDatabaseError(error, { engine: 'sqlite', path: copy });
    const remedy = error.kind === 'newer' ? ': install that release first' : '';
    throw new BackupRefused(`that backup ${what}${remedy}`);
  } finally {
    database.close();
  }
}

function isSound(database: Sqlite.Database): boolean {
  try {
    return isDeepStrictEqual(database.prepare('pragma integrity_check').all(), [{ integrity_check: 'ok' }]);
  } catch {
    return false;
  }
}
