/** The queue of the configured engine. */
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { Queue, QueueOptions } from './queue.ts';
import { createSqliteQueue } from './sqlite-queue.ts';

/** A durable queue on this database, that handles nothing before its `start`. */
export async function openQueue(
  database: Database,
  options: QueueOptions & { readonly log: Log },
): Promise<Queue> {
  if (database.engine === 'sqlite') return createSqliteQueue(database, options);
  // What a bot on SQLite never uses costs it neither time at the start nor memory.
  const { createPostgresQueue } = await import('./postgres-queue.ts');
  return createPostgresQueue(database, options);
}
