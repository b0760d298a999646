/** /healthz: 200 while the intake moves. /readyz: 200 only while updates are being taken, with what fails in its body. */
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import type { Health, HealthOptions } from '../../src/app/http/health.ts';
import { type HttpUnderTest, startHttpUnderTest, UP } from './http-under-test.ts';

let server: HttpUnderTest;
afterEach(() => server.close());

async function ask(path: '/healthz' | '/readyz') {
  const answer = await fetch(server.url + path);
  return { status: answer.status, body: await answer.json() };
}

const STALLED = 'the intake of updates has stalled';

it.each<[string, (health: Health) => void, string | undefined]>([
  ['that has not begun', () => {}, undefined],
  ['that should have moved by now', (health) => health.intakeMoved(), STALLED],
  ['that rests for a while', (health) => health.intakeMoved(60_000), undefined],
  ['that rests on purpose', (health) => [health.intakeMoved(), health.intakeRests()], undefined],
])('/healthz of an intake %s', async (_, move, problem) => {
  // Overdue as soon as it has moved, so that nothing needs to be waited for.
  server = await startHttpUnderTest({ intakeStallMs: -1 });
  move(server.health);
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
  ['polls beside another', { intakeProblem: () => 'why' }, { ready: false, problem: 'why' }],
])('/readyz of a bot that %s', async (_, options, change) => {
  server = await startHttpUnderTest(options);
  const body = { ...READY, ...change };
  expect(await ask('/readyz')).toEqual({ status: body.ready ? 200 : 503, body });
});

it('a bot that stops is not ready, and does not begin again', async () => {
  server = await startHttpUnderTest();
  server.health.stop();
  server.health.begin();
  const body = { ...READY, ready: false, intake: 'stopping' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
});

it('a database that another holds locked makes it unready, until it is free; asking leaves nothing in it', async () => {
  server = await startHttpUnderTest();
  const other = new Sqlite(server.databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const body = { ...READY, ready: false, database: 'failing' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
  other.exec('ROLLBACK');
  other.close();
  expect(await ask('/readyz')).toEqual({ status: 200, body: READY });
  expect(await server.sql.selectFrom('pauses').selectAll().execute()).toEqual([]);
});

it.each([
  ['shared by all who want to know, while the answer is fresh', 60_000, 1],
  ['done anew when the answer is old', -1, 2],
])('asking Telegram is %s', async (_, freshMs, times) => {
  let asked = 0;
  server = await startHttpUnderTest({ reachTelegram: async () => (asked += 1), freshMs });
  for (let time = 0; time < 2; time += 1) await ask('/readyz');
  expect(asked).toBe(times);
});

it('a Telegram that never answers makes it unready, and is asked no longer', async () => {
  const asked = Promise.withResolvers<AbortSignal>();
  const reachTelegram = (signal: AbortSignal) => {
    asked.resolve(signal);
    return new Promise<never>(() => {});
  };
  server = await startHttpUnderTest({ reachTelegram, limitMs: 200 });
  const body = { ...READY, ready: false, telegram: 'failing' };
  expect(await ask('/readyz')).toEqual({ status: 503, body });
  expect((await asked.promise).aborted).toBe(true);
});
