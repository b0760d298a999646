/** Which failures are retried, how often and after how long, and what the ledger records of each try. */
import { expect, test } from 'vitest';
import type { FailureKind } from '../../src/errors.ts';
import {
  readRetryAfter,
  retryDelayMs,
  ServiceFailure,
  type ServiceFailureDetails,
  shouldRetry,
} from '../../src/service/calls/failure.ts';
import { chunks, fallSilent, hang, hangUp, json, raw, reset, type Step } from './scripted-server.ts';
import {
  failureOf,
  image,
  OCR,
  recognised,
  SPEAK,
  TOKEN,
  TRANSLATE,
  tokenAnswer,
  translated,
  underTest,
} from './service-under-test.ts';

const table: [FailureKind, ServiceFailureDetails, number, boolean][] = [
  ['unavailable', {}, 1, true],
  ['unavailable', {}, 2, true],
  ['unavailable', {}, 3, false],
  ['unavailable', { retryAfterMs: 30_000 }, 1, true],
  ['unavailable', { retryAfterMs: 30_001 }, 1, false],
  ['unavailable', { answered: true }, 1, false],
  ['unavailable', { answered: true, refusedToken: true }, 1, true],
  ['unavailable', { answered: true, refusedToken: true }, 2, false],
  ['malformed', {}, 1, true],
  ['malformed', {}, 2, true],
  ['malformed', {}, 3, false],
  ['malformed', { answered: true }, 1, false],
  ['in-doubt', {}, 1, false],
  ['auth', {}, 1, false],
  ['quota', {}, 1, false],
  ['too-long', {}, 1, false],
  ['bad-request', {}, 1, false],
  ['cancelled', {}, 1, false],
];

test.each(table)('after %s %o, try %i, trying again is %s', (kind, details, attempt, expected) => {
  expect(shouldRetry(new ServiceFailure(kind, '', details), attempt)).toBe(expected);
});

test.each([
  [1, undefined, 0, 150],
  [1, undefined, 1, 300],
  [2, undefined, 0, 300],
  [2, undefined, 0.5, 450],
  [2, undefined, 1, 600],
  [1, 2000, 0, 2150],
  [2, 30_000, 1, 30_600],
])(
  'the wait after try %i with Retry-After %s ms and random %d is %i ms',
  (attempt, retryAfterMs, random, expected) => {
    expect(retryDelayMs(attempt, retryAfterMs, random)).toBe(expected);
  },
);

const NOW = Date.parse('2025-03-01T12:00:00Z');

test.each([
  [undefined, undefined],
  ['0', 0],
  ['7', 7000],
  [' 120 ', 120_000],
  ['Sat, 01 Mar 2025 12:00:09 GMT', 9000],
  ['Sat, 01 Mar 2025 11:00:00 GMT', 0],
  ['soon', undefined],
  ['', undefined],
])('a Retry-After of %j is %s ms', (header, expected) => {
  expect(readRetryAfter(header, NOW)).toBe(expected);
});

const ask = { text: 'ཀ', from: 'tibetan', to: 'chinese' } as const;

const passing: [string, Step, string][] = [
  ['a reset before the answer', reset, 'failed'],
  ['a connection closed before the answer', hangUp, 'failed'],
  ['429', raw('slow down', 429), 'failed'],
  ['429 that says when', raw('slow down', 429, { 'retry-after': '0' }), 'failed'],
  ['500', raw('', 500), 'failed'],
  ['502 with a page', raw('<html>Bad gateway</html>', 502), 'failed'],
  ['503 with JSON of somebody else', json({ message: 'no healthy upstream' }, 503), 'failed'],
  ['404 without an envelope', raw('not found', 404), 'failed'],
  ['a page with status 200', raw('<!doctype html><title>Welcome</title>'), 'in-doubt'],
  ['an empty body', raw(''), 'in-doubt'],
  ['half an envelope', raw('{"traceId":"x","msgId":"20000'), 'in-doubt'],
  ['an answer that breaks off', chunks([Buffer.from('{"traceId":')], reset), 'in-doubt'],
  ['something that is not HTTP', (response) => void response.socket?.end('220 smtp ready\r\n'), 'in-doubt'],
];

test.each(passing)('translation succeeds at the third try after %s', async (_name, step, outcome) => {
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [step, step, translated] });
  expect(await service.translate(ask, { meter })).toMatchObject({ text: '你好' });
  expect(server.requests).toHaveLength(3);
  expect(outcomes()).toEqual([outcome, outcome, 'charged']);
});

test.each(passing)('recognition succeeds at the second try after %s', async (_name, step, outcome) => {
  const { service, server, meter, outcomes } = await underTest({ [OCR]: [step, recognised] });
  expect(await service.recognise({ input: { image } }, { meter })).toMatchObject({
    lines: [{ text: 'བོད་' }],
  });
  expect(server.requestsTo(OCR)).toHaveLength(2);
  expect(server.requestsTo(TOKEN)).toHaveLength(1);
  expect(outcomes()).toEqual([outcome, 'charged']);
});

