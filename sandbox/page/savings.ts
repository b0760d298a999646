/** What re-use has saved, read from the bot's own ledger while the bot writes it. */
import Sqlite from 'better-sqlite3';
import { z } from 'zod';

export interface Savings {
  /** Calls that were not made, because their result was there already. */
  calls(): number;
  /** Calls the listener after every change; the function given back ends that. */
  onChange(listener: () => void): () => void;
}

const LOOK_EVERY_MS = 500;
const row = z.object({ calls: z.number() });

/** Reads the ledger of a running bot; `close` before its file is removed. */
export function watchSavings(databaseFile: string): Savings & { close(): void } {
  const database = new Sqlite(databaseFile, { readonly: true });
  const reused = database.prepare("select count(*) as calls from ledger where outcome = 'reused'");
  const count = (): number => row.parse(reused.get()).calls;
  const listeners = new Set<() => void>();
  let calls = count();
  const timer = setInterval(() => {
    const now = count();
    if (now === calls) return;
    calls = now;
    for (const listener of listeners) listener();
  }, LOOK_EVERY_MS);
  return {
    calls: () => calls,
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    close: () => {
      clearInterval(timer);
      database.close();
    },
  };
}

/** Where no bot keeps a ledger. */
export const NO_SAVINGS: Savings = { calls: () => 0, onChange: () => () => {} };
