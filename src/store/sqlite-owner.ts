/** One process at a time works on a SQLite file: what runs in one would be done again, and paid again, by another that finds it there. */
import Sqlite from 'better-sqlite3';
import type { DatabaseConfig } from '../config-variables.ts';
import { codeOf } from '../error-code.ts';
import { sleep } from '../sleep.ts';
import { createForOwnerAlone } from './sqlite.ts';

export interface Ownership {
  release(): void;
}

export interface OwnershipOptions {
  /** Ends the waiting. */
  readonly signal: AbortSignal;
  /** Told once that another process has the file. */
  readonly onWaiting: () => void;
}

const LOOK_AGAIN_MS = 200;
const NOTHING: Ownership = { release: () => {} };

/**
 * Waits until no other process works on the database, as one does that is told to stop and finishes what runs; undefined when
 * that is given up. The lock is one of the operating system, on a file beside the database: it ends with its process, however that
 * ends. PostgreSQL needs none, since there processes know of one another.
 */
export async function ownDatabase(
  config: DatabaseConfig,
  { signal, onWaiting }: OwnershipOptions,
): Promise<Ownership | undefined> {
  if (config.engine !== 'sqlite' || config.path === ':memory:') return NOTHING;
  for (let isTold = false; !signal.aborted; isTold = true) {
    const ownership = tryLock(`${config.path}-owner`);
    if (ownership !== undefined) return ownership;
    if (!isTold) onWaiting();
    await sleep(LOOK_AGAIN_MS, signal);
  }
  return undefined;
}

/** Undefined where another process has it. */
function tryLock(path: string): Ownership | undefined {
  let file: Sqlite.Database | undefined;
  try {
    createForOwnerAlone(path);
    file = new Sqlite(path);
    file.pragma('busy_timeout = 0');
    file.exec('begin exclusive');
    const locked = file;
    return { release: () => locked.close() };
  } catch (error) {
    file?.close();
    // Where no file can be made the database cannot be opened either, and that is told.
    return isBusy(error) ? undefined : NOTHING;
  }
}

function isBusy(error: unknown): boolean {
  return /^SQLITE_(?:BUSY|LOCKED)/.test(codeOf(error) ?? '');
}
