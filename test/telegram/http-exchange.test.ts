/** The end of a call's time: what has come by then counts, though the process could not look. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { expect, it } from 'vitest';
import { exchange } from '../../src/telegram/api/http-exchange.ts';

const TIMEOUT_MS = 200;

/** Nothing of this process runs meanwhile, as while its machine is paused. */
function stop(ms: number): void {
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
}

it('an answer that came while the process was stopped beyond the time is read', async () => {
  const server = createServer((_request, response) => {
    response.end('done', () => stop(2 * TIMEOUT_MS));
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const agent = new Agent();
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const body = { contentType: 'text/plain', content: 'work' };
  const call = exchange(agent, { origin, path: '/', body, timeoutMs: TIMEOUT_MS, signal: undefined });
  expect(await call).toMatchObject({ status: 200, body: 'done' });
  await agent.close();
  server.close();
});
