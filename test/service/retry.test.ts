/** Which failures are retried, how often and after how long, and what the ledger records of each try. */
import { expect, test } from 'vitest';
import type { FailureKind } from '../../src/errors.ts';
import {
  readRetryAfter,
  retryWaitMs,
  ServiceFailure,
  type ServiceFailureDetails,
  shouldRetry,
} from '../../src/service/calls/failure.ts';
import { chunks, hang, hangUp, json, raw, reset, type Step } from './scripted-server.ts';
import {
  ANSWERS,
  call,
  failureOf,
  KINDS,
  OCR,
  PATHS,
  recognised,
  TOKEN,
  TRANSLATE,
  tokenAnswer,
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
    const failure = new ServiceFailure('unavailable', '', { retryAfterMs });
    expect(retryWaitMs(failure, attempt, random)).toBe(expected);
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

for (const kind of KINDS) {
  test.each(passing)(`${kind} succeeds at the second try after %s`, async (_name, step, outcome) => {
    const under = await underTest({ [PATHS[kind]]: [step, ANSWERS[kind]] });
    await call(under, kind);
    expect(under.server.requestsTo(PATHS[kind])).toHaveLength(2);
    expect(under.server.requestsTo(TOKEN)).toHaveLength(kind === 'recognition' ? 1 : 0);
    expect(under.outcomes()).toEqual([outcome, 'charged']);
  });
}

test.each(passing)('a token is had at the second try after %s', async (_name, step) => {
  const under = await underTest({ [TOKEN]: [step, tokenAnswer], [OCR]: [recognised] });
  await call(under, 'recognition');
  expect(under.server.requestsTo(TOKEN)).toHaveLength(2);
  expect(under.outcomes()).toEqual(['charged']);
});

test.each([
  ['a failing server', raw('', 500), 'unavailable'],
  ['a page in place of the service', raw('<html></html>'), 'malformed'],
])('after three tries %s is given up', async (_name, step, kind) => {
  const under = await underTest({ [TRANSLATE]: [step] });
  expect(await failureOf(call(under, 'translation'))).toMatchObject({ kind });
  expect(under.server.requests).toHaveLength(3);
  expect(under.outcomes()).toHaveLength(3);
});

test.each([
  ['cannot be had is asked for three times in all', raw('', 500), 3],
  ['is met with silence likewise', hang, 3],
])('a token that %s, and nothing is metered or in doubt', async (_name, step, times) => {
  const under = await underTest({ [TOKEN]: [step], [OCR]: [recognised] }, { timeoutMs: 500 });
  expect(await failureOf(call(under, 'recognition'))).toMatchObject({ kind: 'unavailable' });
  expect(under.server.requests).toHaveLength(times);
  expect(under.entries).toEqual([]);
});

test('no connection is tried three times, each of them metered and none owed', async () => {
  const under = await underTest({});
  await under.server.close();
  expect(await failureOf(call(under, 'translation'))).toMatchObject({ kind: 'unavailable' });
  expect(under.outcomes()).toEqual(['failed', 'failed', 'failed']);
  expect(under.events.map((event) => event.type === 'try' && event.attempt)).toEqual([1, 2, 3]);
});
