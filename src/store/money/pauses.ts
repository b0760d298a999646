/** Times in which no call of a kind is tried, because it could only fail: shared by all processes, kept over restarts. */
import type { EngineDatabase } from '../engine.ts';
import { orDatabaseFailure } from '../trouble.ts';

/** Spec §4: no call is tried again for 10 minutes, then one probe. In ms. */
const PAUSE_MS = 10 * 60 * 1000;

/** `free`: there is no pause. `probe`: it has run out, and this caller alone may find out whether it still holds. `paused`: not now. */
type Permission = 'free' | 'probe' | 'paused';

export interface Pauses {
  /** Those of the reasons that have a pause, run out or not. Throws `database`. */
  known(reasons: readonly string[]): Promise<string[]>;
  /** Whether a call may be tried; a probe begins the pause anew for all others. Throws `database`. */
  permission(reason: string): Promise<Permission>;
  /** Begins a pause; true for the one who began it, false where it was on already. Throws `database`. */
  begin(reason: string): Promise<boolean>;
  /** Begins one until a time (ms since the epoch) unless there is one that is not over; true for the one who began it. Throws `database`. */
  beginUntil(reason: string, until: number): Promise<boolean>;
  /** Whether one that was begun until a time is not over. Throws `database`. */
  isOn(reason: string): Promise<boolean>;
  /** Ends a pause: a call has succeeded. Throws `database`. */
  end(reason: string): Promise<void>;
}

/** Pauses that all processes on this database keep; one that is alone looks at them once. */
export function createPauses({
  sql: database,
  now,
  isAlone,
}: Pick<EngineDatabase, 'sql' | 'now' | 'isAlone'>): Pauses {
  let remembered: Set<string> | undefined;

  return {
    known: (reasons) =>
      orDatabaseFailure(async () => {
        if (remembered !== undefined) return reasons.filter((reason) => remembered?.has(reason));
        const rows = await database.selectFrom('pauses').select('reason').execute();
        const known = new Set(rows.map(({ reason }) => reason));
        if (isAlone) remembered = known;
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
          // Further ahead than a pause lasts: the clock has jumped back, and waiting for it would take too long.
          .where((row) => row.or([row('until', '<=', now()), row('until', '>', until)]))
          .executeTakeFirst();
        return probe.numUpdatedRows > 0n ? 'probe' : 'paused';
      }),
    begin: (reason) =>
      orDatabaseFailure(async () => {
        const begun = await database
          .insertInto('pauses')
          .values({ reason, until: now() + PAUSE_MS })
          .onConflict((conflict) => conflict.column('reason').doNothing())
          .executeTakeFirst();
        remembered?.add(reason);
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
        remembered?.delete(reason);
      }),
  };
}
