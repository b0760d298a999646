/** /healthz: 200 while the intake moves. /readyz: 200 only while updates are being taken, with what fails in its body. */
import Sqlite from 'better-sqlite3';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { HealthOptions } from '../../src/app/health.ts';
import { type HttpUnderTest, startHttpUnderTest, UP } from './http-under-test.ts';

let server: HttpUnderTest;
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['performance'] });
});
afterEach(() => {
  vi.useRealTimers();
  return server.close();
});

/** Longer than the outcome of a check is valid, in ms. */
const LATER_MS = 3001;

async function ask(path: '/healthz' | '/readyz') {
  const answer = await fetch(server.url + path);
  return { status: answer.status, body: await answer.json() };
}

const STALLED = 'the intake of updates has stalled';

const MINUTE_MS = 60_000;

it.each<[string, number | undefined, string | undefined]>([
  ['that has not begun', undefined, undefined],
  ['that should have moved by now', 0, STALLED],
  ['that rests for a while', MINUTE_MS, undefined],
  ['that rests on purpose', Number.POSITIVE_INFINITY, undefined],
])('/healthz of an intake %s', async (_, restMs, problem) => {
  server = await startHttpUnderTest();
  if (restMs !== undefined) server.health.intakeMoved(restMs);
  vi.advanceTimersByTime(2 * MINUTE_MS + 1);
  const [status, healthy] = problem === undefined ? [200, true] : [503, false];
  expect(await ask('/healthz')).toEqual({ status, body: { healthy, problem } });
});

const READY = { ready: true, intake: 'running', database: 'ok', telegram: 'ok', service: UP };
const DOWN = { ...UP, state: 'down', nextTry: UP.since, reason: 'translation: timed out' } as const;

it.each<[string, Partial<HealthOptions>, object]>([
  ['takes updates', {}, {}],
  ['meets a service that is down', { serviceState: () => DOWN }, { service: DOWN }],
  [
    'Telegram refuses',
    { reachTelegram: () => Promise.reject(new Error('no')) },
    { ready: false, telegram: 'failing' },
  ],
  ['polls beside another', { problem: () => 'why' }, { ready: false, problem: 'why' }],
])('/readyz of a bot that %s', async (_, options, change) => {
  server = await startHttpUnderTest(options);
  const body = { ...READY, ...change };
  expect(await ask('/readyz')).toEqual({ status: body.ready ? 200 : 503, body });
});

it('a bot that stops is not ready, and does not begin again', async () => {
  server = await startHttpUnderTest();
  server.stop();
  server.health.begin();
  const body = { ...READY, ready: false, intake: 'stopping' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
});

it('a locked database makes the bot unready until it is free', async () => {
  server = await startHttpUnderTest();
  const other = new Sqlite(server.databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const body = { ...READY, ready: false, database: 'failing' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
  other.exec('ROLLBACK');
  other.close();
  vi.advanceTimersByTime(LATER_MS);
  expect(await ask('/readyz')).toEqual({ status: 200, body: READY });
  expect(await server.sql.selectFrom('pauses').selectAll().execute()).toEqual([]);
});

it('Telegram is asked once for all checks, until the answer is old', async () => {
  let asked = 0;
  server = await startHttpUnderTest({ reachTelegram: async () => (asked += 1) });
  await Promise.all([ask('/readyz'), ask('/readyz')]);
  expect(asked).toBe(1);
  vi.advanceTimersByTime(LATER_MS);
  await ask('/readyz');
  expect(asked).toBe(2);
});

it('a Telegram that never answers makes it unready, and is asked no longer', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const reachTelegram = (signal: AbortSignal) => {
    asked.resolve(signal);
    return new Promise<never>(() => {});
  };
  server = await startHttpUnderTest({ reachTelegram });
  const body = { ...READY, ready: false, telegram: 'failing' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
  expect((await asked.promise).aborted).toBe(true);
});
