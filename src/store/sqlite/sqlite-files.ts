/**
 * SQLite's files. They hold what people wrote, so only the bot's user may read them; SQLite gives the files that it creates beside a
 * database the same mode. One process at a time works on a database: two would do, and pay for, everything twice.
 */

import { closeSync, existsSync, mkdirSync, openSync, readFileSync, realpathSync, statSync } from 'node:fs';
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
 * aborts. `onWaiting` is called once if there is one, with its id. The lock is the operating system's, on a file beside the database, so it ends with
 * its process. PostgreSQL needs none: there processes know of one another. Throws if the lock cannot be taken.
 */
export async function ownDatabase(
  config: DatabaseConfig,
  signal: AbortSignal,
  onWaiting: (pid: number | undefined) => void,
): Promise<Release | undefined> {
  if (config.engine !== 'sqlite') return () => {};
  const lockFile = createdFile(lockFileOf(createdFile(config.path)));
  const release = tryLock(lockFile);
  if (release !== undefined) return release;
  onWaiting(holderOf(lockFile));
  return eventually(() => tryLock(lockFile), LOOK_AGAIN_MS, signal);
}

/** The process that works on the database of this path, by its id; undefined if there is none, and as `holderOf`. */
export function ownerOf(path: string): number | undefined {
  return holderOf(lockFileOf(path));
}

function lockFileOf(path: string): string {
  return `${path}-owner`;
}

/** Undefined where the system does not tell: one of another container, or another system than Linux. */
function holderOf(lockFile: string): number | undefined {
  try {
    // SQLite locks bytes from 2³⁰ on: `1: POSIX  ADVISORY  WRITE 4711 fe:00:2195453 1073741824 1073742335`.
    const lock = new RegExp(`WRITE (\\d+) [\\da-f:]+:${statSync(lockFile).ino} 10737418\\d\\d `);
    const pid = lock.exec(readFileSync('/proc/locks', 'utf8'))?.[1];
    return pid === undefined ? undefined : Number(pid);
  } catch {
    return undefined;
  }
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
