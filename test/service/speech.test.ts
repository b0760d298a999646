/** Speech as a stream: whole samples, told from errors, and a clear failure wherever it breaks off. */
import type { Socket } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isBrokenOff } from '../../src/service/calls/failure.ts';
import { chunks, fallSilent, hangUp, json, raw, reset, type Step } from './scripted-server.ts';
import { failureOf, SPEAK, type UnderTest, underTest } from './service-under-test.ts';

const speak = ({ service, meter }: UnderTest) => service.speak({ text: 'ཀ', variety: 'amdo' }, { meter });
const listen = async (under: UnderTest) => Array.fromAsync(await speak(under));

/** Cuts bytes at the places given as shares of their length. */
function cut(bytes: Buffer, shares: readonly number[]): Buffer[] {
  const places = [0, ...shares.map((share) => Math.floor(share * bytes.length)), bytes.length].sort(
    (a, b) => a - b,
  );
  return places.slice(1).map((end, index) => bytes.subarray(places[index], end));
}

const shares = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 });

test('speech comes through byte for byte, however it is chunked', async () => {
  let parts: Buffer[] = [];
  const step: Step = (response, request) => chunks(parts)(response, request);
  const under = await underTest({ [SPEAK]: [step] });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ minLength: 1, maxLength: 400 }), shares, async (half, places) => {
      // A silent sample somewhere: no voice is without one, and no text has one.
      const pcm = Buffer.concat([half, Buffer.alloc(2), half]);
      parts = cut(pcm, places);
      const heard = await listen(under);
      expect(Buffer.concat(heard).equals(pcm)).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test('an envelope is an error, however it is chunked and whatever the status', async () => {
  let parts: Buffer[] = [];
  let status = 200;
  const step: Step = async (response, request) => {
    const send = response.writeHead.bind(response);
    response.writeHead = () => send(status);
    await chunks(parts)(response, request);
  };
  const under = await underTest({ [SPEAK]: [step] });
  await fc.assert(
    fc.asyncProperty(
      shares,
      fc.constantFrom('', '\uFEFF', ' \r\n\t'),
      fc.constantFrom(200, 500),
      async (places, before, code) => {
        status = code;
        const envelope = { traceId: 'trace-1', msgId: '2001001', msg: '额度不足', data: null };
        parts = cut(Buffer.from(before + JSON.stringify(envelope, null, 1)), places);
        expect(await failureOf(listen(under))).toMatchObject({
          kind: 'quota',
          code: '2001001',
          traceId: 'trace-1',
        });
      },
    ),
    { numRuns: 60 },
  );
});

test.each([
  ['beginning with `{` and then silence', Buffer.from([0x7b, 0x00, 0x00, 0x00])],
  [
    'beginning like JSON',
    Buffer.concat([Buffer.from('{"traceId":"x","msgId'), Buffer.from([0xff, 0xff, 0x00])]),
  ],
  ['beginning like a page', Buffer.concat([Buffer.from('<html>'), Buffer.alloc(4, 1)])],
  ['beginning with four letters and then silence', Buffer.concat([Buffer.from('RIFF'), Buffer.alloc(4)])],
  ...[201, 302, 404, 418].map(
    (status) => [`with HTTP status ${status}`, Buffer.from([0x7b, 0x22, 1, 0, 2, 0]), status] as const,
  ),
] as const)('sound %s is sound', async (_name, pcm, status = 200) => {
  const under = await underTest({ [SPEAK]: [raw(pcm, status)] });
  expect(Buffer.concat(await listen(under)).equals(pcm)).toBe(true);
  expect(under.outcomes()).toEqual(['charged']);
});

test('sound is passed on as it comes, not when it is complete', async () => {
  const heard = Promise.withResolvers<void>();
  const step: Step = async (response) => {
    response.write(Buffer.from([0x7b, 0x22, 0x00]));
    await heard.promise;
    response.end(Buffer.from([1]));
  };
  const under = await underTest({ [SPEAK]: [step] });
  const received: Buffer[] = [];
  for await (const samples of await speak(under)) {
    received.push(samples);
    heard.resolve();
  }
  expect(received).toEqual([Buffer.from([0x7b, 0x22, 0x00]), Buffer.from([1])]);
});

test.each([
  ['a page', raw('<!doctype html><title>Sign in</title>'), 'malformed'],
  ['a page longer than two seconds of sound', raw(`<html>${'<p>word</p>\n'.repeat(10_000)}`), 'malformed'],
  ['JSON of somebody else', json({ message: 'ok' }), 'malformed'],
  [
    'plain text declared as such',
    raw('upstream connect error', 200, { 'content-type': 'text/plain' }),
    'malformed',
  ],
  ['plain text with a failing status', raw('not found!', 404), 'malformed'],
  ['nothing', raw(''), 'malformed'],
  ['plain text with a status that asks to try later', raw('down', 503), 'unavailable'],
  ['a redirect', raw('', 302, { location: '/' }), 'malformed'],
])('%s in place of speech is tried three times', async (_name, step, kind) => {
  const under = await underTest({ [SPEAK]: [step] });
  const failure = await failureOf(listen(under));
  expect(failure).toMatchObject({ kind });
  expect(isBrokenOff(failure)).toBe(false);
  expect(under.server.requests).toHaveLength(3);
});

const part = Buffer.from([1, 0, 2, 0]);

test.each([
  ['a reset', chunks([part], reset)],
  ['a connection closed', chunks([part], hangUp)],
  ['silence', chunks([part], fallSilent)],
  ['half a sample', chunks([part, Buffer.from([3])])],
  [
    'less than was announced',
    ((response) => {
      response.writeHead(200, { 'content-length': '1000' });
      response.write(part, () => response.socket?.end());
    }) satisfies Step,
  ],
])('speech that ends with %s is charged and not repeated', async (_name, step) => {
  const under = await underTest({ [SPEAK]: [step] }, { timeoutMs: 1000 });
  const heard: Buffer[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const samples of await speak(under)) heard.push(samples);
    })(),
  );
  expect(failure).toMatchObject({ kind: 'unavailable', brokenOff: true, outcome: 'charged' });
  expect(isBrokenOff(failure)).toBe(true);
  const bytes = Buffer.concat(heard);
  expect(bytes.subarray(0, part.length)).toEqual(part);
  expect(under.server.requests).toHaveLength(1);
  expect(under.outcomes()).toEqual(['charged']);
  expect(under.events.at(-1)).toEqual({ type: 'speech-ended', outcome: 'broken-off' });
});

