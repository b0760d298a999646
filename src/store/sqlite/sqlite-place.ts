/**
 * SQLite's files in their place. They hold what people wrote, so they are for the bot's user alone; SQLite gives what it puts beside a
 * database the mode of that. A process goes on writing to a file that was deleted or replaced: the writes are lost.
 */
import { chmodSync, closeSync, existsSync, mkdirSync, openSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import type Sqlite from 'better-sqlite3';

interface SqlitePlace {
  /** What is wrong and what to do, for the operator; undefined where both the database and its log are where they were. */
  problem(): string | undefined;
  /** For the end of the process: puts the database back where it was deleted, and spares one that took its place. */
  leave(): void;
}

const DELETED =
  'the database file, or the -wal file beside it, was deleted: stop the bot, which puts back what it holds, and start it again';
const REPLACED =
  'the database file was replaced while the bot runs, which still writes into the one before: stop the bot, put the right file in place (npm run restore FILE -- --force), and start it';

/** Of a database that is open, and has a log. */
export function watchPlace(sqlite: Sqlite.Database, path: string): SqlitePlace {
  const log = `${path}-wal`;
  const [ours, ourLog] = [fileAt(path), fileAt(log)];

  return {
    problem: () => {
      const there = fileAt(path);
      if (there !== undefined && there !== ours) return REPLACED;
      return there === undefined || fileAt(log) !== ourLog ? DELETED : undefined;
    },
    leave: () => {
      if (fileAt(path) === ours) return;
      // SQLite would take our log for that of the next file opened here.
      for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true });
      if (existsSync(path)) return;
      createForOwnerAlone(path);
      sqlite.prepare('vacuum into ?').run(path);
    },
  };
}

/** Which file it is, whatever it is called. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** What is missing of the file and its folders comes into being closed to others on the machine. */
export function createForOwnerAlone(path: string): void {
  createFolderForOwnerAlone(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** A new file in a folder that is there. Throws EEXIST where there is one already. */
export function createNewForOwnerAlone(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Not mkdir's `recursive`: it never ends where no folder can be made though all above it are there, as in /proc. */
export function createFolderForOwnerAlone(path: string): void {
  if (existsSync(path)) return;
  createFolderForOwnerAlone(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** A file that came with another mode. */
export function closeToOthers(path: string): void {
  chmodSync(path, FILE_MODE);
}
