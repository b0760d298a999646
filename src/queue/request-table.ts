/** Access to the table `requests` on either engine: transactions that keep the lanes' heads, and notifications. */
import { EventEmitter } from 'node:events';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { SOON } from '../store/engine.ts';
import type { Schema } from '../store/schema.ts';

/** `due`: requests may be ready to take. `changed`: a request was cancelled or edited, maybe while running. */
interface Events {
  due: [];
  changed: [id: number];
}

/** The notification channel; its payload is empty (`due`) or the id of a changed request. */
export const CHANNEL = 'lotsawa_requests';

/** All methods throw `database` when the database is unreachable. */
export class RequestTable extends EventEmitter<Events> {
  readonly database: Database;
  /** The number of this process; 1 on SQLite. */
  readonly process: number;

  constructor(database: Database) {
    super();
    this.database = database;
    this.process = database.engine === 'postgres' ? database.session.process : 1;
  }

  /** The present time by the clock of `due_at`, in ms: the server's, which all processes share, or a monotonic one. */
  get now(): RawBuilder<number> {
    return this.database.engine === 'postgres'
      ? // A query of its own is run once for all rows.
        sql`(select (extract(epoch from statement_timestamp()) * 1000)::bigint)`
      : sql`${Math.round(performance.timeOrigin + performance.now())}`;
  }

  /**
   * Runs a write on these lanes, appoints their heads, and notifies the processes. With `onCommit`, resolves only once the write is on disk,
   * and calls that with the result before, when others see it.
   */
  async transaction<T>(
    lanes: readonly string[],
    write: (transaction: Transaction<Schema>) => Promise<T>,
    onCommit?: (result: T) => void,
  ): Promise<T> {
    const { sql: database, durably, engine } = this.database;
    const writeAndAppoint = async (transaction: Transaction<Schema>): Promise<T> => {
      // Lock first: only a statement that begins after the other's commit sees its rows.
      if (engine === 'postgres') await lockLanes(transaction, lanes, onCommit !== undefined);
      written = await write(transaction);
      if ((await appointHeads(transaction, lanes)) > 0) await this.notify(transaction, '');
      return written;
    };
    let written: T;
    const committed = (): void => {
      onCommit?.(written);
      if (engine === 'sqlite') this.emit('due');
    };
    // Only Telegram's receipt waits for the disk; handling does not: after a power cut Telegram sends the update again.
    if (onCommit !== undefined) return durably(writeAndAppoint, committed);
    const result = await database.transaction().execute(writeAndAppoint);
    committed();
    return result;
  }

  run<R>(statement: RawBuilder<R>) {
    return statement.execute(this.database.sql);
  }

  /** Notifies all processes that requests may be ready to take. */
  async announce(): Promise<void> {
    if (this.database.engine === 'sqlite') this.emit('due');
    else await this.run(sql`select pg_notify(${CHANNEL}, '')`);
  }

  /** Notifies the other processes when the transaction commits. */
  async notify(transaction: Transaction<Schema>, payload: string): Promise<void> {
    if (this.database.engine === 'postgres')
      await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(transaction);
  }
}

/** Returns the lanes of rows, each once, sorted so that processes cannot deadlock on their locks. */
export function lanesOf(rows: readonly { readonly lane: string }[]): string[] {
  return [...new Set(rows.map(({ lane }) => lane))].sort();
}

/**
 * Locks lanes until the transaction ends: nobody else inserts into them or appoints their heads. The lanes must be sorted, so that
 * processes cannot deadlock.
 */
async function lockLanes(
  transaction: Transaction<Schema>,
  lanes: readonly string[],
  isDurable: boolean,
): Promise<void> {
  await sql`
    select pg_advisory_xact_lock(hashtextextended(lane, 1)) ${isDurable ? sql`` : sql`, ${SOON}`}
    from unnest(${lanes}::text[]) as lane`.execute(transaction);
}

/** Makes the first waiting request of each (locked) lane its head, where the lane has none; returns the number of new heads. */
async function appointHeads(transaction: Transaction<Schema>, lanes: readonly string[]): Promise<number> {
  const free = sql.join(
    lanes.map((lane) => sql`select cast(${lane} as text) as lane`),
    sql` union all `,
  );
  const { numAffectedRows = 0n } = await sql`
    update requests set head = 1
    where id in (
      select (
        select id from requests as waiting
        where waiting.lane = free.lane and waiting.state = 'waiting' order by waiting.id limit 1
      )
      from (${free}) as free
      where not exists (select 1 from requests as other where other.lane = free.lane and other.head = 1)
    )`.execute(transaction);
  return Number(numAffectedRows);
}
