/** A call that is cancelled, at each of its moments: what is sent, what is owed, and that it leaves at once. */
import { expect, test } from 'vitest';
import { hang, raw } from './scripted-server.ts';
import {
  call,
  failureOf,
  KINDS,
  OCR,
  recognised,
  TOKEN,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

const ask = { text: 'ཀ', from: 'tibetan', to: 'chinese' } as const;

test('a call that is cancelled before it begins is neither sent nor metered', async () => {
  const under = await underTest({ [TRANSLATE]: [translated] });
  for (const kind of KINDS) {
    const cancelled = call(under, kind, { signal: AbortSignal.abort() });
    expect(await failureOf(cancelled)).toMatchObject({ kind: 'cancelled' });
  }
  expect(under.server.requests).toEqual([]);
  expect(under.entries).toEqual([]);
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

test('a call cancelled before its retry is settled once', async () => {
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
  const under = await underTest({ [TOKEN]: [hang], [OCR]: [recognised] });
  const controller = new AbortController();
  const cancelled = failureOf(call(under, 'recognition', { signal: controller.signal }));
  await under.server.received(1);
  controller.abort();
  expect(await cancelled).toMatchObject({ kind: 'cancelled' });
  expect(under.server.requestsTo(OCR)).toEqual([]);
  expect(under.entries).toEqual([]);
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
