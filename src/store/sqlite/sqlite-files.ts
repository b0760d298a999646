/**
 * SQLite's files. They hold what people wrote, so only the bot's user may read them; SQLite gives the files that it creates beside a
 * database the same mode. One process at a time works on a database: two would do, and pay for, everything twice.
 */

import {
  chmodSync,
  closeSync,
  existsSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import type { DatabaseConfig } from '../engine.ts';

/** The path without symbolic links, under which SQLite keeps its log: the same for every name of a database, which need not exist yet. */
export function withoutLinks(path: string): string {
  if (existsSync(path)) return realpathSync(path);
  const folder = dirname(path);
  if (lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink())
    return withoutLinks(resolve(folder, readlinkSync(path)));
  return existsSync(folder) ? join(realpathSync(folder), basename(path)) : path;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates the file and its folders if missing, readable by this user alone. */
export function createPrivateFile(path: string): void {
  createPrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** Creates a new file in an existing folder. Throws EEXIST if it exists. */
export function createNewPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Creates folders by itself: mkdir's `recursive` never ends where folders cannot be created although their parents exist, as in /proc. */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return;
  createPrivateFolder(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Makes a file readable by this user alone. */
export function makePrivate(path: string): void {
  chmodSync(path, FILE_MODE);
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
  // A folder or a device cannot be a database; opening it reports that, and leaves no lock file beside it.
  if (statSync(config.path, { throwIfNoEntry: false })?.isFile() === false) return () => {};
  const lockFile = `${withoutLinks(config.path)}-owner`;
  let isTold = false;
  const look = (): Release | undefined => {
    const release = tryLock(lockFile);
    if (release === undefined && !isTold) onWaiting();
    isTold = true;
    return release;
  };
  return eventually(look, LOOK_AGAIN_MS, signal);
}

/** Undefined if another process holds the lock. */
function tryLock(path: string): Release | undefined {
  let file: Sqlite.Database | undefined;
  try {
    createPrivateFile(path);
    file = new Sqlite(path);
    // With the mode exclusive, too, writing to the file does not release the lock.
    file.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    const locked = file;
    return () => locked.close();
  } catch (error) {
    file?.close();
    if (/^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? '')) return undefined;
    throw error;
  }
}
