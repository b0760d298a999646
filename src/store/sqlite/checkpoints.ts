/** Keeps SQLite's write-ahead log short, and syncs it once for many commits, both without blocking the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3/promise';
import PQueue from 'p-queue';
import { z } from 'zod';

/** Commits between two looks at the log's length: about a second on a busy bot. */
const COMMITS = 250;

/** Rows that batches change between two checkpoints: some 2000 frames, since each row has up to four indexes. */
const BATCHED_ROWS = 400;

/** The number of frames (pages of 4096 bytes) from which the log is restarted; SQLite's own rule is 1000. */
const MAX_FRAMES = 2000;

/** Frames that may be added while the others are moved; more left over means that a reader blocks. */
const LEFT_FRAMES = 500;

/** SQLite's answer to a checkpoint. `log`: the frames; `checkpointed`: those moved. */
const progress = z.tuple([z.object({ log: z.number(), checkpointed: z.number() })]);

/** Runs work while nobody writes over the bot's connection. */
type WithoutWriter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * SQLite makes checkpoints within a commit: it writes thousands of pages and waits for two syncs, which blocks the bot for hundreds of ms
 * on a stalling disk. Here a second connection makes them, in a thread of libsql.
 *
 * Most frames are moved while the bot writes (`passive`). Only without a writer can the log be restarted: for that short rest
 * `withoutWriter` holds the bot's connection. The first commit in a new log waits for the sync of its header, so that commit is made here, too.
 *
 * The writing connection makes a checkpoint itself if the log grows far too long, since these have failed.
 */
export class Checkpoints {
  /** Opened at the start: later another file, or none, may be at this path, and SQLite would create one. */
  readonly #connection: Sqlite;
  readonly #withoutWriter: WithoutWriter;
  readonly #line = new PQueue({ concurrency: 1 });
  #isPrepared = false;
  #commits = 0;
  #batched = 0;

  constructor(databasePath: string, withoutWriter: WithoutWriter) {
    this.#connection = new Sqlite(databasePath, {});
    this.#withoutWriter = withoutWriter;
  }

  /** Call after each commit. */
  committed(): void {
    this.#commits += 1;
    if (this.#commits < COMMITS) return;
    this.#commits = 0;
    void this.#checkpoint();
  }

  /** As `EngineDatabase.keptUp`. */
  async keptUp(rows: number): Promise<void> {
    this.#batched += rows;
    if (this.#batched < BATCHED_ROWS) return;
    this.#batched = 0;
    await this.#checkpoint();
  }

  /** Empties the log, so that deleted rows are gone from the disk. While another process reads (a backup), what it reads stays until the next call. */
  emptied(): Promise<void> {
    return this.#line.add(async () => {
      const sqlite = await this.#prepared();
      await this.#withoutWriter(() => sqlite.exec('pragma wal_checkpoint(truncate)'));
    });
  }

  /** Waits for running work and closes the connection. */
  async close(): Promise<void> {
    await this.#line.onIdle();
    this.#connection.close();
  }

  async #prepared(): Promise<Sqlite> {
    if (!this.#isPrepared) {
      // Do not wait for a reader: all writers would wait with it.
      await this.#connection.exec('pragma synchronous = normal; pragma busy_timeout = 0');
      this.#isPrepared = true;
    }
    return this.#connection;
  }

  /** A failed checkpoint is repeated after later commits. */
  async #checkpoint(): Promise<void> {
    const move = async (): Promise<void> => {
      const sqlite = await this.#prepared();
      const [{ log, checkpointed }] = progress.parse(await sqlite.pragma('wal_checkpoint(passive)', {}));
      // Hold the connection only if it helps: the log cannot be restarted while somebody reads.
      if (log < MAX_FRAMES || log - checkpointed > LEFT_FRAMES) return;
      await this.#withoutWriter(() => sqlite.exec('pragma wal_checkpoint(restart); pragma user_version = 1'));
    };
    await this.#line.add(move).catch(() => {});
  }
}

const syncFile = promisify(fdatasync);

/** How long a commit may stay off the disk, in ms, if nobody waits for it; only a power cut could undo it. */
const SOON_MS = 50;

/**
 * With `synchronous = NORMAL` a commit is in the write-ahead log at once, so a killed process loses nothing, but SQLite syncs only before
 * it moves the log into the database. `FULL` would sync at the end of each commit and block the bot. Here one sync serves all commits that
 * came during the sync before it. The first waits only for the end of the current turn of the event loop: the paid call that its commit
 * allows goes out first, and what that call commits shares the sync.
 */
export class WalSync {
  readonly #log: string;
  #file: number | undefined;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(databasePath: string) {
    this.#log = `${databasePath}-wal`;
  }

  /**
   * Resolves when everything committed so far would survive a power cut; rejects with the disk's error. A running sync may miss a commit made
   * meanwhile, which therefore waits for the next one.
   */
  flushed(): Promise<void> {
    this.#next ??= (this.#running ?? nextTurn())
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        const begun = this.#sync().finally(() => {
          if (this.#running === begun) this.#running = undefined;
        });
        this.#running = begun;
        return begun;
      });
    return this.#next;
  }

  /** Call after each commit: it reaches the disk soon, even if nobody waits. */
  committed(): void {
    // If this fails, so does the next commit that somebody waits for.
    this.#timer ??= setTimeout(() => void this.flushed().catch(() => {}), SOON_MS).unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  async #sync(): Promise<void> {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    // The log is the same file as long as the database is open.
    this.#file ??= openSync(this.#log, 'r');
    await syncFile(this.#file);
  }
}
