/** The end of a call's time: what has come by then counts, though the process could not look. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { Transport } from '../../src/telegram/api/transport.ts';

it('an answer that came while the process was stopped beyond the time is read', async () => {
  const { setTimeout } = globalThis;
  const { promise: isOver, resolve } = Promise.withResolvers<void>();
  const server = createServer((_request, response) => {
    response.end('{"ok":true,"result":"done"}', () => {
      // Timers run before the bytes are read that came meanwhile.
      setTimeout(() => {
        vi.advanceTimersByTime(60_000);
        resolve();
      }, 0);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ token: '1:x', apiRoot: `http://127.0.0.1:${port}` });
  expect(await transport.call('getMe', {}, undefined)).toBe('done');
  await isOver;
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});