test.each(passing)('speech succeeds at the second try after %s', async (_name, step, outcome) => {
  const pcm = Buffer.from([0, 1, 2, 3]);
  const { service, server, meter, outcomes } = await underTest({ [SPEAK]: [step, raw(pcm)] });
  const speech = await service.speak({ text: 'ཀ', variety: 'amdo' }, { meter });
  expect(Buffer.concat(await Array.fromAsync(speech))).toEqual(pcm);
  expect(server.requests).toHaveLength(2);
  expect(outcomes()).toEqual([outcome, 'charged']);
});

test.each(passing)('a token is had at the second try after %s', async (_name, step) => {
  const { service, server, meter, outcomes } = await underTest({
    [TOKEN]: [step, tokenAnswer],
    [OCR]: [recognised],
  });
  await service.recognise({ input: { image } }, { meter });
  expect(server.requestsTo(TOKEN)).toHaveLength(2);
  expect(outcomes()).toEqual(['charged']);
});

test.each([
  ['a failing server', raw('', 500), 'unavailable'],
  ['a page in place of the service', raw('<html></html>'), 'malformed'],
])('after three tries %s is given up', async (_name, step, kind) => {
  const { service, server, meter, outcomes } = await underTest({ [TRANSLATE]: [step] });
  expect(await failureOf(service.translate(ask, { meter }))).toMatchObject({ kind });
  expect(server.requests).toHaveLength(3);
  expect(outcomes()).toHaveLength(3);
});

test('a token that cannot be had is asked for three times in all, and nothing is metered', async () => {
  const { service, server, meter, entries } = await underTest({
    [TOKEN]: [raw('', 500)],
    [OCR]: [recognised],
  });
  expect(await failureOf(service.recognise({ input: { image } }, { meter }))).toMatchObject({
    kind: 'unavailable',
  });
  expect(server.requests).toHaveLength(3);
  expect(entries).toEqual([]);
});

test('no connection is tried three times, each of them metered and none owed', async () => {
  const { service, server, meter, outcomes, events } = await underTest({});
  await server.close();
  expect(await failureOf(service.translate(ask, { meter }))).toMatchObject({ kind: 'unavailable' });
  expect(outcomes()).toEqual(['failed', 'failed', 'failed']);
  expect(events.map((event) => event.type === 'try' && event.attempt)).toEqual([1, 2, 3]);
});

test('a Retry-After of an hour is not waited for', async () => {
  const { service, server, meter } = await underTest({
    [TRANSLATE]: [raw('', 503, { 'retry-after': '3600' })],
  });
  expect(await failureOf(service.translate(ask, { meter }))).toMatchObject({
    kind: 'unavailable',
    retryAfterMs: 3_600_000,
  });
  expect(server.requests).toHaveLength(1);
});

test('a Retry-After that is a date is obeyed', async () => {
  const now = Date.now();
  const busy = raw('', 503, { 'retry-after': new Date(now + 3_600_000).toUTCString() });
  const { service, server, meter } = await underTest({ [TRANSLATE]: [busy, translated] });
  expect(await failureOf(service.translate(ask, { meter }))).toMatchObject({ kind: 'unavailable' });
  expect(server.requests).toHaveLength(1);
});

const silences: [string, Step][] = [
  ['no answer', hang],
  ['a head without a body', chunks([], fallSilent)],
  ['half a body', chunks([Buffer.from('{"traceId":')], fallSilent)],
];

for (const path of [OCR, TRANSLATE, SPEAK]) {
  test.each(silences)(`${path} that falls silent (%s) is in doubt and not repeated`, async (_name, step) => {
    const { service, server, meter, outcomes } = await underTest({ [path]: [step] }, { timeoutMs: 500 });
    const calls: Record<string, () => Promise<unknown>> = {
      [OCR]: () => service.recognise({ input: { image } }, { meter }),
      [TRANSLATE]: () => service.translate(ask, { meter }),
      [SPEAK]: () => service.speak({ text: 'ཀ', variety: 'khampa' }, { meter }),
    };
    expect(await failureOf(calls[path]?.() ?? Promise.resolve())).toMatchObject({ kind: 'in-doubt' });
    expect(server.requestsTo(path)).toHaveLength(1);
    expect(outcomes()).toEqual(['in-doubt']);
  });
}

test('a token endpoint that falls silent leaves nobody in doubt', async () => {
  const { service, server, meter, entries } = await underTest({ [TOKEN]: [hang] }, { timeoutMs: 500 });
  expect(await failureOf(service.recognise({ input: { image } }, { meter }))).toMatchObject({
    kind: 'unavailable',
  });
  expect(server.requests).toHaveLength(1);
  expect(entries).toEqual([]);
});
