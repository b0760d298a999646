/** The way to the table `requests` on either engine: its transactions with the lanes' heads, and who is told of changes. */
import { EventEmitter } from 'node:events';
import { type RawBuilder, sql, type Transaction } from 'kysely';
import type { Database } from '../store/database.ts';
import { SOON } from '../store/engine.ts';
import type { Schema } from '../store/schema.ts';

/** `due`: there may be requests to take. `changed`: a request was cancelled or edited, maybe while it runs. */
interface Events {
  due: [];
  changed: [id: number];
}

/** The channel that tells the other processes; its payload is empty (`due`), or the id of a request that was changed. */
export const CHANNEL = 'lotsawa_requests';

/** All methods throw `database` when the database does not answer. */
export class RequestTable extends EventEmitter<Events> {
  readonly database: Database;
  /** The number of this process; on SQLite there is one. */
  readonly process: number;
  /** The clock of `due_at`, in ms: the server's, which all processes share, or one that nobody sets. */
  readonly clock: () => number;

  constructor(database: Database) {
    super();
    this.database = database;
    this.process = database.engine === 'postgres' ? database.session.process : 1;
    this.clock = database.engine === 'postgres' ? database.session.now : monotonic;
  }

  /** Runs a write of these lanes, which appoints their heads at the end, and tells who takes requests. */
  async transaction<T>(
    lanes: readonly string[],
    write: (transaction: Transaction<Schema>) => Promise<T>,
    { isDurable = false }: { readonly isDurable?: boolean } = {},
  ): Promise<T> {
    const { sql: database, durably, engine } = this.database;
    const writeAndAppoint = async (transaction: Transaction<Schema>): Promise<T> => {
      // The lock comes first: only a statement that begins after the others' commit sees what they took in.
      if (engine === 'postgres') await lockLanes(transaction, lanes, isDurable);
      const result = await write(transaction);
      if ((await appointHeads(transaction, lanes)) > 0) await this.notify(transaction, '');
      return result;
    };
    const onCommit = (): void => {
      if (engine === 'sqlite') this.emit('due');
    };
    // Handling does not wait for the disk, only Telegram's receipt does: after a power cut it brings the update again.
    if (isDurable) return durably(writeAndAppoint, onCommit);
    const result = await database.transaction().execute(writeAndAppoint);
    onCommit();
    return result;
  }

  /** Runs one statement. */
  run<R>(statement: RawBuilder<R>) {
    return statement.execute(this.database.sql);
  }

  /** Tells all processes that there may be requests to take. */
  async announce(): Promise<void> {
    if (this.database.engine === 'sqlite') this.emit('due');
    else await this.run(sql`select pg_notify(${CHANNEL}, '')`);
  }

  /** Tells the other processes once the transaction is committed (`CHANNEL`). */
  async notify(transaction: Transaction<Schema>, payload: string): Promise<void> {
    if (this.database.engine === 'postgres')
      await sql`select pg_notify(${CHANNEL}, ${payload})`.execute(transaction);
  }
}

function monotonic(): number {
  return Math.round(performance.timeOrigin + performance.now());
}

/** The lanes of rows, each once, sorted, so that processes cannot deadlock on their locks. */
export function lanesOf(rows: readonly { readonly lane: string }[]): string[] {
  return [...new Set(rows.map(({ lane }) => lane))].sort();
}

/**
 * Until its end, only this transaction takes updates in for these lanes, or decides who is next in them. The lanes are sorted, so that
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

/** Makes the first request that waits in each of these (locked) lanes its head, where there is none; gives the number of new heads. */
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
