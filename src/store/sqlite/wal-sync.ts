/** Brings what SQLite has committed onto the disk, beside the event loop and for many commits at once. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';

const syncFile = promisify(fdatasync);

/** How long a commit that nobody waits for may be off the disk, in ms: only a power cut could undo it meanwhile. */
const SOON_MS = 50;

export interface WalSync {
  /** Resolves when all that is committed by now would survive a power cut; rejects with the disk's error. */
  flushed(): Promise<void>;
  /** Tells of a commit: it is on the disk soon, whether or not anybody waits for it. */
  committed(): void;
  close(): void;
}

/**
 * With `synchronous = NORMAL` a commit is in the write-ahead log at once (a killed process loses nothing), and SQLite itself syncs
 * only before it moves the log into the database. What `FULL` does at the end of every commit, holding up the whole bot, is done
 * here instead: one sync for all commits that came while the sync before it ran. The first waits for the end of its turn of the
 * event loop alone: the paid call that its commit allows goes out before, and what that call commits shares the sync.
 */
export function createWalSync(databasePath: string): WalSync {
  let file: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const sync = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // The log is there as long as the database is open, and stays the same file.
    file ??= openSync(`${databasePath}-wal`, 'r');
    await syncFile(file);
  };

  const begin = (): Promise<void> => {
    const begun = sync().finally(() => {
      if (running === begun) running = undefined;
    });
    running = begun;
    return begun;
  };

  /** What was committed while a sync runs may have been missed by it: that waits for one more. */
  const flushed = (): Promise<void> => {
    next ??= (running ?? nextTurn())
      .catch(() => {})
      .then(() => {
        next = undefined;
        return begin();
      });
    return next;
  };

  return {
    flushed,
    committed: () => {
      // Its failure is told to whoever commits next and waits.
      timer ??= setTimeout(() => void flushed().catch(() => {}), SOON_MS).unref();
    },
    close: () => {
      clearTimeout(timer);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