/** What is heard of speech with neither length nor chunks, as in HTTP/1.0, whose connection ends by `finish`. */
async function listenUnframed(finish: (socket: Socket) => void): Promise<Buffer[]> {
  const step: Step = (response) => {
    response.socket?.write('HTTP/1.1 200 OK\r\nconnection: close\r\n\r\n');
    response.socket?.write(part);
    connection.resolve(response.socket);
  };
  const connection = Promise.withResolvers<Socket | null>();
  const speech = await speak(await underTest({ [SPEAK]: [step] }));
  const socket = await connection.promise;
  if (socket !== null) finish(socket);
  return Array.fromAsync(speech);
}

test('speech that is ended by closing the connection is whole', async () => {
  expect(Buffer.concat(await listenUnframed((socket) => socket.end()))).toEqual(part);
});

test('speech that would be ended by closing the connection is not whole after a reset', async () => {
  const failure = await failureOf(listenUnframed((socket) => socket.resetAndDestroy()));
  expect(isBrokenOff(failure)).toBe(true);
});

test('speech that nobody listens to any more hangs up and is charged', async () => {
  const gone = Promise.withResolvers<void>();
  const endless: Step = (response) => {
    const talk = () => response.write(Buffer.alloc(3200), () => setImmediate(talk));
    response.on('close', gone.resolve);
    talk();
  };
  const under = await underTest({ [SPEAK]: [endless] }, { concurrency: 1 });
  for await (const _samples of await speak(under)) break;
  await gone.promise;
  expect(under.outcomes()).toEqual(['charged']);
  expect(under.events.at(-1)).toEqual({ type: 'speech-ended', outcome: 'abandoned' });
});

test('a slow listener does not make the service look silent', async () => {
  const long = Buffer.alloc(3_000_000, 1);
  const under = await underTest({ [SPEAK]: [raw(long)] }, { timeoutMs: 1000 });
  let bytes = 0;
  for await (const samples of await speak(under)) {
    if (bytes === 0) await new Promise((resolve) => setTimeout(resolve, 2500));
    bytes += samples.length;
  }
  expect(bytes).toBe(long.length);
});
