/**
 * SQLite's files. They hold what people wrote, so only the bot's user may read them; SQLite gives the files that it creates beside a
 * database the same mode. One process at a time works on a database: two would do, and pay for, everything twice.
 */

import { closeSync, existsSync, mkdirSync, openSync, realpathSync } from 'node:fs';
import { dirname } from 'node:path';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import type { DatabaseConfig } from '../engine.ts';

export const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates a file and its folders for this user alone. Returns its path without symbolic links, the same for every name of a database. */
export function createdFile(path: string): string {
  createFolder(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
  return realpathSync(path);
}

/** Creates folders by itself: mkdir's `recursive` never ends where folders cannot be created although their parents exist, as in /proc. */
export function createFolder(path: string): void {
  if (existsSync(path)) return;
  createFolder(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

type Release = () => void;

const LOOK_AGAIN_MS = 200;

/**
 * Waits until no other process works on the database, such as one that finishes its work after being told to stop; undefined when `signal`
 * aborts. `onWaiting` is called once if there is one. The lock is the operating system's, on a file beside the database, so it ends with
 * its process. PostgreSQL needs none: there processes know of one another. Throws if the lock cannot be taken.
 */
export async function ownDatabase(
  config: DatabaseConfig,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<Release | undefined> {
  if (config.engine !== 'sqlite') return () => {};
  const lockFile = createdFile(`${createdFile(config.path)}-owner`);
  const release = tryLock(lockFile);
  if (release !== undefined) return release;
  onWaiting();
  return eventually(() => tryLock(lockFile), LOOK_AGAIN_MS, signal);
}

/** Undefined if another process holds the lock. */
function tryLock(path: string): Release | undefined {
  const file = new Sqlite(path);
  try {
    // With the mode exclusive, too, writing to the file does not release the lock.
    file.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    return () => file.close();
  } catch (error) {
    file.close();
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
