/** A copy of the SQLite database, made while the bot runs. */
import { accessSync, constants, existsSync, rmSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../error-code.ts';
import { createNewForOwnerAlone } from './owners-file.ts';

/** It was not done; the message says why and what to do, for whoever runs the bot. */
export class BackupRefused extends Error {
  override readonly name = 'BackupRefused';
}

const BUSY_TIMEOUT_MS = 5000;

/**
 * Writes a consistent copy of the database at `path` to the new file `target`, whatever is being written meanwhile, and checks
 * it. Throws `BackupRefused` when there is nothing to copy or `target` is there already, and what SQLite and the disk throw.
 */
export function backUp(path: string, target: string): void {
  if (!existsSync(path)) throw new BackupRefused(`there is no database at ${path}: see DATABASE_URL`);
  throwIfClosed(path);
  createNew(target);
  try {
    copyInto(path, target);
    if (!isSound(target)) throw new BackupRefused('the copy is damaged: look after the disk, then try again');
  } catch (error) {
    rmSync(target, { force: true });
    throw error;
  }
}

/** Throws the system's error where this user may not read and write a file: SQLite's own, as it opens one, has no code. */
export function throwIfClosed(path: string): void {
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
    createNewForOwnerAlone(target);
  } catch (error) {
    if (codeOf(error) !== 'EEXIST') throw error;
    throw new BackupRefused(`${target} is there already, and is not overwritten: name another file`);
  }
}

/** Whether a file is a SQLite database without a fault. */
export function isSound(file: string): boolean {
  const database = new Sqlite(file);
  try {
    return isDeepStrictEqual(database.prepare('pragma integrity_check').all(), [{ integrity_check: 'ok' }]);
  } catch {
    return false;
  } finally {
    database.close();
  }
}

/** `20260131-235959`, UTC: a part of a file's name that sorts by time. */
export function stamp(ms: number): string {
  const [date = '', time = ''] = new Date(ms).toISOString().split(/[T.]/);
  return `${date.replaceAll('-', '')}-${time.replaceAll(':', '')}`;
}
