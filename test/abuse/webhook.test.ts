/** What strangers send to the webhook of the real bot: nothing comes of it, and Telegram's own updates go on. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Person } from '../../sandbox/telegram/person.ts';
import { freePort } from '../free-port.ts';
import { type MeddledScene, peakMemoryMb, startMeddledScene } from '../hostile/meddled-scene.ts';
import { CHINESE, says } from '../phrases.ts';

const SECRET = 'secret_123';
const MAX_MEMORY_MB = 400;

let scene: MeddledScene;
let anna: Person;
let port: number;
let url: string;
beforeAll(async () => {
  port = await freePort();
  url = `http://127.0.0.1:${port}/hook`;
  scene = await startMeddledScene({ WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET, PORT: String(port) });
  anna = scene.newcomer();
});
afterAll(() => scene.close());

let nextId = 1;
const forged = (text = CHINESE) => ({
  update_id: nextId++,
  message: { message_id: 900_000 + nextId, date: 1, chat: anna.chat, from: anna.user, text },
});
const JSON_TYPE = { 'content-type': 'application/json' };
const WITH_SECRET = { ...JSON_TYPE, 'x-telegram-bot-api-secret-token': SECRET };

/** The status of a request that was answered; `hung up` where the bot would not read it to its end. */
async function statusOf(path: string, init: RequestInit): Promise<number | string> {
  const response = await fetch(new URL(path, url), init).catch(() => undefined);
  await response?.body?.cancel();
  return response?.status ?? 'hung up';
}

async function expectNothingCame(): Promise<void> {
  await scene.servesOthers();
  await scene.idle();
  expect(scene.telegram.world.messages(anna.chat).filter(({ from }) => from?.is_bot)).toEqual([]);
}

describe('without the secret nothing is taken in', () => {
  const body = () => JSON.stringify(forged());
  const HUGE = Buffer.alloc(20_000_000, ' ');

  it.each<[string, string, () => RequestInit]>([
    ['no secret', '/hook', () => ({ method: 'POST', headers: JSON_TYPE, body: body() })],
    ...['', 'x', SECRET.toUpperCase(), SECRET.slice(0, -1), `${SECRET}, ${SECRET}`, 'é'.repeat(99)].map(
      (secret): [string, string, () => RequestInit] => [
        `the secret ${secret.slice(0, 20)}`,
        '/hook',
        () => ({
          method: 'POST',
          headers: { ...JSON_TYPE, 'x-telegram-bot-api-secret-token': secret },
          body: body(),
        }),
      ],
    ),
    [
      'the secret in the address',
      `/hook?secret_token=${SECRET}`,
      () => ({ method: 'POST', headers: JSON_TYPE, body: body() }),
    ],
    ['a huge body', '/hook', () => ({ method: 'POST', headers: JSON_TYPE, body: HUGE })],
  ])('%s', async (_, path, init) => {
    expect([401, 'hung up']).toContain(await statusOf(path, init()));
  });
});

describe('with the secret only an update is taken in, and only here', () => {
  it.each<[string, string, RequestInit, readonly (number | string)[]]>([
    ['another path', '/', { method: 'POST', headers: WITH_SECRET, body: '{}' }, [404]],
    ['a longer path', '/hook/x', { method: 'POST', headers: WITH_SECRET, body: '{}' }, [404]],
    [
      'a path that leads astray',
      '/x/../hook/%2e%2e',
      { method: 'POST', headers: WITH_SECRET, body: '{}' },
      [404],
    ],
    ['GET', '/hook', { headers: WITH_SECRET }, [404, 405]],
    ['PUT', '/hook', { method: 'PUT', headers: WITH_SECRET, body: '{}' }, [404, 405]],
    [
      'a form',
      '/hook',
      { method: 'POST', headers: { ...WITH_SECRET, 'content-type': 'text/plain' }, body: '{}' },
      [415],
    ],
    [
      'XML',
      '/hook',
      { method: 'POST', headers: { ...WITH_SECRET, 'content-type': 'text/xml' }, body: '<a/>' },
      [415],
    ],
    ['no JSON', '/hook', { method: 'POST', headers: WITH_SECRET, body: '{"update_id":' }, [400]],
    ['nothing', '/hook', { method: 'POST', headers: WITH_SECRET, body: '' }, [400]],
    [
      'two megabytes',
      '/hook',
      { method: 'POST', headers: WITH_SECRET, body: Buffer.alloc(2_000_000, ' ') },
      [413, 'hung up'],
    ],
    ['no object', '/hook', { method: 'POST', headers: WITH_SECRET, body: '[[[]]]' }, [200]],
    [
      'poison',
      '/hook',
      { method: 'POST', headers: WITH_SECRET, body: '{"__proto__":{"update_id":1}}' },
      [200],
    ],
  ])('%s', async (_, path, init, statuses) => {
    expect(statuses).toContain(await statusOf(path, init));
  });

  it('and of all this nothing was ever said to anybody', expectNothingCame);
});

it('an update that is delivered a hundred times is answered once', async () => {
  const person = scene.newcomer();
  const from = person.user;
  const entities = [{ type: 'bot_command', offset: 0, length: 5 }];
  const message = { message_id: 7, date: 1, chat: person.chat, from, text: '/help', entities };
  const replay = {
    method: 'POST',
    headers: WITH_SECRET,
    body: JSON.stringify({ update_id: nextId++, message }),
  };
  const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf('/hook', replay)));
  expect(new Set(statuses)).toEqual(new Set([200]));
  await scene.servesOthers();
  await scene.idle();
  const said = scene.telegram.world.messages(person.chat).filter((answer) => answer.from?.is_bot);
  expect(said.map(({ text }) => text)).toEqual([says('help')]);
});

it('hundreds of connections that send a byte now and then keep nobody else out', async () => {
  const sockets = Array.from({ length: 300 }, () => connect(port, '127.0.0.1'));
  for (const socket of sockets) socket.on('error', () => {});
  await Promise.all(sockets.map((socket) => once(socket, 'connect')));
  for (const socket of sockets) socket.write('POST /hook HTTP/1.1\r\nhost: x\r\ncontent-length: 1000\r\n');
  await scene.servesOthers();
  for (const socket of sockets) socket.write('x-telegram-bot-api-secret-token: wrong\r\n\r\n{');
  await Promise.all(sockets.map((socket) => once(socket.resume(), 'close')));
  await scene.servesOthers();
});

it('a connection that asks on and on without taking the answers is cut', async () => {
  const client = connect(port, '127.0.0.1');
  client.on('error', () => {});
  await once(client, 'connect');
  const cut = new Promise((resolve) => client.once('close', resolve));
  client.write('GET /metrics HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(20_000));
  await scene.servesOthers();
  client.resume();
  await cut;
  await scene.servesOthers();
});

it('none of it has filled the memory', () => {
  expect(peakMemoryMb(scene.bot.pid)).toBeLessThan(MAX_MEMORY_MB);
});
