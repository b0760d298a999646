/** What a bot has left behind in its SQLite file, read and changed from outside. */
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import type { BotFolder } from './bot-process.ts';

interface KeptDatabase extends Disposable {
  run(statement: string): void;
  rows(query: string, ...parameters: unknown[]): unknown[];
}

/** Opens `name` in the folder, `lotsawa.db` unless given; it closes with the end of the block. */
export function openKeptDatabase(folder: Pick<BotFolder, 'path'>, name = 'lotsawa.db'): KeptDatabase {
  const sqlite = new Sqlite(join(folder.path, name));
  return {
    run: (statement) => void sqlite.exec(statement),
    rows: (query, ...parameters) => sqlite.prepare(query).all(...parameters),
    [Symbol.dispose]: () => sqlite.close(),
  };
}
