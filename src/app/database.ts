/** Opens everything that outlives the process: the database and its stores. */
import type { Log } from '../log.ts';
import { type Access, createAccess } from '../store/access/access.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { describeDatabaseError } from '../store/database-errors.ts';
import type { DatabaseConfig, StartDelay } from '../store/engine.ts';
import { createResults, createWholes, type Results, type Wholes } from '../store/kept/results.ts';
import { createPersonSessions, type PersonSessions } from '../store/kept/sessions.ts';
import { Accounting } from '../store/money/accounting.ts';
import { type Claims, createClaims } from '../store/money/claims.ts';
import { Ledger } from '../store/money/ledger.ts';
import { createPauses, type Pauses } from '../store/money/pauses.ts';
import type { Spent } from '../store/money/scopes.ts';
import { ownDatabase } from '../store/sqlite/sqlite-owner.ts';
import { type Config, describeFault } from './config.ts';

/** The stores on the one database. */
export interface Stores {
  readonly database: Database;
  readonly access: Access;
  readonly sessions: PersonSessions;
  readonly ledger: Ledger;
  readonly accounting: Accounting;
  readonly results: Results;
  readonly wholes: Wholes;
  readonly claims: Claims;
  readonly pauses: Pauses;
  /** What was spent today (UTC), in yuan. */
  spentTodayYuan(): Promise<number>;
}

const DAY_MS = 24 * 60 * 60 * 1000;

interface StoresOptions {
  readonly config: Config;
  readonly log: Log;
  /** Called with the day's sum for each call. */
  readonly onSpent: (spent: Spent) => void;
  /** Ends the wait for a database that another process uses, or that is away. */
  readonly stop: AbortSignal;
  /** Collects what closes the database. */
  readonly ends: AsyncDisposableStack;
}

/**
 * Opens the database once no other process works on it. If it cannot be opened, prints the reason to standard error, makes the start fail,
 * and gives undefined; undefined also when `stop` aborts.
 */
export async function openStores({
  config,
  log,
  stop,
  ends,
  onSpent,
}: StoresOptions): Promise<Stores | undefined> {
  const ownership = await ownDatabase(config.database, stop, () =>
    log.warn('another process of the bot works on this database: its end is waited for'),
  ).catch((error: unknown) => tellDatabaseProblem(error, config.database));
  if (ownership === undefined) return undefined;
  ends.defer(() => ownership.release());
  const database = await openOrTell(config, ownership.isRemembered, log, stop);
  if (database === undefined) return undefined;
  ends.defer(() => database.close());
  ownership.remember();
  const stores = arrange(config, database, onSpent);
  ends.defer(() => stores.access.close());
  return stores;
}

async function openOrTell(
  config: Config,
  isKnown: boolean,
  log: Log,
  stop: AbortSignal,
): Promise<Database | undefined> {
  try {
    return await openDatabase(config.database, {
      onDelay: (delay) => tellDelay(log, delay),
      isKnown,
      signal: stop,
    });
  } catch (error) {
    if (!stop.aborted) tellDatabaseProblem(error, config.database);
    return undefined;
  }
}

function tellDelay(log: Log, delay: StartDelay): void {
  if (delay.kind === 'unreachable') log.warn({ error: delay.error }, 'the database cannot be reached yet');
  if (delay.kind === 'in-use')
    log.warn({ error: delay.error }, 'something works on the tables: to change them is tried again');
  if (delay.kind === 'others-migrate')
    log.warn('another process of the bot brings the tables up to date: its end is waited for');
  if (delay.kind === 'migrating')
    log.info('the tables are brought up to date: where there are many rows that takes its time');
}

function arrange(
  { limits, adminIds, access, resultsTtlDays }: Config,
  database: Database,
  onSpent: StoresOptions['onSpent'],
): Stores {
  const accounting = new Accounting(database, { limits, adminIds });
  const results = createResults(database, resultsTtlDays * DAY_MS);
  return {
    database,
    access: createAccess(database, { isOpen: access === 'open', adminIds }),
    sessions: createPersonSessions(database.sessions),
    ledger: new Ledger(database, { limits, adminIds, onSpent }),
    accounting,
    results,
    wholes: createWholes(results),
    claims: createClaims(database),
    pauses: createPauses(database),
    spentTodayYuan: async () => (await accounting.costToday()) / 100,
  };
}

const EXAMPLES: Readonly<Record<DatabaseConfig['engine'], string>> = {
  sqlite: 'sqlite:data/lotsawa.db',
  postgres: 'postgres://user:password@host/database',
};

/** Prints one line with the remedy to standard error, and makes the start fail. */
export function tellDatabaseProblem(error: unknown, config: DatabaseConfig): void {
  const { what, remedy } = describeDatabaseError(error, config);
  const problem = `names a database that ${what}: ${remedy}`;
  const fault = { variable: 'DATABASE_URL', problem, example: EXAMPLES[config.engine] };
  process.stderr.write(`${describeFault(fault)}\n`);
  process.exitCode = 1;
}
