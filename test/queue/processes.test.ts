/**
 * Several processes on one PostgreSQL: each update is handled by one of them, lanes keep their order, and the death of a process loses
 * nothing.
 */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { MAX_STRIKES } from '../../src/queue/attempt.ts';
import type { Queue } from '../../src/queue/queue.ts';
import type { QueueHandler, QueueOptions } from '../../src/queue/work.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { aGate, anUpdate, doing, noting, Outage, openQueue } from './open-queue.ts';

/** What one process has: its own connections and its own queue. */
interface Process {
  readonly database: PostgresDatabase;
  readonly queue: Queue;
  /** As a kill looks to the others: its connections are gone, and it says nothing more. */
  kill(): Promise<void>;
}

const server = usePostgresServer();
let url: string;
let processes: Process[];
beforeEach(async () => {
  url = await server.createDatabase();
  processes = [];
});
afterEach(async () => {
  for (const { queue, database } of processes) {
    await queue.stop(0);
    await database.close();
  }
});

async function aProcess(options: Partial<QueueOptions> = {}): Promise<Process> {
  const database = await openPostgres(url, () => {});
  const { queue } = await openQueue(database, options);
  const process: Process = {
    database,
    queue,
    kill: async () => {
      processes = processes.filter((other) => other !== process);
      await database.close();
      await queue.stop(0);
    },
  };
  processes.push(process);
  return process;
}

it('processes that start together on an empty database all start', async () => {
  await Promise.all(Array.from({ length: 4 }, () => aProcess()));
  const handled: unknown[] = [];
  await Promise.all(processes.map(({ queue }) => queue.start(noting(handled))));
  await processes[0]?.queue.push([anUpdate('anna', 'hello')]);
  await expect.poll(() => handled).toEqual(['hello']);
});

it('each update is handled by one process, and a lane never runs in two', async () => {
  const started = await Promise.all([aProcess(), aProcess(), aProcess()]);
  const running = new Set<string>();
  const handled = new Map<string, number[]>();
  const workers = new Set<number>();
  const collisions: string[] = [];
  const handler = (worker: number): QueueHandler =>
    doing(async ({ bodies: [body] }) => {
      const [lane = '', number] = String(body).split(':');
      if (running.has(lane)) collisions.push(lane);
      running.add(lane);
      workers.add(worker);
      await new Promise(setImmediate);
      handled.set(lane, [...(handled.get(lane) ?? []), Number(number)]);
      running.delete(lane);
    });
  await Promise.all(started.map(({ queue }, worker) => queue.start(handler(worker))));
  const lanes = Array.from({ length: 12 }, (_, lane) => `lane${lane}`);
  const numbers = Array.from({ length: 15 }, (_, number) => number);
  for (const number of numbers) {
    await started[number % 3]?.queue.push(lanes.map((lane) => anUpdate(lane, `${lane}:${number}`)));
  }
  await expect.poll(() => started[0]?.queue.requests.depth()).toBe(0);
  expect(collisions).toEqual([]);
  for (const lane of lanes) expect(handled.get(lane)).toEqual(numbers);
  expect(workers.size).toBeGreaterThan(1);
});

it('an update that two processes receive at the same moment is handled once', async () => {
  const [one, other] = await Promise.all([aProcess(), aProcess()]);
  const handled: unknown[] = [];
  await Promise.all([one, other].map(({ queue }) => queue.start(noting(handled))));
  const updates = Array.from({ length: 20 }, (_, number) => anUpdate(`lane${number % 4}`, number));
  await Promise.all([one.queue.push(updates), other.queue.push(updates)]);
  await expect.poll(() => one.queue.requests.depth()).toBe(0);
  expect(handled).toHaveLength(20);
});

it('a press that two processes receive at the same moment counts once', async () => {
  const [one, other] = await Promise.all([aProcess(), aProcess()]);
  const handled: unknown[] = [];
  const press = () => anUpdate('anna', 'press', { once: 'press' });
  await Promise.all(
    Array.from({ length: 5 }, () => [one.queue.push([press()]), other.queue.push([press()])]).flat(),
  );
  await one.queue.start(noting(handled));
  await expect.poll(() => one.queue.requests.depth()).toBe(0);
  expect(handled).toEqual(['press']);
});

it('the parts of an album that several processes receive at the same moment are handled in one piece', async () => {
  const [one, other] = await Promise.all([aProcess(), aProcess()]);
  const handled = new Map<unknown, number>();
  const count = doing(({ bodies: [lane, ...more] }) => {
    handled.set(lane, (handled.get(lane) ?? 0) + 1 + more.length);
  });
  await Promise.all([one, other].map(({ queue }) => queue.start(count)));
  const lanes = Array.from({ length: 25 }, (_, lane) => `lane${lane}`);
  const parts = lanes.flatMap((lane) => [1, 2, 3, 4].map(() => anUpdate(lane, lane, { album: lane })));
  await Promise.all(parts.map((part, index) => [one, other][index % 2]?.queue.push([part])));
  await expect.poll(() => one.queue.requests.depth()).toBe(0);
  expect(handled).toEqual(new Map(lanes.map((lane) => [lane, 4])));
});

