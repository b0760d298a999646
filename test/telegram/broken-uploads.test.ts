/** A call that breaks before all of it was written did not reach Telegram; one that breaks later may have. */
import { once } from 'node:events';
import { createServer, type Server, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { isInDoubt, isOutage } from '../../src/telegram/api/api-errors.ts';
import { Transport } from '../../src/telegram/api/transport.ts';
import { startProxy } from '../proxies.ts';

/** More than the buffers of both ends of a connection on this machine hold, in bytes. */
const LARGE = 16 * 1024 * 1024;
const FILES = {
  voice: 'sendVoice',
  document: 'sendDocument',
  photo: 'sendPhoto',
  audio: 'sendAudio',
  picture: 'setMyProfilePhoto',
};
const CREDENTIALS = 'pema:password';

const ends: (() => unknown)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

type Break = (socket: Socket) => void;
const BREAKS = {
  'a reset': (socket) => socket.resetAndDestroy(),
  'an end': (socket) => socket.destroy(),
  // It reads on, and says nothing more.
  'its half-open end': (socket) => socket.end(),
} satisfies Record<string, Break>;

/** A server that breaks a connection once it has read so many bytes of it; gives its port. */
async function serverThatBreaks(after: number, breaks: Break): Promise<number> {
  const sockets = new Set<Socket>();
  const server: Server = createServer({ allowHalfOpen: true }, (socket) => {
    sockets.add(socket);
    let read = 0;
    socket.on('error', () => {});
    socket.on('data', ({ length }) => {
      const before = read;
      read += length;
      if (before < after && read >= after) breaks(socket);
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ends.push(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  const address = server.address();
  return typeof address === 'object' && address !== null ? address.port : 0;
}

function upload(transport: Transport, field: string, bytes: number): Promise<unknown> {
  const file = { source: Buffer.alloc(bytes), filename: 'a' };
  const method = Object.entries(FILES).find(([name]) => name === field)?.[1] ?? 'sendVoice';
  return transport.call(method, { chat_id: 7, [field]: file }, undefined).catch((error: unknown) => error);
}

const directly = (port: number) => new Transport({ token: '1:x', apiRoot: `http://127.0.0.1:${port}` });

it.each(
  Object.keys(FILES).flatMap((field) =>
    Object.entries(BREAKS).map(([name, breaks]) => ({ field, name, breaks })),
  ),
)('$name in the midst of an upload ($field) leaves no doubt', async ({ field, breaks }) => {
  const error = await upload(directly(await serverThatBreaks(100_000, breaks)), field, LARGE);
  expect(error).toSatisfy(isOutage);
  expect(isInDoubt(error)).toBe(false);
});

it.each(Object.entries(BREAKS))('%s after the whole upload leaves a doubt', async (_, breaks) => {
  const error = await upload(directly(await serverThatBreaks(300_000, breaks)), 'voice', 300_000);
  expect(isInDoubt(error)).toBe(true);
});

it('a text that breaks off is in doubt, since it is written at once', async () => {
  const transport = directly(await serverThatBreaks(100, BREAKS['a reset']));
  const call = transport.call('sendMessage', { chat_id: 7, text: 'བོད།' }, undefined);
  expect(isInDoubt(await call.catch((error: unknown) => error))).toBe(true);
});

it.each(['http', 'socks5'] as const)('a %s proxy that drops large bodies leaves no doubt', async (kind) => {
  const port = await serverThatBreaks(Number.POSITIVE_INFINITY, BREAKS['an end']);
  const leads = { 'telegram.invalid:80': port };
  const proxy = await startProxy(kind, { credentials: CREDENTIALS, leads, longest: 100_000 });
  ends.push(() => proxy.close());
  const transport = new Transport({
    token: '1:x',
    apiRoot: 'http://telegram.invalid',
    proxy: new URL(`${kind}://${CREDENTIALS}@127.0.0.1:${proxy.port}`),
  });
  expect(isInDoubt(await upload(transport, 'document', LARGE))).toBe(false);
});

it('a stop in the midst of an upload leaves no doubt', async () => {
  const stop = new AbortController();
  const port = await serverThatBreaks(100_000, () => stop.abort());
  const voice = { source: Buffer.alloc(LARGE), filename: 'a.ogg' };
  const call = directly(port).call('sendVoice', { chat_id: 7, voice }, stop.signal);
  expect(isInDoubt(await call.catch((error: unknown) => error))).toBe(false);
});
