/** SQLite's write-ahead log: kept short, and synced once for many commits, both without blocking the event loop. */
import { closeSync, fdatasync, openSync } from 'node:fs';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3/promise';
import PQueue from 'p-queue';

const syncFile = promisify(fdatasync);

/** Writes between two checkpoints: commits, and rows that batches change. They fill some 2000 pages of the log; SQLite's own rule is 1000. */
const WRITES = 400;

/** Does not wait for a reader: all writers would wait with it. */
const AT_ONCE = 'pragma synchronous = normal; pragma busy_timeout = 0';

/** Runs work while nobody writes over the bot's connection. */
export type WithoutWriter = <T>(work: () => Promise<T>) => Promise<T>;

/**
 * SQLite makes checkpoints within a commit: it writes thousands of pages and waits for two syncs, which blocks the bot for hundreds of ms
 * on a stalling disk. Here a second connection makes them, in a thread of libsql.
 *
 * Most pages are moved while the bot writes (`passive`). The log can be restarted only without a writer:
 * `withoutWriter` blocks the bot's connection for that moment. The first commit in a new log waits for the sync of its header, so that commit is made here, too.
 *
 * The writing connection makes a checkpoint itself if the log grows far too long, since these have failed.
 */
export class WriteAheadLog {
  readonly #path: string;
  /** Opened at the start: later another file, or none, may be at this path, and SQLite would create one. */
  readonly #connection: Sqlite;
  readonly #withoutWriter: WithoutWriter;
  readonly #checkpoints = new PQueue({ concurrency: 1 });
  readonly #syncs = new PQueue({ concurrency: 1 });
  #writes = 0;
  #file: number | undefined;
  #nextSync: Promise<void> | undefined;

  constructor(databasePath: string, withoutWriter: WithoutWriter) {
    this.#path = `${databasePath}-wal`;
    this.#connection = new Sqlite(databasePath, {});
    this.#withoutWriter = withoutWriter;
  }

  /** Call after writes; resolves once the log is short enough. A failed checkpoint is repeated after later writes. */
  async wrote(rows: number): Promise<void> {
    this.#writes += rows;
    if (this.#writes < WRITES) return;
    this.#writes = 0;
    await this.#checkpoint('restart').catch(() => {});
  }

  /** Empties the log, so that deleted rows are gone from the disk. While another process reads (a backup), what it reads stays until the next call. */
  emptied(): Promise<void> {
    return this.#checkpoint('truncate');
  }

  #checkpoint(last: 'restart' | 'truncate'): Promise<void> {
    const connection = this.#connection;
    return this.#checkpoints.add(async () => {
      await connection.exec(`${AT_ONCE}; pragma wal_checkpoint(passive)`);
      await this.#withoutWriter(() =>
        connection.exec(`pragma wal_checkpoint(${last}); pragma user_version = 1`),
      );
    });
  }

  /**
   * Resolves when everything committed so far would survive a power cut; rejects with the disk's error.
   *
   * With `synchronous = NORMAL` a commit is in the log at once, so a killed process loses nothing, but SQLite syncs only before it moves the log
   * into the database. `FULL` would sync at the end of each commit and block the bot. Here one sync serves all commits that came during the sync
   * before it. It waits for the end of the current turn of the event loop: the paid call that its commit allows goes out first, and what that
   * call commits shares the sync.
   */
  synced(): Promise<void> {
    this.#nextSync ??= this.#syncs.add(async () => {
      await nextTurn();
      this.#nextSync = undefined;
      // The log is the same file as long as the database is open.
      this.#file ??= openSync(this.#path, 'r');
      await syncFile(this.#file);
    });
    return this.#nextSync;
  }

  async close(): Promise<void> {
    await this.synced().catch(() => {});
    await this.#checkpoints.onIdle();
    this.#connection.close();
    if (this.#file !== undefined) closeSync(this.#file);
  }
}
