/** A database in a folder of its own, and a clock that a test sets. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '../../src/store/database.ts';

export interface TestStore {
  readonly database: Database;
  readonly path: string;
  readonly now: () => number;
  setClock(iso: string): void;
  close(): Promise<void>;
}

/** Opens an empty database; the clock stands at noon of 2026-01-10 (UTC) until it is set. */
export async function openStore(): Promise<TestStore> {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-store-'));
  const path = join(folder, 'lotsawa.db');
  const database = await openDatabase({ engine: 'sqlite', path });
  let now = Date.parse('2026-01-10T12:00:00Z');
  return {
    database,
    path,
    now: () => now,
    setClock: (iso) => {
      now = Date.parse(iso);
    },
    close: async () => {
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
