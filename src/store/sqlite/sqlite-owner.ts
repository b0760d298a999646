/** Lets one process at a time work on a SQLite file: two would do, and pay for, everything twice. */
import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import type { DatabaseConfig } from '../engine.ts';
import { createPrivateFile, withoutLinks } from './sqlite-files.ts';

type Release = () => void;

const LOOK_AGAIN_MS = 200;

/**
 * Waits until no other process works on the database, such as one that finishes its work after being told to stop; undefined when `signal`
 * aborts. `onWaiting` is called once if there is one. The lock is the operating system's, on a file beside the database, so it ends with
 * its process. PostgreSQL needs none: there processes know of one another. Throws if the lock cannot be taken: without it two processes
 * would do, and pay for, everything twice.
 */
export async function ownDatabase(
  config: DatabaseConfig,
  signal: AbortSignal,
  onWaiting: () => void,
): Promise<Release | undefined> {
  if (config.engine !== 'sqlite' || isOtherThanFile(config.path)) return () => {};
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

/** A folder or a device cannot be a database; opening it reports that, and leaves no lock file beside it. */
function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
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
