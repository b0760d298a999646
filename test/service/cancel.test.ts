/** A call that is cancelled, at each of its moments: what is sent, what is owed, and that it leaves at once. */
import { expect, test } from 'vitest';
import { chunks, fallSilent, hang, raw, type Step } from './scripted-server.ts';
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

test('a call that is cancelled while it is answered is in doubt, and hangs up', async () => {
  const gone = Promise.withResolvers<void>();
  const never: Step = (response) => void response.on('close', gone.resolve);
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [never] });
  const controller = new AbortController();
  const call = failureOf(service.translate(ask, { meter, signal: controller.signal }));
  await server.received(1);
  controller.abort();
  expect(await call).toMatchObject({ kind: 'cancelled' });
  expect(outcomes()).toEqual(['in-doubt']);
  await gone.promise;
  expect(server.requests).toHaveLength(1);
});

test('a call that is cancelled halfway through its answer is in doubt', async () => {
  const half = chunks([Buffer.from('{"traceId"')], fallSilent);
  const headSent = Promise.withResolvers<void>();
  const step: Step = async (response, request) => {
    await half(response, request);
    headSent.resolve();
  };
  const { service, meter, outcomes } = await underTest({ [TRANSLATE]: [step] });
  const controller = new AbortController();
  const call = failureOf(service.translate(ask, { meter, signal: controller.signal }));
  await headSent.promise;
  controller.abort();
  expect(await call).toMatchObject({ kind: 'cancelled' });
  expect(outcomes()).toEqual(['in-doubt']);
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

test('speech that is cancelled midway throws, is charged and frees its place', async () => {
  const part = Buffer.from([1, 0]);
  const { service, meter, outcomes, events } = await underTest(
    { [SPEAK]: [chunks([part], fallSilent), raw(part)] },
    { concurrency: 1 },
  );
  const controller = new AbortController();
  const speech = await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter, signal: controller.signal });
  const heard: Buffer[] = [];
  const failure = await failureOf(
    (async () => {
      for await (const samples of speech) {
        heard.push(samples);
        controller.abort();
      }
    })(),
  );
  expect(failure).toMatchObject({ kind: 'cancelled' });
  expect(heard).toEqual([part]);
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
