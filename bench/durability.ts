/** What it costs to keep every update on disk, on each engine; and how several processes on one PostgreSQL share the work. */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { DatabaseConfig } from '../src/config.ts';
import { createLog } from '../src/log.ts';
import { openPostgresQueue } from '../src/queue/postgres.ts';
import type { Queue } from '../src/queue/queue.ts';
import { createSqliteQueue } from '../src/queue/sqlite.ts';
import { openDatabase } from '../src/store/database.ts';
import { startPostgresServer } from '../test/postgres-server.ts';

const UPDATES = 1000;
const LANES = 100;
/** As many as an answer of getUpdates often brings under load. */
const BATCH = 10;
/** The time that the service takes, where it dominates, in ms. */
const WORK_MS = 150;
const WORKERS = 16;

const [role, url = '', workMs = '0'] = process.argv.slice(2);
if (role === 'worker') await work(url, Number(workMs));
else await compare();

async function open(config: DatabaseConfig): Promise<{ queue: Queue; close: () => Promise<void> }> {
  const database = await openDatabase(config);
  const options = { workers: WORKERS, isOutage: () => false, onFailure: () => {}, onSetAside: () => {} };
  const queue =
    database.engine === 'sqlite'
      ? createSqliteQueue(database.sql, options)
      : await openPostgresQueue(database, { ...options, log: createLog('silent') });
  return { queue, close: () => database.close() };
}

/** A process that handles updates until it is told to stop, and tells of each. */
async function work(address: string, ms: number): Promise<void> {
  const { queue, close } = await open({ engine: 'postgres', url: address });
  await queue.start(async () => {
    await delay(ms);
    process.send?.('handled');
  });
  process.send?.('ready');
  await once(process, 'message');
  await queue.stop(1000);
  await close();
  process.disconnect();
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
  const { queue, close } = await open(config);
  const all = Promise.withResolvers<void>();
  let handled = 0;
  await queue.start(async () => {
    handled += 1;
    if (handled === UPDATES) all.resolve();
  });
  const start = performance.now();
  await pushAll(queue);
  await all.promise;
  const perSecond = (UPDATES * 1000) / (performance.now() - start);
  await queue.stop(1000);
  await close();
  return perSecond;
}

async function severalProcesses(address: string, count: number): Promise<number> {
  const children = Array.from({ length: count }, () =>
    fork(fileURLToPath(import.meta.url), ['worker', address, String(WORK_MS)]),
  );
  const all = Promise.withResolvers<void>();
  let handled = 0;
  await Promise.all(children.map((child) => once(child, 'message')));
  for (const child of children) {
    child.on('message', () => {
      handled += 1;
      if (handled === UPDATES) all.resolve();
    });
  }
  const { queue, close } = await open({ engine: 'postgres', url: address });
  const start = performance.now();
  await pushAll(queue);
  await all.promise;
  const perSecond = (UPDATES * 1000) / (performance.now() - start);
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

async function compare(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'lotsawa-bench-'));
  const server = await startPostgresServer();
  const row = (what: string, perSecond: number): void => {
    console.log(
      `${what.padEnd(48)} ${perSecond.toFixed(0).padStart(6)} /s ${(1000 / perSecond).toFixed(2).padStart(8)} ms each`,
    );
  };
  row('SQLite, nothing to do', await oneProcess({ engine: 'sqlite', path: join(folder, 'bench.db') }));
  row(
    'PostgreSQL, nothing to do',
    await oneProcess({ engine: 'postgres', url: await server.createDatabase() }),
  );
  for (const count of [1, 2, 4]) {
    row(
      `PostgreSQL, ${WORK_MS} ms of work, ${count} process(es)`,
      await severalProcesses(await server.createDatabase(), count),
    );
  }
  await server.close();
  rmSync(folder, { recursive: true, force: true });
}
