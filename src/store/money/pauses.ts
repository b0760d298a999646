/**
 * Times until which something is not done again, by reason: calls that could only fail are not tried, and admins are not told again of the
 * day's budget. All processes share them; they survive restarts.
 */
import { orDatabaseFailure } from '../database-errors.ts';
import type { EngineDatabase } from '../engine.ts';

/** In ms (spec §4): no call for 10 minutes, then one probe. */
const PAUSE_MS = 10 * 60 * 1000;

/**
 * - `free`: there is no pause
 * - `probe`: the pause has run out, and this caller alone may try whether calls work again
 * - `paused`: not now
 */
type Permission = 'free' | 'probe' | 'paused';

export interface Pauses {
  /** Filters the reasons that have a pause, run out or not. Throws `database`. */
  known(reasons: readonly string[]): Promise<string[]>;
  /** Whether a call may be tried; giving `probe` begins the pause anew for everybody else. Throws `database`. */
  permission(reason: string): Promise<Permission>;
  /** Gives a probe back that proved nothing: the next caller may have it. Throws `database`. */
  release(reason: string): Promise<void>;
  /** Begins a pause; false if there is one already. Throws `database`. */
  begin(reason: string): Promise<boolean>;
  /** Begins a pause until a time (ms since the epoch); false if one is on already. Throws `database`. */
  beginUntil(reason: string, until: number): Promise<boolean>;
  /** Whether a pause of `beginUntil` is still on. Throws `database`. */
  isOn(reason: string): Promise<boolean>;
  /** Ends a pause, after a call that succeeded. Throws `database`. */
  end(reason: string): Promise<void>;
}

/** The pauses of all processes on this database. */
export function createPauses({ sql: database, now }: Pick<EngineDatabase, 'sql' | 'now'>): Pauses {
  return {
    known: (reasons) =>
      orDatabaseFailure(async () => {
        // All of them: there are hardly ever any.
        const rows = await database.selectFrom('pauses').select('reason').execute();
        const known = new Set(rows.map(({ reason }) => reason));
        return reasons.filter((reason) => known.has(reason));
      }),
    permission: (reason) =>
      orDatabaseFailure(async () => {
        const pause = await database
          .selectFrom('pauses')
          .select('until')
          .where('reason', '=', reason)
          .executeTakeFirst();
        if (pause === undefined) return 'free';
        const until = now() + PAUSE_MS;
        const probe = await database
          .updateTable('pauses')
          .set({ until })
          .where('reason', '=', reason)
          // Further ahead than a pause lasts: the clock has jumped back, so this pause would last too long.
          .where((row) => row.or([row('until', '<=', now()), row('until', '>', until)]))
          .executeTakeFirst();
        return probe.numUpdatedRows > 0n ? 'probe' : 'paused';
      }),
    release: (reason) =>
      orDatabaseFailure(async () => {
        await database.updateTable('pauses').set({ until: now() }).where('reason', '=', reason).execute();
      }),
    begin: (reason) =>
      orDatabaseFailure(async () => {
        const begun = await database
          .insertInto('pauses')
          .values({ reason, until: now() + PAUSE_MS })
          .onConflict((conflict) => conflict.column('reason').doNothing())
          .executeTakeFirst();
        return (begun.numInsertedOrUpdatedRows ?? 0n) > 0n;
      }),
    beginUntil: (reason, until) =>
      orDatabaseFailure(async () => {
        const begun = await database
          .insertInto('pauses')
          .values({ reason, until })
          .onConflict((conflict) =>
            conflict
              .column('reason')
              .doUpdateSet({ until })
              // Later than the one asked for: the clock has jumped back.
              .where((row) => row.or([row('pauses.until', '<=', now()), row('pauses.until', '>', until)])),
          )
          .returning('reason')
          .executeTakeFirst();
        return begun !== undefined;
      }),
    isOn: (reason) =>
      orDatabaseFailure(async () => {
        const on = await database
          .selectFrom('pauses')
          .select('reason')
          .where('reason', '=', reason)
          .where('until', '>', now())
          .executeTakeFirst();
        return on !== undefined;
      }),
    end: (reason) =>
      orDatabaseFailure(async () => {
        await database.deleteFrom('pauses').where('reason', '=', reason).execute();
      }),
  };
}
