/** Whether SQLite's files are still in their place: to what was deleted or replaced beside it a process goes on writing, for nobody. */
import { existsSync, rmSync, statSync } from 'node:fs';
import type Sqlite from 'better-sqlite3';
import { createForOwnerAlone } from './owners-file.ts';

export interface SqlitePlace {
  /** What is wrong and what to do, for whoever runs the bot; undefined where both the database and its log are where they were. */
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
      // SQLite would take our log for that of whatever is opened here next.
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
