/**
 * SQLite's write-ahead log, beside the event loop: what it holds is moved into the database, and what was committed is brought onto the
 * disk for many commits at once.
 */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3/promise';
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';
import type { Turns } from './sqlite-connection.ts';

/** After so many commits it is looked how long the log is: about every second of a busy bot. */
const COMMITS = 250;

/** From so many frames (pages of 4096 bytes) on the log is begun anew; SQLite's own rule is 1000. */
const MOST_FRAMES = 2000;

/** How long an erasure is waited for while another process reads, in ms; it is made good when that is through. */
const WAIT_FOR_READERS_MS = 1000;
/** Between two looks whether all readers have ended, in ms: meanwhile, and after that. */
const LOOK_SOON_MS = 50;
const LOOK_AGAIN_MS = 1000;

/** So many frames may be written while the others are moved: where more are left a reader is in the way. */
const LEFT_FRAMES = 500;

/** `busy` is 1 where somebody else kept it from being done; `log` counts the frames, `checkpointed` those that are moved. */
const progress = z.tuple([z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() })]);
const verdict = z.tuple([z.object({ quick_check: z.string() })]);

interface Checkpoints {
  /** Tells of a commit. */
  committed(): void;
  /**
   * Resolves when the log has been emptied, so that what was deleted stands nowhere any more. While another process reads (a
   * backup, somebody's shell), what it reads must stay: then this resolves after a second, and the log is emptied within a second of
   * the reader's end.
   */
  emptied(): Promise<void>;
  /** Whether any page of the database is not as it should be: a third of a GB takes 0.1 s. False where it is closed meanwhile. */
  isDamaged(): Promise<boolean>;
  /** Resolves when nothing runs any more and the connection is closed. */
  close(): Promise<void>;
}

/**
 * SQLite makes its checkpoints within whatever commit comes at the time: thousands of pages are written and two syncs waited for,
 * hundreds of ms where a disk stalls, and the bot serves no one meanwhile. Here a second connection makes them in a thread of libsql's.
 *
 * Most is moved while the bot writes on (`passive`). The log can only be begun anew in a moment without a writer: for that
 * little rest the line before the connection is held. The first commit in a new log waits for the sync of its header, so that is
 * made here, too.
 *
 * A checkpoint that fails is tried again with the commits that follow; the connection that writes makes its own when the log
 * grows far beyond what it should be.
 */
export function createCheckpoints(databasePath: string, turns: Turns): Checkpoints {
  // At once: later there may be another file in this place, or none, and SQLite would make one.
  const connection = new Sqlite(databasePath, {});
  let isPrepared = false;
  let commits = 0;
  let isLooking = false;
  let last: Promise<void> = Promise.resolve();
  let again: NodeJS.Timeout | undefined;
  let isClosing = false;

  const prepared = async (): Promise<Sqlite> => {
    if (!isPrepared) {
      // To wait for a reader here would keep the whole bot waiting (`alone`).
      await connection.exec('pragma synchronous = normal; pragma busy_timeout = 0');
      isPrepared = true;
    }
    return connection;
  };

  const alone = async <T>(work: () => Promise<T>): Promise<T> => {
    const leave = await turns();
    try {
      return await work();
    } finally {
      leave();
    }
  };

  const checkpoint = async (): Promise<void> => {
    const sqlite = await prepared();
    const [{ log, checkpointed }] = progress.parse(await sqlite.pragma('wal_checkpoint(passive)', {}));
    // The line is not held in vain: while somebody reads, the log cannot be begun anew.
    if (log < MOST_FRAMES || log - checkpointed > LEFT_FRAMES) return;
    await alone(() => sqlite.exec('pragma wal_checkpoint(restart); pragma user_version = 1'));
  };

  /** Whether it was done. */
  const empty = async (): Promise<boolean> => {
    const sqlite = await prepared();
    return alone(async () => {
      const [{ busy }] = progress.parse(await sqlite.pragma('wal_checkpoint(truncate)', {}));
      return busy === 0;
    });
  };

  const emptyInTime = async (): Promise<void> => {
    const isOver = async () => (await empty()) || isClosing || undefined;
    const ended = await eventually(isOver, LOOK_SOON_MS, AbortSignal.timeout(WAIT_FOR_READERS_MS));
    if (ended === undefined) emptyLater();
  };

  const emptyLater = (): void => {
    again ??= setTimeout(async () => {
      again = undefined;
      let isDone = false;
      await inOrder(async () => {
        isDone = await empty();
      }).catch(() => {});
      if (!isDone && !isClosing) emptyLater();
    }, LOOK_AGAIN_MS).unref();
  };

  const look = async (): Promise<boolean> => {
    isLooking = true;
    try {
      const sqlite = await prepared();
      const [{ quick_check }] = verdict.parse(await sqlite.pragma('quick_check(1)', {}));
      return quick_check !== 'ok';
    } catch (error) {
      return /^SQLITE_(?:CORRUPT|NOTADB)/.test(codeOf(error) ?? '');
    } finally {
      isLooking = false;
    }
  };

  const inOrder = (work: () => Promise<void>): Promise<void> => {
    const done = last.then(work);
    last = done.catch(() => {});
    return done;
  };

  return {
    committed: () => {
      commits += 1;
      if (commits < COMMITS) return;
      commits = 0;
      void inOrder(checkpoint).catch(() => {});
    },
    emptied: () => inOrder(emptyInTime),
    isDamaged: async () => {
      let isDamaged = false;
      await inOrder(async () => {
        isDamaged = await look();
      });
      return isDamaged;
    },
    close: async () => {
      isClosing = true;
      clearTimeout(again);
      if (isLooking) connection.interrupt();
      await last;
      connection.close();
    },
  };
}

const syncFile = promisify(fdatasync);

/** How long a commit that is not waited for may be off the disk, in ms: only a power cut could undo it meanwhile. */
const SOON_MS = 50;

interface WalSync {
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
      // The next commit that is waited for fails with it.
      timer ??= setTimeout(() => void flushed().catch(() => {}), SOON_MS).unref();
    },
    close: () => {
      clearTimeout(timer);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
