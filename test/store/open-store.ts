/** An empty database on either engine, and a clock that a test sets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe } from 'vitest';
import { type Database, openDatabase } from '../../src/store/database.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

export interface TestStore {
  /** Its time is `now`. */
  readonly database: Database;
  readonly now: () => number;
  setClock(iso: string): void;
  /** The same database, as another process has it that shares the clock; on SQLite, where there is one process, `database` itself. */
  another(): Promise<Database>;
  /** Closes all of them. */
  close(): Promise<void>;
}

/** Makes the same claims for SQLite and for PostgreSQL. */
export function onEachEngine(claims: (openStore: () => Promise<TestStore>) => void): void {
  describe('on SQLite', () => {
    claims(openStore);
  });
  describe('on PostgreSQL', () => {
    const server = usePostgresServer();
    claims(async () => {
      const url = await server.createDatabase();
      const open = () => openDatabase({ engine: 'postgres', url });
      return withClock(await open(), open);
    });
  });
}

/** Opens a SQLite file in a folder of its own. */
export async function openStore(): Promise<TestStore & { readonly path: string }> {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-store-'));
  const path = join(folder, 'lotsawa.db');
  const store = withClock(await openDatabase({ engine: 'sqlite', path }));
  const close = async () => {
    await store.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { ...store, path, close };
}

/** The clock stands at noon of 2026-01-10 (UTC) until it is set. */
function withClock(first: Database, open?: () => Promise<Database>): TestStore {
  let now = Date.parse('2026-01-10T12:00:00Z');
  const clocked = (opened: Database): Database => ({ ...opened, now: () => now });
  const database = clocked(first);
  const databases = [first];
  return {
    database,
    now: () => now,
    setClock: (iso) => {
      now = Date.parse(iso);
    },
    another: async () => {
      if (open === undefined) return database;
      const opened = await open();
      databases.push(opened);
      return clocked(opened);
    },
    close: async () => {
      for (const opened of databases) await opened.close();
    },
  };
}
