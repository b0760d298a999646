/** A queue on either engine with a handler that a test steers. */
import { createLog } from '../../src/log.ts';
import type { Attempt } from '../../src/queue/attempt.ts';
import type { QueueHandler } from '../../src/queue/queue.ts';
import { Queue, type QueueOptions } from '../../src/queue/queue.ts';
import type { NewRequest } from '../../src/queue/request-table.ts';
import type { Database } from '../../src/store/database.ts';

export class Outage extends Error {}

interface GivenUp {
  readonly bodies: readonly unknown[];
  readonly reason: string;
}

export interface TestQueue {
  readonly queue: Queue;
  /** What was given up. */
  readonly deadLetters: GivenUp[];
}

/** Opens a queue, which handles nothing before its `start`. */
export async function openQueue(database: Database, more: Partial<QueueOptions> = {}): Promise<TestQueue> {
  const deadLetters: GivenUp[] = [];
  const queue = new Queue(database, {
    workers: 8,
    isOutage: (error) => error instanceof Outage,
    onDeadLetter: (bodies, reason) => deadLetters.push({ bodies, reason }),
    log: createLog('silent'),
    ...more,
  });
  return { queue, deadLetters };
}

let updateId = 0;

/** An update that was never received before, of this lane. */
export function anUpdate(lane: string, body: unknown, more: Partial<NewRequest> = {}): NewRequest {
  updateId += 1;
  return { lane, updateId, body, ...more };
}

/** A handler that does the work, with nothing more to say of it. */
export function doing(work: (attempt: Attempt) => unknown): QueueHandler {
  return async (given) => {
    await work(given);
    return { state: 'done', sent: [] };
  };
}

/** A handler that notes what it is given. */
export function noting(handled: unknown[]): QueueHandler {
  return doing(({ bodies }) => handled.push(...bodies));
}
