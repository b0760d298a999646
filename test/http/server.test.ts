/** Opening and closing the HTTP server. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import { afterEach, expect, it } from 'vitest';
import { Health } from '../../src/app/health.ts';
import { startHttp } from '../../src/app/http.ts';
import { Metrics } from '../../src/app/metrics.ts';
import { createLog } from '../../src/log.ts';
import { type HttpUnderTest, PATH, startHttpUnderTest, UP } from './http-under-test.ts';

let server: HttpUnderTest | undefined;
afterEach(async () => {
  await server?.close();
  server = undefined;
});

it('without a webhook, no POST leads anywhere', async () => {
  const well = { writeDatabase: async () => {}, reachTelegram: async () => {} };
  const http = await startHttp({
    host: '127.0.0.1',
    port: 0,
    log: createLog('silent'),
    health: new Health({
      ...well,
      serviceState: () => UP,
      problem: () => undefined,
      stop: AbortSignal.any([]),
    }),
    metrics: new Metrics('0.0.0'),
  });
  const answer = await fetch(`http://127.0.0.1:${http.port}/telegram`, { method: 'POST', body: '{}' });
  expect([answer.status, await answer.text()]).toEqual([404, 'Not Found\n']);
  await http.close();
});

it('metrics come as Prometheus reads them', async () => {
  server = await startHttpUnderTest();
  const answer = await fetch(`${server.url}/metrics`);
  expect(answer.headers.get('content-type')).toContain('text/plain; version=0.0.4');
  expect(await answer.text()).toContain('lotsawa_updates_set_aside_total 0');
});

it('a few requests may be sent before the first is answered', async () => {
  server = await startHttpUnderTest();
  const client = connect(server.http.port, '127.0.0.1');
  const few = 'GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(9);
  client.write(`${few}GET /healthz HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n`);
  expect((await text(client)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(10);
});

it.each([
  ['says nothing', ''],
  ['stops in the middle of its headers', 'GET /healthz HTTP/1.1\r\nhost:'],
])('a client that %s does not hold a stop up', async (_what, words) => {
  const running = await startHttpUnderTest();
  const client = connect(running.http.port, '127.0.0.1');
  await once(client, 'connect');
  client.on('error', () => {});
  client.write(words);
  // Answered on another connection: by now the server knows the first one.
  await fetch(`${running.url}/healthz`);
  const closed = once(client.resume(), 'close');
  await running.close();
  await closed;
});

it('hundreds of connections that send a byte now and then keep nobody else out', async () => {
  const running = await startHttpUnderTest();
  server = running;
  const { port } = running.http;
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1').on('error', () => {}));
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write(`POST ${PATH} HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n`);
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
  for (const socket of sockets) socket.write('x-telegram-bot-api-secret-token: wrong\r\n\r\n{');
  await Promise.all(
    sockets.map((socket) => new Promise((resolve) => socket.resume().once('close', resolve))),
  );
});

it('a connection that asks on and on without taking the answers is cut', async () => {
  const running = await startHttpUnderTest();
  server = running;
  const client = connect(running.http.port, '127.0.0.1').on('error', () => {});
  await once(client, 'connect');
  const cut = new Promise((resolve) => client.once('close', resolve));
  client.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
  expect((await fetch(`${running.url}/healthz`)).status).toBe(200);
  client.resume();
  await cut;
});
