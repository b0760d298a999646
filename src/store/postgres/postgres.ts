/** The database of a bot that is one process or many: a PostgreSQL server, refused at the start where it can never serve the bot. */
import { randomInt } from 'node:crypto';
import { Postgres } from '@telegraf/session/pg';
import { Kysely, PostgresDialect, sql } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { codeOf } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import type { EngineDatabase, OnDelay } from '../engine.ts';
import type { Schema } from '../schema.ts';
import { UnfitDatabase } from '../trouble.ts';
import { connectionName } from './living-processes.ts';
import { CONNECT_WITHIN_MS, endingWhenSilent, settingsOf } from './postgres-connection.ts';
import { migratePostgres } from './postgres-migration.ts';
import { openPostgresSession, type PostgresSession } from './postgres-session.ts';

/** A server. Every commit is waited for, however it is asked; what was deleted, its vacuum sees to. */
export interface PostgresDatabase extends EngineDatabase {
  readonly engine: 'postgres';
  /** What this process holds among the others: locks, and a sign of life. */
  readonly session: PostgresSession;
}

/** With one more for the session, eight processes fit into PostgreSQL's default of 100. */
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

/** How often it is looked whether a server out of reach is back, in ms. */
const LOOK_AGAIN_MS = 1000;

/**
 * Begins the work anew for as long as it fails because the server is out of reach; throws what waiting cannot mend, and the
 * reason of `signal` when that aborts.
 */
function onceInReach<T>(
  work: () => Promise<T>,
  onWaiting: (error: unknown) => void,
  signal?: AbortSignal,
): Promise<T> {
  const attempt = async (): Promise<T> => {
    signal?.throwIfAborted();
    return work();
  };
  const waitAfter = (error: unknown): number | undefined => {
    signal?.throwIfAborted();
    if (!isOutOfReach(error)) return undefined;
    onWaiting(error);
    return LOOK_AGAIN_MS;
  };
  return patiently(attempt, waitAfter, { signal });
}

/** Codes of errors that pass by themselves. */
const PASSING: ReadonlySet<string> = new Set([
  // The network's.
  ...['ECONNREFUSED', 'ECONNRESET', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN'],
  // PostgreSQL's: it shuts down, recovers from a crash, starts or stops.
  ...['57P01', '57P02', '57P03'],
  // Too many connections.
  '53300',
  // It takes no writes: a standby, to which the address leads until the failover is through.
  '25006',
]);

/**
 * What pg and Kysely say of a server that takes a connection and hangs up, at once or later, or never answers, and what a session says
 * while it has none (postgres-session.ts); these errors have no code.
 */
const UNANSWERED = new RegExp(
  [
    '^Connection terminated',
    '^timeout ',
    '^Query read timeout',
    '^Client has encountered a connection error',
    '^Postgres connection has been discarded',
    '^the connection to the database is lost',
  ].join('|'),
);

function isOutOfReach(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? UNANSWERED.test(error.message) : PASSING.has(code);
}

/** Our numbers are times in ms, ids of Telegram, and counts: all are exact as JavaScript numbers, which pg does not presume of a bigint. */
function getTypeParser(...[oid, format]: Parameters<typeof types.getTypeParser>) {
  return oid === types.builtins.INT8 && format !== 'binary' ? Number : types.getTypeParser(oid, format);
}

/** The others hold the letters of one language or two; SQL_ASCII takes any bytes for what they are. */
const FIT_ENCODINGS: ReadonlySet<unknown> = new Set(['UTF8', 'SQL_ASCII']);

/** Throws `UnfitDatabase` where not every text can be kept. */
export async function refuseUnfitEncoding(database: Kysely<Schema>): Promise<void> {
  const { rows } = await sql<{ server_encoding: string }>`show server_encoding`.execute(database);
  if (!FIT_ENCODINGS.has(rows[0]?.server_encoding)) throw new UnfitDatabase('encoding');
}

/**
 * Throws `UnfitDatabase` where two connections are one to the server, as by way of a pooler that gives them out statement by
 * statement: locks would have no owner, and no notification would be heard. The pool has to have room for two.
 */
export async function refusePooled(pool: Pool): Promise<void> {
  const held = await pool.connect();
  try {
    // Opens the second connection: with an opening some poolers begin one more of their own to the server.
    await backendOf(pool);
    if ((await backendOf(held)) === (await backendOf(pool))) throw new UnfitDatabase('pooled');
  } finally {
    held.release();
  }
}

/** The number of the server's process behind the connection. */
async function backendOf(connection: Pool | PoolClient): Promise<number | undefined> {
  const { rows } = await connection.query<{ pid: number }>('select pg_backend_pid() as pid');
  return rows[0]?.pid;
}
