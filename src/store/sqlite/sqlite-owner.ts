/** One process at a time works on a SQLite file: what runs in one would be done again, and paid again, by another that finds it there. */
import { statSync } from 'node:fs';
import Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import type { DatabaseConfig } from '../engine.ts';
import { UnfitDatabase } from '../trouble.ts';
import { createForOwnerAlone } from './sqlite-place.ts';

export interface Ownership {
  /** There was a database here before: one that is empty is not a new one. */
  readonly isRemembered: boolean;
  /** Notes for good that there is one. */
  remember(): void;
  release(): void;
}

interface OwnershipOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Told once that another process has the file. */
  readonly onWaiting: () => void;
}

const LOOK_AGAIN_MS = 200;
/** Makes the file that is locked more than empty, which tells that there was a database beside it. */
const NOTE = 'pragma user_version = 1; commit; begin exclusive';
const NOTHING: Ownership = { isRemembered: false, remember: () => {}, release: () => {} };

/**
 * Waits until no other process works on the database, as one does that is told to stop and finishes what runs; undefined when
 * that is given up. The lock is one of the operating system, on a file beside the database: it ends with its process, however that
 * ends. PostgreSQL needs none, since there processes know of one another. Throws what keeps the lock from being taken: without it two
 * processes would do, and pay for, everything twice.
 */
export async function ownDatabase(
  config: DatabaseConfig,
  { signal, onWaiting }: OwnershipOptions,
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

/** A folder or a device can be no database, as its opening will say: nothing is left beside it. */
function isOtherThanFile(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isFile() === false;
}

/** Undefined where another process has it. */
function tryLock(path: string): Ownership | undefined {
  let file: Sqlite.Database | undefined;
  try {
    createForOwnerAlone(path);
    file = new Sqlite(path);
    // Exclusive as a mode, too: what is written down does not give the lock back.
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
          // The disk is full: the next start notes it.
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

/** Whether no process can own the database at this path, for what stands in the place of its lock; looks, and changes nothing. */
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

function ownerFile(databasePath: string): string {
  return `${databasePath}-owner`;
}

function isNoted(path: string): boolean {
  return (statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0;
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? '');
}

/** What is in the place of the file that is locked is a folder, or something that somebody else wrote. */
function isNoLock(error: unknown): boolean {
  return /^(?:EISDIR$|SQLITE_(?:NOTADB|CORRUPT))/.test(codeOf(error) ?? '');
}
