/** Migrates the tables on a PostgreSQL server, however long it takes. One process at a time migrates; the others wait for it. */
import type { Socket } from 'node:net';
import { Kysely, PostgresAdapter, PostgresDialect, sql } from 'kysely';
import { Pool } from 'pg';
import { codeOf } from '../../errors.ts';
import { eventually, patiently } from '../../patience.ts';
import { UnfitDatabase } from '../database-errors.ts';
import type { OnDelay } from '../engine.ts';
import { migrate, schemaState } from '../migrations/migrations.ts';
import type { Schema } from '../schema.ts';
import { CONNECT_WITHIN_MS, settingsOf, socketWithTimeout } from './postgres-connection.ts';

/** How long a step waits for tables in use, in ms. Everybody who needs them next queues behind it, other processes included. */
const LOCK_WITHIN_MS = 2000;
const LOOK_AGAIN_MS = 1000;
/** `lock_not_available` and `deadlock_detected`. */
const IN_USE: ReadonlySet<unknown> = new Set(['55P03', '40P01']);
/** A step may take hours. The server notices within 2 s that this process is gone or told to stop, and rolls back. */
const SETTINGS = settingsOf({ statement_timeout: 0, transaction_timeout: 0, lock_timeout: LOCK_WITHIN_MS });
/** Not every server's operating system supports this; such a server notices when it writes an answer. */
const NOTICE_WHO_LEFT = `set client_connection_check_interval = '2s'`;

/**
 * Takes all missing steps in one transaction, over a connection of their own: the working connections give up on slow answers. Throws
 * `UnfitDatabase`, the first step's error, or the reason of `signal` when that aborts; then nothing has changed.
 */
export async function migratePostgres(
  url: string,
  database: Kysely<Schema>,
  onDelay: OnDelay,
  signal?: AbortSignal,
): Promise<void> {
  const state = await schemaState(database, 'postgres');
  if (state === 'newer') throw new UnfitDatabase('newer');
  if (state === 'current') return;
  const attempt = async (): Promise<void> => {
    signal?.throwIfAborted();
    await takeSteps(url, onDelay, signal);
  };
  const waitAfter = (error: unknown): number | undefined => {
    signal?.throwIfAborted();
    if (!IN_USE.has(codeOf(error))) return undefined;
    onDelay({ kind: 'in-use', error });
    return LOOK_AGAIN_MS;
  };
  await patiently(attempt, waitAfter, { signal });
}

async function takeSteps(url: string, onDelay: OnDelay, signal: AbortSignal | undefined): Promise<void> {
  let socket: Socket | undefined;
  const pool = new Pool({
    connectionString: url,
    max: 1,
    onConnect: async (client) => {
      await client.query(SETTINGS);
      await client.query(NOTICE_WHO_LEFT).catch(() => {});
    },
    connectionTimeoutMillis: CONNECT_WITHIN_MS,
    keepAlive: true,
    // A step is silent until it is done: the operating system finds out within 15 s that the server is gone.
    keepAliveInitialDelayMillis: 5000,
    stream: () => {
      socket = socketWithTimeout();
      return socket;
    },
    application_name: 'lotsawa migration',
  });
  pool.on('error', () => {});
  pool.on('connect', (client) => client.on('error', () => {}));
  const leave = (): void => void socket?.destroy();
  signal?.addEventListener('abort', leave);
  const dialect = new PostgresDialect({ pool });
  dialect.createAdapter = () => new TurnTakingAdapter(onDelay, signal);
  const kysely = new Kysely<Schema>({ dialect });
  try {
    const onBegin = (): void => {
      socket?.setTimeout(0);
      onDelay({ kind: 'migrating' });
    };
    await migrate(kysely, 'postgres', { onBegin, schema: await schemaOfTables(kysely) });
  } finally {
    signal?.removeEventListener('abort', leave);
    await kysely.destroy();
  }
}

/** The schema of the tables: Kysely would take another program's table of the same name, in another schema, for ours. */
async function schemaOfTables(database: Kysely<Schema>): Promise<string | undefined> {
  const { rows } = await sql<{ schema: string | null }>`
    select coalesce(
      (select relnamespace::regnamespace::text from pg_class where oid = to_regclass('kysely_migration')),
      current_schema()
    ) as schema`.execute(database);
  return rows[0]?.schema ?? undefined;
}

/** How often to look whether another process has finished, in ms. */
const TURN_EVERY_MS = 250;
/** Kysely's own lock. */
const LOCK = 3853314791062309107n;

/**
 * Asks for the lock until it is free, where Kysely waits silently for up to an hour. Throws the reason of `signal` when that aborts while
 * another process migrates.
 */
class TurnTakingAdapter extends PostgresAdapter {
  readonly #onDelay: OnDelay;
  readonly #signal: AbortSignal | undefined;

  constructor(onDelay: OnDelay, signal: AbortSignal | undefined) {
    super();
    this.#onDelay = onDelay;
    this.#signal = signal;
  }

  override async acquireMigrationLock(database: Kysely<unknown>): Promise<void> {
    let isTold = false;
    const tryLock = async (): Promise<true | undefined> => {
      const { rows } = await sql<{ isOurs: boolean }>`
        select pg_try_advisory_lock(${LOCK}) as "isOurs"`.execute(database);
      if (rows[0]?.isOurs === true) return true;
      if (!isTold) this.#onDelay({ kind: 'others-migrate' });
      isTold = true;
      return undefined;
    };
    if ((await eventually(tryLock, TURN_EVERY_MS, this.#signal)) === undefined)
      this.#signal?.throwIfAborted();
  }

  override async releaseMigrationLock(database: Kysely<unknown>): Promise<void> {
    await sql`select pg_advisory_unlock(${LOCK})`.execute(database);
  }
}
