/** /readyz: 200 only while updates are being taken, with what fails in its body. */
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { Health, type HealthOptions } from '../../src/app/http/health.ts';
import { type HttpUnderTest, startHttpUnderTest, UP } from './http-under-test.ts';

let server: HttpUnderTest | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(options: Partial<HealthOptions> = {}): Promise<HttpUnderTest> {
  server = await startHttpUnderTest(options);
  return server;
}

async function readiness({ url }: HttpUnderTest) {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const READY = { ready: true, intake: 'running', database: 'ok', telegram: 'ok', service: UP };

it('a bot that takes updates is ready', async () => {
  expect(await readiness(await start())).toEqual({ status: 200, body: READY });
});

it('a bot that has not begun to take updates is not', async () => {
  const well = { writeDatabase: async () => {}, reachTelegram: async () => {} };
  const health = new Health({ ...well, serviceState: () => UP });
  expect(await health.readiness()).toEqual({ ...READY, ready: false, intake: 'starting' });
});

it('a bot that stops is not, and does not begin again', async () => {
  const running = await start();
  running.health.stop();
  running.health.begin();
  const body = { ...READY, ready: false, intake: 'stopping' };
  expect(await readiness(running)).toEqual({ status: 503, body });
});

it('a database that another holds locked makes it unready, until it is free', async () => {
  const running = await start();
  const other = new Sqlite(running.databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const body = { ...READY, ready: false, database: 'failing' };
  expect(await readiness(running)).toEqual({ status: 503, body });
  other.exec('ROLLBACK');
  other.close();
  expect(await readiness(running)).toEqual({ status: 200, body: READY });
});

it('asking leaves nothing in the database', async () => {
  const running = await start();
  await readiness(running);
  expect(await running.sql.selectFrom('pauses').selectAll().execute()).toEqual([]);
});

it.each([
  ['refuses', () => Promise.reject(new Error('no'))],
  ['never answers', () => new Promise<never>(() => {})],
])('a Telegram that %s makes it unready', async (_what, reachTelegram) => {
  const body = { ...READY, ready: false, telegram: 'failing' };
  expect(await readiness(await start({ reachTelegram, limitMs: 1000 }))).toEqual({ status: 503, body });
});

it('a service that is down is told, and leaves it ready', async () => {
  const down = { ...UP, state: 'down', nextTry: UP.since, reason: 'translation: timed out' } as const;
  const body = { ...READY, service: down };
  expect(await readiness(await start({ serviceState: () => down }))).toEqual({ status: 200, body });
});

describe('asking Telegram', () => {
  it('is shared by all who want to know, while the answer is fresh', async () => {
    let asked = 0;
    const running = await start({ reachTelegram: async () => (asked += 1), freshMs: 60_000 });
    await Promise.all([readiness(running), readiness(running)]);
    await readiness(running);
    expect(asked).toBe(1);
  });

  it('is done anew when the answer is old', async () => {
    let asked = 0;
    const running = await start({ reachTelegram: async () => (asked += 1), freshMs: -1 });
    await readiness(running);
    await readiness(running);
    expect(asked).toBe(2);
  });

  it('is told to stop when it takes too long', async () => {
    const asked = Promise.withResolvers<AbortSignal>();
    const reachTelegram = (signal: AbortSignal) => {
      asked.resolve(signal);
      return new Promise<never>(() => {});
    };
    const running = await start({ reachTelegram, limitMs: 200 });
    expect(await readiness(running)).toMatchObject({ body: { telegram: 'failing' } });
    expect((await asked.promise).aborted).toBe(true);
  });
});
