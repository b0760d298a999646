/** A PostgreSQL server as the database of one process or many. A server that cannot serve the bot is refused at the start. */
import { hash, randomInt } from 'node:crypto';
import { Postgres } from '@telegraf/session/pg';
import { Kysely, PostgresDialect } from 'kysely';
import { Pool, type PoolClient, types } from 'pg';
import { codeOf } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import { engineError, orDatabaseFailure, UnfitDatabase } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';
import { migrate } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { CONNECT_WITHIN_MS, PostgresSession, settingsOf, socketWithTimeout } from './postgres-session.ts';

/** A database on a server; vacuum removes deleted rows. Only `SOON` does not wait for its disk. */
export interface PostgresDatabase extends EngineDatabase {
  readonly engine: 'postgres';
  /** Locks between processes, and this one's sign of life. */
  readonly session: PostgresSession;
}

/** With one more for the session, eight processes fit into PostgreSQL's default of 100 connections. */
const POOL_SIZE = 10;
/** In ms. No statement of ours takes a second; one that waits this long for a lock waits because of a mistake. */
const STATEMENT_TIMEOUT_MS = 10_000;
/** How long a connection lives, in s: after a failover it may lead to a server that takes no writes, unlike the address. */
const MAX_LIFETIME_S = 30;

/** How often to retry an unreachable server, in ms. */
const LOOK_AGAIN_MS = 1000;

/** Waits for an unreachable server until `signal` aborts, and migrates the tables. Throws errors that waiting cannot fix. */
export function openPostgres(
  url: string,
  onUnreachable: (error: unknown) => void = () => {},
  signal?: AbortSignal,
): Promise<PostgresDatabase> {
  const waitAfter = (error: unknown) => {
    if (signal?.aborted || !isOutOfReach(error)) return undefined;
    onUnreachable(error);
    return LOOK_AGAIN_MS;
  };
  const attempt = async () => {
    signal?.throwIfAborted();
    return open(url);
  };
  return patiently(attempt, waitAfter, { signal });
}

async function open(url: string): Promise<PostgresDatabase> {
  // Our times in ms, Telegram ids and counts are exact in JavaScript.
  types.setTypeParser(types.builtins.INT8, Number);
  const process = randomInt(1, 2 ** 31 - 1);
  const pool = new Pool({
    connectionString: url,
    max: POOL_SIZE,
    maxLifetimeSeconds: MAX_LIFETIME_S,
    onConnect: async (client) => {
      // These settings end all connections of a process that hangs, so that it does not look alive. The pool ends idle ones long before.
      await client.query(settingsOf(process, { statement_timeout: STATEMENT_TIMEOUT_MS }));
    },
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    stream: socketWithTimeout,
  });
  // An idle connection that breaks emits an error, which would end the process without listeners; the next query fails anyway.
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await refuseUnfitServer(pool);
    const prepared = preparing(pool);
    const sql = new Kysely<Schema>({ dialect: new PostgresDialect({ pool: prepared }) });
    await migrate(sql, 'postgres');
    const sessions = Postgres<unknown>({ pool: prepared, onInitError: () => {} });
    // If its first statement fails, so will every later one: fail at the start.
    await sessions.get('');
    const session = await PostgresSession.open(url, process);
    return {
      engine: 'postgres',
      sql,
      synced: async () => {},
      now: Date.now,
      keptUp: async () => {},
      erased: async () => {},
      sessions,
      session,
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

/** Names each statement, so that the server parses and plans it once per connection. Throws `database` for every error. */
function preparing(pool: Pool): Pool {
  const connect = async (): Promise<PoolClient> => {
    const client = await orDatabaseFailure(() => pool.connect());
    const query = (text: string, values: unknown[]) =>
      orDatabaseFailure(() =>
        client.query(values.length === 0 ? text : { name: hash('sha256', text, 'base64url'), text, values }),
      );
    return Object.create(client, { query: { value: query } });
  };
  return Object.create(pool, { connect: { value: connect }, end: { value: () => pool.end() } });
}

/**
 * Codes of errors that pass by themselves: of the network (`E…`), and of a PostgreSQL that shuts down, starts or waits too long for another
 * process that migrates (57…), has too many connections (53…), or is a standby until the failover is over (25006).
 */
const PASSING = /^(?:E(?!RR_)|57|53|25006)/;

/** Messages of errors without a code: pg's and Kysely's for a server that accepts a connection and hangs up, or never answers. */
const UNANSWERED =
  /^(?:Connection terminated|timeout |Query read timeout|Client has|Postgres connection has)/;

function isOutOfReach(thrown: unknown): boolean {
  const error = engineError(thrown);
  if (!(error instanceof Error)) return false;
  const code = codeOf(error);
  return code === undefined ? UNANSWERED.test(error.message) : PASSING.test(code);
}

/** The oldest release that is supported for another year (postgresql.org, "Versioning Policy"), as `server_version_num`. */
const MIN_VERSION = 150_000;

/**
 * Throws `UnfitDatabase` if the server is too old, if the database's encoding cannot hold every text, or if two connections are one to the
 * server, as through a pooler that shares them statement by statement: locks would have no owner, and notifications would be lost. The pool
 * must have room for two.
 */
export async function refuseUnfitServer(pool: Pool): Promise<void> {
  const held = await pool.connect();
  try {
    const { encoding, version = 0 } = (await serverBehind(held)) ?? {};
    if (version < MIN_VERSION) throw new UnfitDatabase('old');
    if (encoding !== 'UTF8') throw new UnfitDatabase('encoding');
    // Opens the second connection: while opening it, some poolers open one more of their own to the server.
    await serverBehind(pool);
    const [one, other] = [await serverBehind(held), await serverBehind(pool)];
    if (one?.pid === other?.pid) throw new UnfitDatabase('pooled');
  } finally {
    held.release();
  }
}

async function serverBehind(connection: Pool | PoolClient) {
  const { rows } = await connection.query<{ pid: number; encoding: string; version: number }>(`
    select pg_backend_pid() as pid, current_setting('server_encoding') as encoding,
      current_setting('server_version_num')::int as version`);
  return rows[0];
}
