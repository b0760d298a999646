/** /healthz: 200 while the intake moves, else 503 and the reason. */
import { afterEach, expect, it } from 'vitest';
import { type HttpUnderTest, startHttpUnderTest } from './http-under-test.ts';

let server: HttpUnderTest;
afterEach(() => server.close());

async function health() {
  const answer = await fetch(`${server.url}/healthz`);
  return { status: answer.status, body: await answer.json() };
}

const WELL = { status: 200, body: { healthy: true } };

it('a process in which all moves is alive', async () => {
  server = await startHttpUnderTest();
  server.health.intakeMoved();
  expect(await health()).toEqual(WELL);
});

it('an intake that should have moved by now is told', async () => {
  // Overdue as soon as it has moved, so that nothing needs to be waited for.
  server = await startHttpUnderTest({ intakeStallMs: -1 });
  expect(await health()).toEqual(WELL);
  server.health.intakeMoved();
  const problem = 'the intake of updates has stalled';
  expect(await health()).toEqual({ status: 503, body: { healthy: false, problem } });
});

it('an intake that rests on purpose is no problem', async () => {
  server = await startHttpUnderTest({ intakeStallMs: -1 });
  server.health.intakeMoved(60_000);
  expect(await health()).toEqual(WELL);
  server.health.intakeMoved();
  server.health.intakeRests();
  expect(await health()).toEqual(WELL);
});

it('a webhook to which nothing is delivered is no problem', async () => {
  server = await startHttpUnderTest({ intakeStallMs: -1 });
  expect((await server.deliver('{"update_id":1}')).status).toBe(200);
  expect(await health()).toEqual(WELL);
});
