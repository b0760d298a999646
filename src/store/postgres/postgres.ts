/** The database of a bot that is one process or many: a PostgreSQL server. */
import { randomInt } from 'node:crypto';
import { Postgres } from '@telegraf/session/pg';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool, types } from 'pg';
import type { EngineDatabase } from '../engine.ts';
import type { Schema } from '../schema.ts';
import type { OnDelay } from '../start-delay.ts';
import { connectionName } from './living-processes.ts';
import { CONNECT_WITHIN_MS, endingWhenSilent, settingsOf } from './postgres-connection.ts';
import { refusePooled, refuseUnfitEncoding } from './postgres-fitness.ts';
import { migratePostgres } from './postgres-migration.ts';
import { onceInReach } from './postgres-reach.ts';
import { openPostgresSession, type PostgresSession } from './postgres-session.ts';

/** A server. Every commit is waited for, however it is asked; what was deleted, its vacuum sees to. */
export interface PostgresDatabase extends EngineDatabase {
  readonly engine: 'postgres';
  /** The connections below `sql`, for libraries that bring their own SQL. */
  readonly pool: Pool;
  /** What this process holds among the others: locks, and a sign of life. */
  readonly session: PostgresSession;
}

/** With two more for the session and pg-boss's listening, eight processes fit into PostgreSQL's default of 100. */
const POOL_SIZE = 10;
/** No statement of ours takes a second; one that waits this long for a lock, in ms, waits for a mistake. */
const STATEMENT_TIMEOUT_MS = 10_000;
/**
 * No connection is kept for longer, in s: after a failover it may stand to a server that takes no writes, while the address leads to
 * its successor by now.
 */
const MAX_LIFETIME_S = 30;

/**
 * Opens connections, waits for the server where it is out of reach, and brings the tables up to date. Throws what waiting cannot mend,
 * and the reason of `signal` when that aborts.
 */
export function openPostgres(
  url: string,
  onDelay: OnDelay = () => {},
  signal?: AbortSignal,
): Promise<PostgresDatabase> {
  return onceInReach(
    () => open(url, onDelay, signal),
    (error) => onDelay({ kind: 'unreachable', error }),
    signal,
  );
}

async function open(
  url: string,
  onDelay: OnDelay,
  signal: AbortSignal | undefined,
): Promise<PostgresDatabase> {
  const process = randomInt(1, 2 ** 31 - 1);
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    maxLifetimeSeconds: MAX_LIFETIME_S,
    onConnect: async (client) => {
      // Of a process that hangs no connection stays behind by which it would be seen to live. Idle ones end long before.
      await client.query(settingsOf({ statement_timeout: STATEMENT_TIMEOUT_MS }));
    },
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    stream: endingWhenSilent,
    application_name: connectionName(process),
    types: { getTypeParser },
  });
  // A connection that breaks between two queries: the next query fails, and without listeners the process would end with it.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    const sql = new Kysely<Schema>({ dialect: new PostgresDialect({ pool }) });
    await refuseUnfitEncoding(sql);
    const prepare = async () => {
      // First of all: by way of such a pooler no tables are changed, and no turn to change them is taken.
      await refusePooled(pool);
      await migratePostgres(url, sql, onDelay, signal);
      const sessions = Postgres<unknown>({ pool, onInitError: () => {} });
      // Should its first statement have failed, every later one would: better to hear of it now.
      await sessions.get('');
      return sessions;
    };
    const session = await openPostgresSession(url, process);
    const sessions = await prepare().catch(async (error: unknown) => {
      await session.close();
      throw error;
    });
    return {
      engine: 'postgres',
      isAlone: false,
      sql,
      soon: sql,
      promptly: sql,
      now: session.now,
      erased: async () => {},
      sessions,
      pool,
      session,
      isDamaged: async () => false,
      problem: () => undefined,
      close: async () => {
        await session.close();
        await sql.destroy();
      },
    };
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Our numbers are times in ms, ids of Telegram, and counts: all are exact as JavaScript numbers, which pg does not presume of a bigint. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>) {
  return oid === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format);
}
