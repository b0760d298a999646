/** Measures the cost of keeping every update on disk in PostgreSQL, and how several processes share the work. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { Queue } from '../src/queue/queue.ts';
import type { DatabaseConfig } from '../src/store/engine.ts';
import { startPostgresServer } from '../test/postgres-server.ts';
import { openQueue } from './inside/queue.ts';

const UPDATES = 1000;
/** Three times the workers of four processes, so that no worker waits for a lane. */
const LANES = 200;
/** Updates at the beginning and at the end that do not count, since not all workers have work then. */
const SKIPPED_SHARE = 0.2;
/** The usual size of a getUpdates answer under load. */
const BATCH = 10;
/** The time that the service takes, where it dominates, in ms. */
const WORK_MS = 150;
const MAX_PROCESSES = 4;

/** `updateMs`: one process with nothing else to do, per update. `scaling`: throughput of four processes beside one. */
export async function measurePostgres(): Promise<{ updateMs: number; scaling: number }> {
  const server = await startPostgresServer();
  try {
    const perSecond = await oneProcess({ engine: 'postgres', url: await server.createDatabase() });
    const one = await severalProcesses(await server.createDatabase(), 1);
    const most = await severalProcesses(await server.createDatabase(), MAX_PROCESSES);
    return { updateMs: 1000 / perSecond, scaling: most / one };
  } finally {
    await server.close();
  }
}

async function pushAll(queue: Queue): Promise<void> {
  for (let first = 0; first < UPDATES; first += BATCH) {
    const numbers = Array.from({ length: BATCH }, (_, index) => first + index);
    await queue.push(
      numbers.map((number) => ({
        lane: String(number % LANES),
        updateId: number + 1,
        body: { update_id: number + 1 },
      })),
    );
  }
}

/** Updates per second from the first push to the last handled, with a handler that does nothing. */
async function oneProcess(config: DatabaseConfig): Promise<number> {
  const { queue, close } = await openQueue(config);
  const all = Promise.withResolvers<void>();
  let handled = 0;
  await queue.start(async () => {
    handled += 1;
    if (handled === UPDATES) all.resolve();
    return { state: 'done', sent: [] };
  });
  const start = performance.now();
  await pushAll(queue);
  await all.promise;
  const perSecond = (UPDATES * 1000) / (performance.now() - start);
  await queue.stop(1000);
  await close();
  return perSecond;
}

/** Updates per second of this many processes at full load, most of which is waiting for the service. */
async function severalProcesses(address: string, count: number): Promise<number> {
  const children = Array.from({ length: count }, () =>
    fork(fileURLToPath(new URL('inside/queue-worker.ts', import.meta.url)), [address, String(WORK_MS)]),
  );
  const all = Promise.withResolvers<void>();
  const handledAt: number[] = [];
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) {
    child.on('message', () => {
      handledAt.push(performance.now());
      if (handledAt.length === UPDATES) all.resolve();
    });
  }
  const { queue, close } = await openQueue({ engine: 'postgres', url: address });
  await pushAll(queue);
  await all.promise;
  const counted = handledAt.slice(UPDATES * SKIPPED_SHARE, UPDATES * (1 - SKIPPED_SHARE));
  const perSecond = ((counted.length - 1) * 1000) / ((counted.at(-1) ?? 0) - (counted[0] ?? 0));
  await Promise.all(
    children.map(async (child) => {
      child.send('stop');
      await once(child, 'exit');
    }),
  );
  await queue.stop(0);
  await close();
  return perSecond;
}
