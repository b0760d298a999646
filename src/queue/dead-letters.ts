/** Dead letters: requests that the bot gave up. An operator retries or drops them (`npm run queue`). */
import { sql } from 'kysely';
import type { RequestTable } from './request-table.ts';

interface DeadLetter {
  readonly id: string;
  /** ms since the epoch */
  readonly givenUpAt: number;
  readonly reason: string;
  readonly lane: string;
}

/** All methods throw `database` when the database is unreachable. */
export class DeadLetters {
  readonly #table: RequestTable;

  constructor(table: RequestTable) {
    this.#table = table;
  }

  /** Lists the dead letters, oldest first. */
  async list(): Promise<DeadLetter[]> {
    const { rows } = await this.#table.run<{
      id: number;
      lane: string;
      at: number;
      reason: string | null;
    }>(sql`
      select id, lane, at, reason from requests where state = 'dead' order by id`);
    return rows.map(({ id, lane, at, reason }) => ({
      id: String(id),
      lane,
      givenUpAt: Number(at),
      reason: reason ?? '',
    }));
  }

  /** Queues a dead letter again; false for an unknown id. */
  async retry(id: string): Promise<boolean> {
    const { rows } = await this.#table.run<{ lane: string }>(sql`
      select lane from requests where id = ${Number(id)} and state = 'dead'`);
    const [dead] = rows;
    if (dead === undefined) return false;
    return this.#table.transaction([dead.lane], async (transaction) => {
      const { numAffectedRows } = await sql`
        update requests set state = 'waiting', reason = null, strikes = 0, failures = 0, due_at = 0
        where id = ${Number(id)} and state = 'dead'`.execute(transaction);
      return numAffectedRows === 1n;
    });
  }

  /** Deletes a dead letter; false for an unknown id. */
  async drop(id: string): Promise<boolean> {
    const { numAffectedRows } = await this.#table.run(sql`
      delete from requests where id = ${Number(id)} and state = 'dead'`);
    return numAffectedRows === 1n;
  }
}
