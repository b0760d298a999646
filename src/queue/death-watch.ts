/** Finds processes that died with work in their hands, long before pg-boss misses their heartbeat. */
import { type Kysely, sql } from 'kysely';
import { LIVING_PROCESSES } from '../store/postgres/living-processes.ts';
import type { Schema } from '../store/schema.ts';

/** Who lives comes back within this time, in ms, after losing the connections by which others see it. */
const DEAD_AFTER_MS = 3000;

export interface DeathWatch {
  /** The processes that have taken work and have not been seen for `DEAD_AFTER_MS` by looks that all succeeded. */
  look(): Promise<number[]>;
  /** Begins anew: while the database was away nobody could be seen. */
  forget(): void;
}

/** Sees processes by their connections (living-processes.ts), which end with them. */
export function createDeathWatch(database: Kysely<Schema>): DeathWatch {
  let missingSince = new Map<number, number>();
  return {
    look: async () => {
      const missing = await database
        .selectFrom('queued_updates')
        .select('process')
        .distinct()
        .where('process', 'is not', null)
        .where('set_aside_at', 'is', null)
        .where(sql<boolean>`process not in (${sql.raw(LIVING_PROCESSES)})`)
        .execute();
      const now = performance.now();
      const processes = missing.flatMap(({ process }) => process ?? []);
      missingSince = new Map(processes.map((process) => [process, missingSince.get(process) ?? now]));
      return processes.filter((process) => now - (missingSince.get(process) ?? now) >= DEAD_AFTER_MS);
    },
    forget: () => missingSince.clear(),
  };
}
