/**
 * Several processes on one PostgreSQL: each update is handled by one of them, lanes keep their order, and the death of a process loses
 * nothing.
 */
import { sql } from 'kysely';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Attempt } from '../../src/queue/attempt.ts';
import type { Queue, QueueHandler, QueueOptions } from '../../src/queue/queue.ts';
import { MAX_STRIKES } from '../../src/queue/request-table.ts';
import { TakenOver } from '../../src/queue/requests.ts';
import { openPostgres, type PostgresDatabase } from '../../src/store/postgres/postgres.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { anUpdate, doing, noting, Outage, openQueue } from './open-queue.ts';

/** What one process has: its own connections and its own queue. */
interface Process {
  readonly database: PostgresDatabase;
  readonly queue: Queue;
  readonly deadLetters: readonly unknown[];
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
  const { queue, deadLetters } = await openQueue(database, options);
  const process: Process = {
    database,
    queue,
    deadLetters,
    kill: async () => {
      processes = processes.filter((other) => other !== process);
      await database.close();
      await queue.stop(0);
    },
  };
  processes.push(process);
  return process;
}

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
    await started[number % 3]?.queue.requests.push(lanes.map((lane) => anUpdate(lane, `${lane}:${number}`)));
  }
  await expect.poll(() => started[0]?.queue.requests.depth()).toBe(0);
  expect(collisions).toEqual([]);
  for (const lane of lanes) expect(handled.get(lane)).toEqual(numbers);
  expect(workers.size).toBeGreaterThan(1);
});

it('two processes count an update received by both once', async () => {
  const [one, other] = await Promise.all([aProcess(), aProcess()]);
  const handled = new Map<unknown, number[]>();
  const count = doing(({ bodies: [body, ...more] }) => {
    handled.set(body, [...(handled.get(body) ?? []), 1 + more.length]);
  });
  const presses = Array.from({ length: 10 }, () => anUpdate('anna', 'press', { once: 'press' }));
  const albums = Array.from({ length: 25 }, (_, number) => `album${number}`);
  const parts = albums.flatMap((album) => [1, 2, 3, 4].map(() => anUpdate(album, album, { album })));
  // Before the start: on a busy machine a part may come later than an album is waited for.
  await Promise.all(
    [...presses, ...parts].map((update, index) => [one, other][index % 2]?.queue.requests.push([update])),
  );
  await Promise.all([one, other].map(({ queue }) => queue.start(count)));
  const updates = Array.from({ length: 20 }, (_, number) => anUpdate(`lane${number % 4}`, number));
  await Promise.all([one, other].map(({ queue }) => queue.requests.push(updates)));
  await expect.poll(() => one.queue.requests.depth()).toBe(0);
  const once = ['press', ...updates.map(({ body }) => body)].map((body) => [body, [1]] as const);
  expect(handled).toEqual(
    new Map<unknown, readonly number[]>([...once, ...albums.map((album) => [album, [4]] as const)]),
  );
});

it('a server’s clock set back holds up no album', async () => {
  const { queue, database } = await aProcess();
  await queue.requests.push([anUpdate('anna', 'photo', { album: 'album' })]);
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
    const gate = Promise.withResolvers<void>();
    await queue.start(doing(() => gate.promise));
    await queue.requests.push(Array.from({ length: 1000 }, (_, number) => anUpdate(`lane${number}`, number)));
    // No query of the queue but this one uses that index.
    const looks = async () => {
      const { rows } = await sql<{ looks: number }>`
        select idx_scan as looks from pg_stat_user_indexes where indexrelname = 'requests_by_process'`.execute(
        database.sql,
      );
      return rows[0]?.looks;
    };
    await expect.poll(looks).toBeGreaterThan(0);
    gate.resolve();
  });

  it('an update that kills every process becomes a dead letter', async () => {
    const first = await aProcess();
    await first.queue.requests.push([anUpdate('anna', 'poison'), anUpdate('anna', 'good')]);
    for (let death = 1; death <= MAX_STRIKES; death += 1) {
      const victim = await aProcess();
      const isBegun = Promise.withResolvers<void>();
      await victim.queue.start(
        doing(async () => {
          isBegun.resolve();
          await new Promise(() => {});
        }),
      );
      await isBegun.promise;
      void victim.kill();
    }
    const handled: unknown[] = [];
    await first.queue.start(noting(handled));
    await expect.poll(() => handled).toEqual(['good']);
    const [listed] = await first.queue.requests.deadLetters();
    expect(listed?.lane).toBe('anna');
    expect(await first.queue.requests.revive(listed?.id ?? 0)).toBe(true);
    await expect.poll(() => handled).toEqual(['good', 'poison']);
  });
});

