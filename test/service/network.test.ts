/** What a network can do to a call: which breaks leave a doubt, which are tried again, and that nothing waits for ever. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { Service } from '../../src/service/client.ts';
import { Http } from '../../src/service/http/http.ts';
import { fingerprintOf } from '../../src/service/token.ts';
import { type Step, startScriptedServer } from './scripted-server.ts';
import {
  call,
  createMemoryStore,
  createTestMeter,
  failureOf,
  image,
  SECRETS,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

/** Starts a TCP server on loopback, closed after the test; returns its address. */
async function listen(server: Server): Promise<string> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket) => {
    sockets.add(socket);
    socket.on('error', () => {});
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
}

/** Sends an image of 7 MB, for which no token has to be asked. */
async function sendLargeImage(server: Server, timeoutMs: number) {
  const url = await listen(server);
  const kept = {
    token: 't',
    expiresAt: Date.now() + 86_400_000,
    credentials: fingerprintOf({ ...SECRETS, authUrl: url }),
  };
  const service = new Service({
    config: { authUrl: url, baseUrl: url, ...SECRETS, timeoutMs, concurrency: 1 },
    tokenStore: createMemoryStore(kept),
  });
  onTestFinished(() => service.close());
  const { meter, outcomes } = createTestMeter();
  const bytes = Buffer.concat([image.bytes, Buffer.alloc(7_000_000)]);
  const failure = await failureOf(service.recognise({ input: { image: { ...image, bytes } } }, { meter }));
  return { failure, outcomes: outcomes() };
}

test('a request that was not sent whole is tried again', async () => {
  const { failure, outcomes } = await sendLargeImage(createServer({ pauseOnConnect: true }), 500);
  expect(failure).toMatchObject({ kind: 'unavailable' });
  expect(outcomes).toEqual(['failed', 'failed', 'failed']);
});

test('an answer that comes before the request was sent whole is read', async () => {
  const hasty = createServer((socket) => {
    socket.once('data', () => {
      const body = JSON.stringify({ error_code: 6, error_msg: 'No' });
      socket.write(`HTTP/1.1 403 Forbidden\r\ncontent-length: ${body.length}\r\n\r\n${body}`);
      socket.resume();
    });
  });
  const { failure, outcomes } = await sendLargeImage(hasty, 10_000);
  expect(failure).toMatchObject({ kind: 'auth', code: '6' });
  expect(outcomes).toEqual(['failed']);
});

test('an idle connection is closed and not used again', async () => {
  const closed = Promise.withResolvers<void>();
  const sockets = new Set<unknown>();
  const step: Step = (response, request) => {
    sockets.add(response.socket);
    response.socket?.once('close', closed.resolve);
    response.setHeader('keep-alive', 'timeout=600');
    return translated(response, request);
  };
  const under = await underTest({ [TRANSLATE]: [step] });
  await call(under, 'translation');
  await closed.promise;
  await call(under, 'translation');
  expect(sockets.size).toBe(2);
});

test('an answer of a byte now and then is given up, and its connection closed', async () => {
  const closed = Promise.withResolvers<void>();
  const drip: Step = (response) => {
    const timer = setInterval(() => response.write('.'), 10);
    response.on('close', () => {
      clearInterval(timer);
      closed.resolve();
    });
  };
  const server = await startScriptedServer({ '/drip': [drip] });
  onTestFinished(() => server.close());
  const http = new Http(60_000, 200);
  onTestFinished(() => http.close());
  const { bytes } = await http.post({ url: new URL('/drip', server.url), headers: {}, body: '' });
  await expect(Array.fromAsync(bytes)).rejects.toMatchObject({ kind: 'unavailable', outcome: 'in-doubt' });
  await closed.promise;
});
