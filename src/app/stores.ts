/** Opens the database, once no other process uses it, and the stores on it. */
import type { Log } from '../log.ts';
import { Access } from '../store/access/access.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { describeDatabaseError, UnfitDatabase } from '../store/database-errors.ts';
import type { DatabaseConfig } from '../store/engine.ts';
import { Results, Wholes } from '../store/kept/results.ts';
import { PersonSessions } from '../store/kept/sessions.ts';
import { Claims } from '../store/money/claims.ts';
import { Pauses } from '../store/money/pauses.ts';
import { ownDatabase } from '../store/sqlite/sqlite-files.ts';
import { type Config, EXIT_CODES } from './config.ts';

interface StoresOptions {
  readonly config: Config;
  readonly log: Log;
  /** Ends the wait for a database that another process uses, or that is unreachable. */
  readonly stop: AbortSignal;
  /** Closes the database at the end. */
  readonly ends: AsyncDisposableStack;
}

export type Stores = ReturnType<typeof arrange>;

/**
 * Opens the stores. If the database cannot be opened, logs the reason, makes the start fail, and returns undefined; undefined also when
 * `stop` aborts.
 */
export async function openStores({ config, log, stop, ends }: StoresOptions): Promise<Stores | undefined> {
  try {
    const release = await ownDatabase(config.database, stop, () =>
      log.warn('another process of the bot uses this database: waiting for it to end'),
    );
    if (release === undefined) return undefined;
    ends.defer(release);
    const onUnreachable = (error: unknown) =>
      log.warn({ error }, 'the database is unreachable: trying again');
    const database = await openDatabase(config.database, onUnreachable, stop);
    ends.defer(() => database.close());
    return arrange(database, config);
  } catch (error) {
    if (stop.aborted) return undefined;
    log.fatal(databaseProblem(error, config.database));
    process.exitCode = error instanceof UnfitDatabase ? EXIT_CODES.config : EXIT_CODES.failure;
    return undefined;
  }
}

const DAY_MS = 24 * 60 * 60 * 1000;

function arrange(database: Database, { adminIds, access, resultsTtlDays }: Config) {
  const results = new Results(database, resultsTtlDays * DAY_MS);
  return {
    database,
    access: new Access(database, { isOpen: access === 'open', adminIds }),
    sessions: new PersonSessions(database.sessions),
    results,
    wholes: new Wholes(results),
    claims: new Claims(database),
    pauses: new Pauses(database),
  };
}

/** Returns one line about an error of the database, with the remedy. */
export function databaseProblem(error: unknown, config: DatabaseConfig): string {
  const { what, remedy } = describeDatabaseError(error, config);
  return `DATABASE_URL names a database that ${what}: ${remedy}`;
}
