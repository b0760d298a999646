/** Opens the queue of the configured engine. */
import type { Log } from '../log.ts';
import type { Database } from '../store/database.ts';
import type { Queue, QueueOptions } from './queue.ts';
import { createSqliteQueue } from './sqlite-queue.ts';

/** Creates a durable queue on this database, which handles nothing before its `start`. */
export async function openQueue(
  database: Database,
  options: QueueOptions & { readonly log: Log },
): Promise<Queue> {
  if (database.engine === 'sqlite') return createSqliteQueue(database, options);
  // Loaded on demand, so that a bot on SQLite pays neither start time nor memory for it.
  const { createPostgresQueue } = await import('./postgres-queue.ts');
  return createPostgresQueue(database, options);
}
