/** /readyz: 200 only while updates are being taken, with what fails in its body. */
import Sqlite from 'better-sqlite3';
import { afterEach, describe, expect, it } from 'vitest';
import { createCachedCheck, createReadiness } from '../../src/app/http/readiness.ts';
import type { CircuitState } from '../../src/service/calls/circuit.ts';
import { type HttpUnderTest, type HttpUnderTestOptions, startHttpUnderTest } from './http-under-test.ts';

let server: HttpUnderTest | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

async function start(readiness: HttpUnderTestOptions['readiness'] = {}): Promise<HttpUnderTest> {
  server = await startHttpUnderTest({ readiness });
  return server;
}

async function readiness({ url }: HttpUnderTest) {
  const answer = await fetch(`${url}/readyz`);
  return { status: answer.status, body: await answer.json() };
}

const READY = { ready: true, intake: 'running', database: 'ok', telegram: 'ok', service: 'closed' };

it('a bot that takes updates is ready', async () => {
  expect(await readiness(await start())).toEqual({ status: 200, body: READY });
});

it('a bot that has not begun to take updates is not', async () => {
  const well = { writeDatabase: async () => {}, reachTelegram: async () => {} };
  const { report } = createReadiness({ ...well, serviceState: () => 'closed' });
  expect(await report()).toEqual({ ...READY, ready: false, intake: 'starting' });
});

it('a bot that stops is not, and does not begin again', async () => {
  const running = await start();
  running.readiness.stop();
  running.readiness.begin();
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
  expect(await readiness(await start({ reachTelegram, limitMs: 50 }))).toEqual({ status: 503, body });
});

it.each<CircuitState>(['open', 'half-open'])(
  'a service that is %s is told, and leaves it ready',
  async (state) => {
    const body = { ...READY, service: state };
    expect(await readiness(await start({ serviceState: () => state }))).toEqual({ status: 200, body });
  },
);

describe('a check', () => {
  it('that is asked for often is made once', async () => {
    let made = 0;
    const check = createCachedCheck(async () => (made += 1), { freshMs: 60_000, limitMs: 60_000 });
    expect(await Promise.all([check(), check()])).toEqual([true, true]);
    expect(await check()).toBe(true);
    expect(made).toBe(1);
  });

  it('is made anew when its outcome is old', async () => {
    let made = 0;
    const check = createCachedCheck(async () => (made += 1), { freshMs: -1, limitMs: 60_000 });
    await check();
    await check();
    expect(made).toBe(2);
  });

  it('that takes too long is told to stop', async () => {
    let given: AbortSignal | undefined;
    const never = (signal: AbortSignal) => {
      given = signal;
      return new Promise<never>(() => {});
    };
    expect(await createCachedCheck(never, { freshMs: 0, limitMs: 20 })()).toBe(false);
    expect(given?.aborted).toBe(true);
  });
});
