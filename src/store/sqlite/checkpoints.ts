/** Keeps SQLite's write-ahead log short, and syncs it once for many commits, both without blocking the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3/promise';
import PQueue from 'p-queue';
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import { eventually } from '../../patience.ts';

/** How many commits pass between two looks at the log's length: about a second's on a busy bot. */
const COMMITS = 250;

/** How many rows batches change between two checkpoints: some 2000 frames, since each row has up to four indexes. */
const BATCHED_ROWS = 400;

/** The number of frames (pages of 4096 bytes) from which the log is restarted; SQLite's own rule is 1000. */
const MOST_FRAMES = 2000;

/** How long an erasure waits for readers in other processes, in ms; it is completed when they end. */
const WAIT_FOR_READERS_MS = 1000;
/** How often to look whether all readers have ended, in ms: while somebody waits, and after that. */
const LOOK_SOON_MS = 50;
const LOOK_AGAIN_MS = 1000;

/** How many frames may be added while the others are moved; more left over means that a reader is in the way. */
const LEFT_FRAMES = 500;

/** SQLite's answer to a checkpoint. `busy`: 1 if another process prevented it; `log`: the frames; `checkpointed`: those moved. */
const progress = z.tuple([z.object({ busy: z.number(), log: z.number(), checkpointed: z.number() })]);
const verdict = z.tuple([z.object({ quick_check: z.string() })]);

interface Checkpoints {
  /** Call after each commit. */
  committed(): void;
  /** As `EngineDatabase.keptUp`. */
  keptUp(rows: number): Promise<void>;
  /**
   * Empties the log, so that deleted rows are gone from the disk. While another process reads (a backup, a shell), what it reads must stay:
   * then this resolves after a second, and the log is emptied within a second of the reader's end.
   */
  emptied(): Promise<void>;
  /** Whether any page of the database is damaged (0.1 s for a third of a GB). False if it is closed meanwhile. */
  isDamaged(): Promise<boolean>;
  /** Waits for running work and closes the connection. */
  close(): Promise<void>;
}

/**
 * SQLite makes checkpoints within a commit: it writes thousands of pages and waits for two syncs, which blocks the bot for hundreds of ms
 * on a stalling disk. Here a second connection makes them, in a thread of libsql.
 *
 * Most frames are moved while the bot writes (`passive`). Only without a writer can the log be restarted: for that short rest
 * `withoutWriter` holds the bot's connection. The first commit in a new log waits for the sync of its header, so that commit is made here, too.
 *
 * A checkpoint that fails is repeated after later commits; the writing connection makes its own if the log grows far too long.
 */
export function createCheckpoints(
  databasePath: string,
  withoutWriter: <T>(work: () => Promise<T>) => Promise<T>,
): Checkpoints {
  // Opened at once: later another file may be in this place, or none, and SQLite would create one.
  const connection = new Sqlite(databasePath, {});
  const line = new PQueue({ concurrency: 1 });
  let isPrepared = false;
  let commits = 0;
  let batched = 0;
  let isLooking = false;
  let again: NodeJS.Timeout | undefined;
  let isClosing = false;

  const prepared = async (): Promise<Sqlite> => {
    if (!isPrepared) {
      // No waiting for a reader: all writers would wait with it.
      await connection.exec('pragma synchronous = normal; pragma busy_timeout = 0');
      isPrepared = true;
    }
    return connection;
  };

  const checkpoint = async (): Promise<void> => {
    const sqlite = await prepared();
    const [{ log, checkpointed }] = progress.parse(await sqlite.pragma('wal_checkpoint(passive)', {}));
    // Holds the line only if it helps: the log cannot be restarted while somebody reads.
    if (log < MOST_FRAMES || log - checkpointed > LEFT_FRAMES) return;
    await withoutWriter(() => sqlite.exec('pragma wal_checkpoint(restart); pragma user_version = 1'));
  };

  /** Tries to empty the log; false if a reader prevents it. */
  const empty = async (): Promise<boolean> => {
    const sqlite = await prepared();
    return withoutWriter(async () => {
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
      const isDone = await line.add(empty).catch(() => false);
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

  return {
    committed: () => {
      commits += 1;
      if (commits < COMMITS) return;
      commits = 0;
      void line.add(checkpoint).catch(() => {});
    },
    keptUp: async (rows) => {
      batched += rows;
      if (batched < BATCHED_ROWS) return;
      batched = 0;
      await line.add(checkpoint).catch(() => {});
    },
    emptied: () => line.add(emptyInTime),
    isDamaged: () => line.add(look),
    close: async () => {
      isClosing = true;
      clearTimeout(again);
      if (isLooking) connection.interrupt();
      await line.onIdle();
      connection.close();
    },
  };
}

const syncFile = promisify(fdatasync);

/** How long a commit that nobody waits for may stay off the disk, in ms; only a power cut could undo it meanwhile. */
const SOON_MS = 50;

interface WalSync {
  /** Resolves when everything committed so far would survive a power cut; rejects with the disk's error. */
  flushed(): Promise<void>;
  /** Call after each commit: it reaches the disk soon, even if nobody waits for it. */
  committed(): void;
  close(): void;
}

/**
 * With `synchronous = NORMAL` a commit is in the write-ahead log at once, so a killed process loses nothing, but SQLite syncs only before
 * it moves the log into the database. `FULL` would sync at the end of each commit and block the bot. Here one sync serves all commits that
 * came during the sync before it. The first waits only for the end of the current turn of the event loop: the paid call that its commit
 * allows goes out first, and what that call commits shares the sync.
 */
export function createWalSync(databasePath: string): WalSync {
  let file: number | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;

  const sync = async (): Promise<void> => {
    clearTimeout(timer);
    timer = undefined;
    // The log stays the same file as long as the database is open.
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

  /** A running sync may miss a commit made meanwhile, which therefore waits for the next one. */
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
      // The next commit that somebody waits for fails with the same error.
      timer ??= setTimeout(() => void flushed().catch(() => {}), SOON_MS).unref();
    },
    close: () => {
      clearTimeout(timer);
      if (file !== undefined) closeSync(file);
      file = undefined;
    },
  };
}
