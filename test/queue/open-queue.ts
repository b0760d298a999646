/** A queue on either engine with a handler that a test steers. */
import { createLog } from '../../src/log.ts';
import { openQueue as openOnEngine } from '../../src/queue/open-queue.ts';
import type { Queue, QueuedUpdate, QueueHandler, QueueOptions } from '../../src/queue/queue.ts';
import type { Database } from '../../src/store/database.ts';

export class Outage extends Error {}

export interface GivenUp {
  readonly bodies: readonly unknown[];
  readonly reason: string;
}

export interface TestQueue {
  readonly queue: Queue;
  /** What was given up. */
  readonly deadLetters: GivenUp[];
}

/** Opens a queue that handles with `handler` once it is started. */
export async function openQueue(database: Database, more: Partial<QueueOptions> = {}): Promise<TestQueue> {
  const deadLetters: GivenUp[] = [];
  const options: QueueOptions = {
    workers: 8,
    isOutage: (error) => error instanceof Outage,
    onFailure: () => {},
    onDeadLetter: (bodies, reason) => deadLetters.push({ bodies, reason }),
    ...more,
  };
  const queue = await openOnEngine(database, { ...options, log: createLog('silent') });
  return { queue, deadLetters };
}

let updateId = 0;

/** An update that was never received before, of this lane. */
export function anUpdate(lane: string, body: unknown, more: Partial<QueuedUpdate> = {}): QueuedUpdate {
  updateId += 1;
  return { lane, updateId, body, ...more };
}

/** A handler that notes what it is given. */
export function noting(handled: unknown[]): QueueHandler {
  return async ({ bodies }) => {
    handled.push(...bodies);
  };
}

export interface Gate {
  /** Resolves when the gate is opened. */
  readonly passed: Promise<void>;
  open(): void;
}

/** Closed until it is opened. */
export function aGate(): Gate {
  const { promise, resolve } = Promise.withResolvers<void>();
  return { passed: promise, open: resolve };
}
