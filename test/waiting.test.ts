/** A start that has to wait for its database: it says for what, to the log and to whoever asks for its health. */
import { expect, it } from 'vitest';
import { freePort } from './free-port.ts';
import { useOwnPostgresServer } from './shared-postgres-server.ts';
import { useBotPlace } from './shared-scene.ts';

const place = useBotPlace();
const server = useOwnPostgresServer();

/** What is answered there; undefined where nobody listens. */
async function answerOf(port: number, path: string): Promise<{ status: number; body: unknown } | undefined> {
  try {
    const answer = await fetch(`http://127.0.0.1:${port}${path}`);
    return { status: answer.status, body: await answer.json() };
  } catch {
    return undefined;
  }
}

it('names the process that has the database, and answers 503 until it has ended', async () => {
  const before = place.start();
  await before.says('is ready');
  const port = await freePort();
  const after = place.start({ PORT: String(port) });
  const problem = `process ${before.pid} of the bot uses this database: waiting for it to end`;
  await after.says(problem);
  for (const path of ['/healthz', '/readyz', '/metrics', '/']) {
    await expect
      .poll(() => answerOf(port, path))
      .toEqual({
        status: 503,
        body: { healthy: false, ready: false, problem },
      });
  }
  await before.stop();
  await after.says('is ready');
  expect(await answerOf(port, '/healthz')).toEqual({ status: 200, body: { healthy: true } });
  expect(await after.stop()).toBe(0);
});

it('leaves the port to the process that it waits for, and takes it over', async () => {
  const PORT = String(await freePort());
  const before = place.start({ PORT });
  await before.says('is ready');
  const after = place.start({ PORT });
  await after.says('waiting for it to end');
  expect((await answerOf(Number(PORT), '/healthz'))?.status).toBe(200);
  await before.stop();
  await after.says('is ready');
  expect((await answerOf(Number(PORT), '/healthz'))?.status).toBe(200);
  expect(await after.stop()).toBe(0);
});

it('answers 503 while PostgreSQL is away, and works once it is there', async () => {
  const address = await server.createDatabase();
  await server.stop();
  const port = await freePort();
  const bot = place.start({ PORT: String(port), DATABASE_URL: address });
  await bot.says('the database is unreachable: trying again');
  const problem = expect.stringMatching(
    /^DATABASE_URL names a database .*\(ECONNREFUSED\): check that the server is running/,
  );
  for (const path of ['/healthz', '/readyz'])
    await expect
      .poll(() => answerOf(port, path))
      .toEqual({
        status: 503,
        body: { healthy: false, ready: false, problem },
      });
  await server.start();
  await bot.says('is ready');
  expect((await answerOf(port, '/readyz'))?.status).toBe(200);
  expect(await bot.stop()).toBe(0);
});

it('ends at once when it is told to while it waits', async () => {
  const before = place.start();
  await before.says('is ready');
  const port = await freePort();
  const after = place.start({ PORT: String(port) });
  await expect.poll(async () => (await answerOf(port, '/healthz'))?.status).toBe(503);
  expect(await after.stop()).toBe(0);
  expect(await before.stop()).toBe(0);
});
