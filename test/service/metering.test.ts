/** Every try is metered before it is sent, and settled once. */
import { expect, test } from 'vitest';
import type { Meter } from '../../src/service/calls/paid-call.ts';
import { held, json, raw } from './scripted-server.ts';
import {
  ANSWERS,
  call,
  createTestMeter,
  failureOf,
  image,
  KINDS,
  OCR,
  PATHS,
  SPEAK,
  TRANSLATE,
  translated,
  underTest,
} from './service-under-test.ts';

const ask = { text: 'བོད', from: 'tibetan', to: 'chinese' } as const;

test('each kind of call is metered before it is sent', async () => {
  for (const kind of KINDS) {
    const under = await underTest({ [PATHS[kind]]: [ANSWERS[kind]] });
    const sentBefore: number[] = [];
    const begin: Meter['begin'] = (entry) => {
      sentBefore.push(under.server.requestsTo(PATHS[kind]).length);
      return under.meter.begin(entry);
    };
    await call(under, kind, { text: '𠀀好', meter: { begin } });
    const characters = kind === 'recognition' ? 0 : 2;
    expect(under.entries).toEqual([{ kind, characters, outcomes: ['charged'] }]);
    expect(sentBefore).toEqual([0]);
  }
});

test('what the meter refuses is not sent, and its error arrives as it is', async () => {
  const { service, server } = await underTest({ [TRANSLATE]: [translated] });
  const overLimit = new Error('the daily limit is reached');
  const meter: Meter = { begin: () => Promise.reject(overLimit) };
  expect(await failureOf(service.translate(ask, { meter }))).toBe(overLimit);
  expect(server.requests).toEqual([]);
});

test('a limit that is reached between two tries ends them', async () => {
  const { service, server } = await underTest({ [TRANSLATE]: [raw('', 500)] });
  const { meter, outcomes } = createTestMeter();
  const overLimit = new Error('the daily limit is reached');
  let begun = 0;
  const limited: Meter = {
    begin: async (call) => (++begun > 1 ? Promise.reject(overLimit) : meter.begin(call)),
  };
  expect(await failureOf(service.translate(ask, { meter: limited }))).toBe(overLimit);
  expect(server.requests).toHaveLength(1);
  expect(outcomes()).toEqual(['failed']);
});

test('a paid answer is given even if its outcome is not written', async () => {
  const { service, events } = await underTest({ [TRANSLATE]: [translated] });
  const meter: Meter = {
    begin: async () => async () => {
      throw new RangeError('disk full');
    },
  };
  expect(await service.translate(ask, { meter })).toMatchObject({ text: '你好' });
  expect(events).toContainEqual({ type: 'settle-failed', kind: 'translation', error: 'RangeError' });
});

test('events tell kinds, outcomes and tries, and no text', async () => {
  const { service, meter, events } = await underTest({
    [TRANSLATE]: [raw('', 500), translated, json({ traceId: 't', msgId: '2001001', msg: 'no', data: null })],
  });
  await service.translate(ask, { meter });
  await failureOf(service.translate(ask, { meter }));
  const aTry = { type: 'try', kind: 'translation', ms: expect.any(Number) };
  expect(events).toEqual([
    { ...aTry, outcome: 'unavailable', attempt: 1 },
    { ...aTry, outcome: 'ok', attempt: 2, traceId: 't-1' },
    { ...aTry, outcome: 'quota', attempt: 1, traceId: 't' },
  ]);
});

test('a recognition’s event has its id to the last digit', async () => {
  const { service, meter, events } = await underTest({
    [OCR]: [raw('{"log_id":18446744073709551615,"words_result_num":0,"words_result":[]}')],
    [TRANSLATE]: [json({ traceId: 'a word of mine', msgId: '2000000', msg: 'success', data: '你好' })],
  });
  await service.recognise({ input: { image } }, { meter });
  await service.translate({ ...ask, text: 'a word of mine བོད' }, { meter });
  const ids = events.flatMap((event) => (event.type === 'try' ? [event.traceId] : []));
  expect(ids).toEqual(['18446744073709551615', undefined]);
});

test('no more calls are in flight than allowed, and all are answered', async () => {
  const { step, release } = held(translated);
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [step] }, { concurrency: 3 });
  const calls = Array.from({ length: 12 }, () => service.translate(ask, { meter }));
  await server.received(3);
  release();
  await Promise.all(calls);
  expect(server.busiest).toBe(3);
  expect(outcomes()).toEqual(Array(12).fill('charged'));
});

test('speech holds its place until it is read out', async () => {
  const { service, server, meter } = await underTest(
    { [SPEAK]: [raw(Buffer.alloc(64))], [TRANSLATE]: [translated] },
    { concurrency: 1 },
  );
  const speech = await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter });
  const translation = service.translate(ask, { meter });
  const order: string[] = [];
  const behind = translation.then(() => order.push('translated'));
  for await (const _samples of speech) expect(server.requestsTo(TRANSLATE)).toEqual([]);
  order.push('heard');
  await behind;
  expect(order).toEqual(['heard', 'translated']);
});
