/** A call that is cancelled, at each of its moments: what is sent, what is owed, and that it leaves at once. */
import { expect, test } from 'vitest';
import { chunks, fallSilent, hang, raw } from './scripted-server.ts';
import {
  failureOf,
  image,
  OCR,
  recognised,
  SPEAK,
  TOKEN,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

const ask = { text: 'ཀ', from: 'tibetan', to: 'chinese' } as const;

test('a call that is cancelled before it begins is neither sent nor metered', async () => {
  const { service, server, meter, entries } = await underTest({ [TRANSLATE]: [translated] });
  const signal = AbortSignal.abort();
  expect(await failureOf(service.translate(ask, { meter, signal }))).toMatchObject({ kind: 'cancelled' });
  expect(await failureOf(service.recognise({ input: { image } }, { meter, signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(await failureOf(service.speak({ text: 'ཀ', variety: 'amdo' }, { meter, signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(server.requests).toEqual([]);
  expect(entries).toEqual([]);
});

test('a call that is cancelled while it waits in line leaves at once, neither sent nor metered', async () => {
  const { service, server, meter, entries } = await underTest({ [TRANSLATE]: [hang] }, { concurrency: 1 });
  const first = new AbortController();
  const ahead = failureOf(service.translate(ask, { meter, signal: first.signal }));
  await server.received(1);
  const second = new AbortController();
  const waiting = failureOf(service.translate(ask, { meter, signal: second.signal }));
  second.abort();
  expect(await waiting).toMatchObject({ kind: 'cancelled' });
  expect(entries).toHaveLength(1);
  first.abort();
  await ahead;
  expect(server.requests).toHaveLength(1);
});

test('a call that is cancelled while the meter begins is not sent and not owed', async () => {
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [translated] });
  const controller = new AbortController();
  const begin: typeof meter.begin = async (call) => {
    controller.abort();
    return meter.begin(call);
  };
  const failure = await failureOf(service.translate(ask, { meter: { begin }, signal: controller.signal }));
  expect(failure).toMatchObject({ kind: 'cancelled' });
  expect(outcomes()).toEqual(['failed']);
  expect(server.requests).toEqual([]);
});

test('a call that was sent goes on when it is cancelled: it is charged, and gives its result', async () => {
  const { service, meter, server, outcomes } = await underTest({
    [TRANSLATE]: [
      (response, request) => {
        controller.abort();
        return translated(response, request);
      },
    ],
  });
  const controller = new AbortController();
  const call = service.translate(ask, { meter, signal: controller.signal });
  expect(await call).toMatchObject({ text: '你好' });
  await service.close();
  expect(outcomes()).toEqual(['charged']);
  expect(server.requests).toHaveLength(1);
});

test('a call that is cancelled before the next try is settled once and not sent again', async () => {
  const busy = raw('', 503, { 'retry-after': '20' });
  const { service, server, meter, outcomes, events } = await underTest(
    { [TRANSLATE]: [busy] },
    { onEvent: (event) => event.type === 'try' && setImmediate(() => controller.abort()) },
  );
  const controller = new AbortController();
  expect(await failureOf(service.translate(ask, { meter, signal: controller.signal }))).toMatchObject({
    kind: 'cancelled',
  });
  expect(outcomes()).toEqual(['failed']);
  expect(server.requests).toHaveLength(1);
  expect(events).toEqual([]);
});

test('a recognition that is cancelled while its token comes is neither sent nor metered', async () => {
  const { service, server, meter, entries } = await underTest({ [TOKEN]: [hang], [OCR]: [recognised] });
  const controller = new AbortController();
  const call = failureOf(service.recognise({ input: { image } }, { meter, signal: controller.signal }));
  await server.received(1);
  controller.abort();
  expect(await call).toMatchObject({ kind: 'cancelled' });
  expect(server.requestsTo(OCR)).toEqual([]);
  expect(entries).toEqual([]);
});

test('speech that is cancelled midway comes to its end', async () => {
  const parts = [Buffer.from([1, 0]), Buffer.from([2, 0])];
  const { service, meter, outcomes, events } = await underTest({ [SPEAK]: [chunks(parts)] });
  const controller = new AbortController();
  const speech = await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter, signal: controller.signal });
  const heard: Buffer[] = [];
  for await (const samples of speech) {
    heard.push(samples);
    controller.abort();
  }
  expect(Buffer.concat(heard)).toEqual(Buffer.concat(parts));
  expect(events.at(-1)).toMatchObject({ type: 'speech-ended', outcome: 'whole' });
  await service.close();
  expect(outcomes()).toEqual(['charged']);
});

test('speech that its listener leaves frees its place', async () => {
  const part = Buffer.from([1, 0]);
  const { service, meter, outcomes, events } = await underTest(
    { [SPEAK]: [chunks([part], fallSilent), raw(part)] },
    { concurrency: 1 },
  );
  for await (const samples of await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter })) {
    expect(samples).toEqual(part);
    break;
  }
  expect(events.at(-1)).toMatchObject({ type: 'speech-ended', outcome: 'abandoned' });
  await Array.fromAsync(await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter }));
  expect(outcomes()).toEqual(['charged', 'charged']);
});

test('closing the service cancels what is under way and what waits, and later calls', async () => {
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [hang] }, { concurrency: 1 });
  const sent = failureOf(service.translate(ask, { meter }));
  await server.received(1);
  const waiting = failureOf(service.translate(ask, { meter }));
  await service.close();
  expect(await sent).toMatchObject({ kind: 'cancelled' });
  expect(await waiting).toMatchObject({ kind: 'cancelled' });
  expect(await failureOf(service.translate(ask, { meter }))).toMatchObject({ kind: 'cancelled' });
  expect(outcomes()).toEqual(['in-doubt']);
  expect(server.requests).toHaveLength(1);
});
