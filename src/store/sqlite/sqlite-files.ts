/**
 * SQLite's files on the disk: who may read them, and whether they are still there. They hold what people wrote, so they belong to the bot's
 * user alone; SQLite copies a database's mode to the files that it creates beside it. A process that writes to a deleted or replaced file
 * goes on without an error, and its writes are lost.
 */
import {
  chmodSync,
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { codeOf } from '../../errors.ts';

interface WatchedFiles {
  /** The problem and its remedy, for the operator; undefined if the database and its log are where they were. */
  problem(): string | undefined;
  /** At the end of the process: puts a deleted database back, and protects one that took its place. */
  leave(): void;
}

const DELETED =
  'the database file, or the -wal file beside it, was deleted: stop the bot, which puts back what it holds, and start it again';
const REPLACED =
  'the database file was replaced while the bot is running, which still writes to the previous one: stop the bot, restore the right file (npm run restore FILE -- --force), and start it';

/** Watches the files of a database that is open and has a log. */
export function watchFiles(sqlite: Sqlite.Database, path: string): WatchedFiles {
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
      // SQLite would take our log for that of the next database opened here.
      for (const rest of ['-wal', '-shm']) rmSync(`${path}${rest}`, { force: true });
      if (existsSync(path)) return;
      createPrivateFile(path);
      sqlite.prepare('vacuum into ?').run(path);
    },
  };
}

/** The file's identity, whatever its name. */
function fileAt(path: string): string | undefined {
  const found = statSync(path, { bigint: true, throwIfNoEntry: false });
  return found && `${found.dev}:${found.ino}`;
}

/**
 * The path without symbolic links, under which SQLite keeps its log: the same for every name of a database. The file, its folders, and what
 * a link points at need not exist yet. A path that cannot be followed (a ring of links, a closed folder) stays as it is.
 */
export function withoutLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const folder = dirname(path);
    if (codeOf(error) !== 'ENOENT' || folder === path) return path;
    const place = withoutLinks(folder);
    const target = linkAt(path);
    return target === undefined ? join(place, basename(path)) : withoutLinks(resolve(place, target));
  }
}

function linkAt(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Creates the file and its folders if missing, closed to other users of the machine. */
export function createPrivateFile(path: string): void {
  createPrivateFolder(dirname(path));
  closeSync(openSync(path, 'a', FILE_MODE));
}

/** Creates a new file in an existing folder. Throws EEXIST if it exists. */
export function createNewPrivateFile(path: string): void {
  closeSync(openSync(path, 'wx', FILE_MODE));
}

/** Creates folders by itself: mkdir's `recursive` never ends where folders cannot be created although their parents exist, as in /proc. */
export function createPrivateFolder(path: string): void {
  if (existsSync(path)) return;
  createPrivateFolder(dirname(path));
  mkdirSync(path, { mode: FOLDER_MODE });
}

/** Closes a file that came with another mode. */
export function makePrivate(path: string): void {
  chmodSync(path, FILE_MODE);
}
