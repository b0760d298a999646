/** A queue on a database of its own, as the bot has it. */
import { createLog } from '../../src/log.ts';
import { Queue } from '../../src/queue/queue.ts';
import { openDatabase } from '../../src/store/database.ts';
import type { DatabaseConfig } from '../../src/store/engine.ts';

const WORKERS = 16;

/** Opens the queue, with what is left in that database; does not start it. */
export async function openQueue(
  config: DatabaseConfig,
): Promise<{ queue: Queue; close: () => Promise<void> }> {
  const database = await openDatabase(config);
  const options = { workers: WORKERS, isOutage: () => false, onFailure: () => {}, onDeadLetter: () => {} };
  const queue = new Queue(database, { ...options, log: createLog('silent') });
  return { queue, close: () => database.close() };
}