it('a clock of the server that is set back by an hour holds up no album', async () => {
  const { queue, database } = await aProcess();
  await queue.push([anUpdate('anna', 'photo', { album: 'album' })]);
  await database.sql
    .updateTable('requests')
    .set((row) => ({ due_at: row('due_at', '+', 60 * 60 * 1000) }))
    .execute();
  const handled: unknown[] = [];
  await queue.start(noting(handled));
  await expect.poll(() => handled).toEqual(['photo']);
});

describe('a process that dies', () => {
  it('is looked for among what is taken, not in all that waits', async () => {
    const { database, queue } = await aProcess({ workers: 1 });
    const gate = aGate();
    await queue.start(doing(() => gate.passed));
    await queue.push(Array.from({ length: 1000 }, (_, number) => anUpdate(`lane${number}`, number)));
    // No query of the queue but this one uses that index.
    const looks = async () => {
      const { rows } = await sql<{ looks: number }>`
        select idx_scan as looks from pg_stat_user_indexes where indexrelname = 'requests_by_process'`.execute(
        database.sql,
      );
      return rows[0]?.looks;
    };
    await expect.poll(looks).toBeGreaterThan(0);
    gate.open();
  });

  it('has its work taken over by another, in order and with the answers that were confirmed', async () => {
    const dying = await aProcess();
    const begun: unknown[] = [];
    await dying.queue.start(
      doing(async ({ bodies, note }) => {
        await note([{ id: Number(bodies[0]), kind: 'text' }]);
        begun.push(...bodies);
        await new Promise(() => {});
      }),
    );
    const updates = [1, 2, 3].flatMap((number) => ['anna', 'pema'].map((lane) => anUpdate(lane, number, {})));
    await dying.queue.push(updates);
    await expect.poll(() => begun).toEqual([1, 1]);
    const other = await aProcess();
    const handled: [unknown, readonly unknown[]][] = [];
    await other.queue.start(
      doing(({ bodies: [body], request: { sent } }) => {
        handled.push([body, sent.map(({ id }) => id)]);
      }),
    );
    void dying.kill();
    await expect.poll(() => other.queue.requests.depth()).toBe(0);
    expect(handled.map(([body]) => body).sort()).toEqual([1, 1, 2, 2, 3, 3]);
    expect(handled.filter(([body]) => body === 1)).toEqual([
      [1, [1]],
      [1, [1]],
    ]);
  });

  it('again and again over the same update is not helped for ever: the update becomes a dead letter', async () => {
    const first = await aProcess();
    await first.queue.push([anUpdate('anna', 'poison'), anUpdate('anna', 'good')]);
    for (let death = 1; death <= MAX_STRIKES; death += 1) {
      const victim = await aProcess();
      const isBegun = aGate();
      await victim.queue.start(
        doing(async () => {
          isBegun.open();
          await new Promise(() => {});
        }),
      );
      await isBegun.passed;
      void victim.kill();
    }
    const handled: unknown[] = [];
    await first.queue.start(noting(handled));
    await expect.poll(() => handled).toEqual(['good']);
    const [listed] = await first.queue.deadLetters.list();
    expect(listed?.lane).toBe('anna');
    expect(await first.queue.deadLetters.retry(listed?.id ?? '')).toBe(true);
    await expect.poll(() => handled).toEqual(['good', 'poison']);
  });
});

it('a process that waits for its last work leaves at once what waits for its time', async () => {
  const [leaving, staying] = await Promise.all([aProcess(), aProcess()]);
  const handled: unknown[] = [];
  const [begun, failed, gate] = [aGate(), aGate(), aGate()];
  await leaving.queue.start(
    doing(async ({ bodies }) => {
      if (bodies[0] === 'long') {
        begun.open();
        await gate.passed;
        return;
      }
      failed.open();
      throw new Outage();
    }),
  );
  await leaving.queue.push([anUpdate('anna', 'long'), anUpdate('pema', 'to be tried again')]);
  await Promise.all([begun.passed, failed.passed]);
  await leaving.queue.push([anUpdate('tenzin', 'part', { album: 'album' })]);
  await staying.queue.start(noting(handled));
  const stopped = leaving.queue.stop(30_000);
  await expect.poll(() => handled).toEqual(expect.arrayContaining(['to be tried again', 'part']));
  gate.open();
  await stopped;
  expect(handled).toHaveLength(2);
});
