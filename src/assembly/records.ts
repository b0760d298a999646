/** Everything that outlives the process: the database, and what is kept in it. */
import { type Config, describeFault } from '../config.ts';
import { codeOf } from '../error-code.ts';
import type { Log } from '../log.ts';
import { type Accounting, costYuan, createAccounting } from '../store/accounting.ts';
import { type Cancellations, createCancellations } from '../store/cancellations.ts';
import { createClaims } from '../store/claims.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { createLateWrites, type LateWrites } from '../store/late-writes.ts';
import { createLedger, type Ledger } from '../store/ledger.ts';
import { NewerDatabase } from '../store/migrations.ts';
import { createPauses, type Pauses } from '../store/pauses.ts';
import { createResults, type Results } from '../store/results.ts';
import { type PersonSessions, personSessions } from '../store/sessions.ts';

export interface Records {
  readonly database: Database;
  readonly sessions: PersonSessions;
  readonly ledger: Ledger;
  readonly accounting: Accounting;
  readonly results: Results;
  readonly claims: ReturnType<typeof createClaims>;
  readonly pauses: Pauses;
  readonly cancellations: Cancellations;
  /** What could not be written yet of all these. */
  readonly lateWrites: LateWrites;
  /** What was spent in the present UTC day, in yuan. */
  spentTodayYuan(): Promise<number>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * Opens the database. Where that cannot be done the reason is told on standard error, and undefined is given, as when `stop` aborts
 * while a server is waited for.
 */
export async function openRecords(config: Config, log: Log, stop: AbortSignal): Promise<Records | undefined> {
  const onWaiting = (error: unknown) => log.warn({ error }, 'the database cannot be reached yet');
  try {
    return arrange(config, await openDatabase(config.database, onWaiting, stop));
  } catch (error) {
    if (stop.aborted) return undefined;
    process.stderr.write(`${describeFault({ variable: 'DATABASE_URL', ...problemOf(error) })}\n`);
    return undefined;
  }
}

function arrange({ limits, adminIds, resultsTtlDays }: Config, database: Database): Records {
  const isAlone = database.engine === 'sqlite';
  const money = { database: database.sql, now: Date.now };
  const lateWrites = createLateWrites();
  const accounting = createAccounting({ ...money, limits, adminIds });
  return {
    database,
    sessions: personSessions(database.sessions),
    // On its way to the disk as the call is made: a power cut within that moment loses the result, too, and so what the record is for,
    // while a disk that stalls (for half a second, on a busy host) would hold up everybody's answer.
    ledger: createLedger({
      ...money,
      database: database.promptly,
      soon: database.soon,
      lateWrites,
      limits,
      adminIds,
      isAlone,
    }),
    accounting,
    results: createResults({ ...money, database: database.promptly, ttlMs: resultsTtlDays * DAY_MS }),
    claims: createClaims(database),
    pauses: createPauses(database.sql, Date.now, isAlone),
    cancellations: createCancellations(database.sql, Date.now, isAlone),
    lateWrites,
    spentTodayYuan: async () => costYuan(await accounting.callsToday()),
  };
}

function problemOf(error: unknown): { problem: string; example: string } {
  if (error instanceof NewerDatabase) {
    const problem = 'names a database that a newer version of the bot has changed: start that version';
    return { problem, example: 'sqlite:data/another.db' };
  }
  const reason = codeOf(error) ?? 'unknown reason';
  return { problem: `cannot be opened or written (${reason})`, example: 'sqlite:data/lotsawa.db' };
}
