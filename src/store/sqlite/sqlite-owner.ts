/** Lets one process at a time work on a SQLite file: a second one would do, and pay for, everything again. */
import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import { UnfitDatabase } from '../database-errors.ts';
import type { DatabaseConfig } from '../engine.ts';
import { createPrivateFile, withoutLinks } from './sqlite-files.ts';

export interface Ownership {
  /** There was a database here before, so an empty one is not new. */
  readonly isRemembered: boolean;
  /** Notes for good that there is a database. */
  remember(): void;
  release(): void;
}

const LOOK_AGAIN_MS = 200;
/** Makes the lock file larger than empty, which tells that there was a database beside it. */
const NOTE = 'pragma user_version = 1; commit; begin exclusive';
const NOTHING: Ownership = { isRemembered: false, remember: () => {}, release: () => {} };

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
): Promise<Ownership | undefined> {
  if (config.engine !== 'sqlite' || isOtherThanFile(config.path)) return NOTHING;
  const lockFile = ownerFile(config.path);
  let isTold = false;
  const look = (): Ownership | undefined => {
    const ownership = tryLock(lockFile);
    if (ownership === undefined && !isTold) onWaiting();
    isTold = true;
    return ownership;
  };
  return eventually(look, LOOK_AGAIN_MS, signal);
}

/** A folder or a device cannot be a database; opening it will say so, without a lock file left beside it. */
function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

/** Undefined if another process holds the lock. */
function tryLock(path: string): Ownership | undefined {
  let file: Sqlite.Database | undefined;
  try {
    createPrivateFile(path);
    file = new Sqlite(path);
    // With the mode exclusive, too, writing to the file does not release the lock.
    file.exec('pragma busy_timeout = 0; pragma locking_mode = exclusive; begin exclusive');
    const locked = file;
    const isRemembered = isNoted(path);
    return {
      isRemembered,
      remember: () => {
        if (isRemembered) return;
        try {
          locked.exec(NOTE);
        } catch {
          // The disk may be full; the next start tries again.
        }
      },
      release: () => locked.close(),
    };
  } catch (error) {
    file?.close();
    if (isBusy(error)) return undefined;
    throw isNoLock(error) ? new UnfitDatabase('lockless') : error;
  }
}

/** Whether there was a database at this path. */
export function isRemembered(databasePath: string): boolean {
  return isNoted(ownerFile(databasePath));
}

/** Whether the lock file of this database cannot be locked at all; changes nothing. */
export function isLockless(databasePath: string): boolean {
  const path = ownerFile(databasePath);
  if (!isNoted(path)) return false;
  let file: Sqlite.Database | undefined;
  try {
    file = new Sqlite(path);
    file.prepare('pragma schema_version').all();
    return false;
  } catch (error) {
    return !isBusy(error);
  } finally {
    file?.close();
  }
}

/** One for all names of a database. */
function ownerFile(databasePath: string): string {
  return `${withoutLinks(databasePath)}-owner`;
}

function isNoted(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? '');
}

/** Whether the lock file is a folder, or not a file of ours. */
function isNoLock(error: unknown): boolean {
  return /^(?:EISDIR$|SQLITE_(?:NOTADB|CORRUPT))/.test(codeOf(error) ?? '');
}
