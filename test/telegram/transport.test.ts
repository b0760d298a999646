/** The end of a call's time: what has come by then counts, though the process could not look. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, vi } from 'vitest';
import { Transport } from '../../src/telegram/api/transport.ts';

it('an answer that came while the process was stopped beyond the time is read', async () => {
  const { setTimeout } = globalThis;
  const server = createServer((_request, response) => {
    // Timers run before the bytes are read that came meanwhile.
    response.end('{"ok":true,"result":"done"}', () => setTimeout(() => vi.advanceTimersByTime(60_000), 0));
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const { port } = server.address() as AddressInfo;
  const transport = new Transport({ token: '1:x', apiRoot: `http://127.0.0.1:${port}` });
  expect(await transport.call('getMe', {}, undefined)).toBe('done');
  vi.useRealTimers();
  server.close();
  server.closeAllConnections();
});