describe('a process whose request another has taken over', () => {
  /** Has one process run a request, until `fail` ends its attempt, and another take it. */
  async function takenOver() {
    const [loser, winner] = await Promise.all([aProcess({ workers: 1 }), aProcess()]);
    const taken = Promise.withResolvers<Attempt>();
    const ending = Promise.withResolvers<never>();
    ending.promise.catch(() => {});
    await loser.queue.requests.push([anUpdate('anna', 'text')]);
    await loser.queue.start(
      doing((attempt) => {
        taken.resolve(attempt);
        attempt.signal.addEventListener('abort', () => ending.reject(attempt.signal.reason));
        return ending.promise;
      }),
    );
    const attempt = await taken.promise;
    const { requests } = winner.queue;
    await requests.takeOver(loser.database.session.process);
    await requests.take(8, { suspects: true });
    const { process } = winner.database.session;
    return { loser, attempt, fail: ending.reject, process, requests };
  }
  const isTakenOver = (error: unknown) => error instanceof TakenOver;

  it('has it no more: effects and records are refused', async () => {
    const { loser, attempt } = await takenOver();
    await expect(loser.queue.requests.note(attempt.request.id, [])).rejects.toSatisfy(isTakenOver);
    await expect(loser.queue.mustStillOwn(attempt)).rejects.toSatisfy(isTakenOver);
    expect(attempt.signal.reason).toSatisfy(isTakenOver);
  });

  it('makes no dead letter of it', async () => {
    const { loser, attempt, fail, process, requests } = await takenOver();
    await loser.database.sql.updateTable('requests').set({ strikes: MAX_STRIKES }).execute();
    Object.assign(attempt.request, { strikes: MAX_STRIKES });
    fail(new TypeError('nobody thought of it'));
    await loser.queue.stop(60_000);
    expect(loser.deadLetters).toEqual([]);
    expect(await requests.read(attempt.ids)).toMatchObject([{ state: 'waiting', process }]);
  });

  it('stops it if it takes the same request anew', async () => {
    const loser = await aProcess();
    const attempts: Attempt[] = [];
    await loser.queue.requests.push([anUpdate('anna', 'text')]);
    await loser.queue.start(
      doing(async (attempt) => {
        attempts.push(attempt);
        if (attempts.length === 1)
          await new Promise((_, reject) => attempt.signal.addEventListener('abort', reject));
      }),
    );
    await expect.poll(() => attempts).toHaveLength(1);
    await loser.queue.requests.takeOver(loser.database.session.process);
    await expect.poll(() => attempts).toHaveLength(2);
    expect(attempts[0]?.signal.reason).toSatisfy(isTakenOver);
  });

  it('stops it as soon as it is connected again', async () => {
    const { loser, attempt, requests } = await takenOver();
    await sql`
      select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = ${`lotsawa ${loser.database.session.process}`}`.execute(requests.database.sql);
    await expect.poll(() => attempt.signal.reason).toSatisfy(isTakenOver);
  });
});

it('a stopping process gives back what waits for its time', async () => {
  const [leaving, staying] = await Promise.all([aProcess(), aProcess()]);
  const handled: unknown[] = [];
  const [begun, failed, gate] = [
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
    Promise.withResolvers<void>(),
  ];
  await leaving.queue.start(
    doing(async ({ bodies }) => {
      if (bodies[0] === 'long') {
        begun.resolve();
        await gate.promise;
        return;
      }
      failed.resolve();
      throw new Outage();
    }),
  );
  await leaving.queue.requests.push([anUpdate('anna', 'long'), anUpdate('pema', 'to be tried again')]);
  await Promise.all([begun.promise, failed.promise]);
  await leaving.queue.requests.push([anUpdate('tenzin', 'part', { album: 'album' })]);
  await staying.queue.start(noting(handled));
  const stopped = leaving.queue.stop(30_000);
  await expect.poll(() => handled).toEqual(expect.arrayContaining(['to be tried again', 'part']));
  gate.resolve();
  await stopped;
  expect(handled).toHaveLength(2);
});
