/** Every error of the service becomes a failure with a kind, and none reveals anything private. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { type FailureKind, isFailure } from '../../src/errors.ts';
import type { CallKind } from '../../src/paid-calls.ts';
import { chunks, hang, json, raw, reset, type Step } from './scripted-server.ts';
import {
  call,
  failureOf,
  KINDS,
  PATHS,
  SECRETS,
  TOKEN,
  type UnderTestOptions,
  underTest,
} from './service-under-test.ts';

const TEXT = 'བོད་ཀྱི་སྐད་ཡིག་ནི་ཧ་ཅང་སྙན་པོ་ཡོད།';

async function failWith(kind: CallKind, step: Step, options: UnderTestOptions = {}) {
  const under = await underTest({ [PATHS[kind]]: [step] }, options);
  return { ...under, failure: await failureOf(call(under, kind, { text: TEXT })) };
}

const envelope = (msgId: string, msg: string) => ({ traceId: 'trace-7', msgId, msg, data: null });
const ENVELOPES = ['translation', 'speech'] as const;
const documented: [FailureKind, string, object, readonly CallKind[]][] = [
  ['auth', '4011001', envelope('4011001', 'AuthFailed'), ENVELOPES],
  ['bad-request', '500', envelope('500', 'parameter lang is out of range: 9'), ENVELOPES],
  ['quota', '2001001', envelope('2001001', 'InsufficientInventory'), ENVELOPES],
  ['too-long', '4004002', envelope('4004002', 'InputTooLong'), ENVELOPES],
  ['auth', '6', { error_code: 6, error_msg: 'No' }, ['recognition']],
];
const statuses = [200, 400, 401, 429, 500, 503];

for (const [kind, code, body, calls] of documented)
  for (const one of calls)
    test.each(statuses)(`${one} answered with ${code} is ${kind}, with HTTP status %i`, async (status) => {
      const { failure, server, outcomes } = await failWith(one, json(body, status));
      const traceId = 'traceId' in body ? body.traceId : undefined;
      expect(failure).toMatchObject({ kind, code, traceId });
      expect(server.requestsTo(PATHS[one])).toHaveLength(1);
      expect(outcomes()).toEqual(['failed']);
    });

test.each(statuses)(
  'a token refused with error 6 is auth, unmetered, with HTTP status %i',
  async (status) => {
    const refusal = json({ error_code: 6, error_msg: 'No permission to access data', details: null }, status);
    const under = await underTest({ [TOKEN]: [refusal] });
    expect(await failureOf(call(under, 'recognition'))).toMatchObject({ kind: 'auth', code: '6' });
    expect(under.server.requests).toHaveLength(1);
    expect(under.entries).toEqual([]);
  },
);

test.each([
  ['translation', { traceId: 't', msgId: 9999, msg: 'Something new', data: null }, '9999'],
  ['translation', { traceId: 't', msgId: '9', msg: 'x'.repeat(5000), data: null }, '9'],
  ['speech', { traceId: 't', msgId: '9999', msg: 'Something new', data: null }, '9999'],
  ['recognition', { error_code: 17, error_msg: 'Something new' }, '17'],
  ['recognition', { traceId: 't', msgId: '9999', msg: 'Something new', data: null }, '9999'],
] as const)(
  'an undocumented code of %s keeps its number and the beginning of its text, and is not asked for again',
  async (ability, body, code) => {
    const { failure, server, outcomes } = await failWith(ability, json(body, 500));
    const said = 'msg' in body ? body.msg : body.error_msg;
    expect(failure).toMatchObject({ kind: 'unavailable', code, text: said.slice(0, 200) });
    expect(server.requestsTo(PATHS[ability])).toHaveLength(1);
    expect(outcomes()).toEqual(['failed']);
  },
);

test.each([
  ['translation', { traceId: 't', msgId: '2000000', msg: 'success', data: null }],
  ['translation', { traceId: 't', msgId: '2000000', msg: 'success', data: ' ' }],
  ['speech', { traceId: 't', msgId: '2000000', msg: 'success', data: null }],
  ['recognition', { log_id: 1, words_result: 'none' }],
] as const)(
  '%s that succeeds without a result (%o) is malformed, paid for, and not asked for again',
  async (ability, body) => {
    const { failure, server, outcomes } = await failWith(ability, json(body));
    expect(failure).toMatchObject({ kind: 'malformed' });
    expect(server.requestsTo(PATHS[ability])).toHaveLength(1);
    expect(outcomes()).toEqual(['charged']);
  },
);

const echo = (words: string): Step =>
  json({ msgId: 'x1', traceId: 't', msg: `bad value: ${words} `, data: null });

const badAnswers: [string, Step, UnderTestOptions?][] = [
  ['a page of a proxy', raw(`<html>${SECRETS.xSecret} ${TEXT}</html>`, 502)],
  ['JSON of somebody else', json({ message: SECRETS.xSecret, text: TEXT })],
  ['a reset', reset],
  ['silence', hang, { timeoutMs: 500 }],
  ['an answer that breaks off', chunks([Buffer.from(`{"x":"${TEXT}`)], reset)],
  ['a Retry-After too long to wait for', raw(TEXT, 429, { 'retry-after': '3600' })],
  ...Object.values(SECRETS).map((secret): [string, Step] => [`an answer with ${secret}`, echo(secret)]),
];

function expectNothingPrivate(failure: unknown): void {
  expect(isFailure(failure)).toBe(true);
  const shown = inspect(failure, { depth: Infinity, showHidden: true });
  const words = ['aaa.bbb.ccc', 'access_token', 'client_secret', TEXT.slice(0, 2)];
  for (const secret of [...Object.values(SECRETS), ...words]) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(encodeURIComponent(secret));
  }
}

for (const kind of KINDS) {
  test.each(badAnswers)(
    `nothing private is in the failure of ${kind} after %s`,
    async (_name, step, options) => {
      expectNothingPrivate((await failWith(kind, step, options)).failure);
    },
  );
}

test('the token is not in a failure that repeats it', async () => {
  expectNothingPrivate((await failWith('recognition', echo('aaa.bbb.ccc'))).failure);
});

test.each<[string, Record<string, unknown>]>([
  ['whole', { msgId: 'x1', msg: `bad value: ${TEXT}` }],
  ['in part', { msgId: 'x1', msg: `bad value: ${TEXT.slice(3, 15)}` }],
  ['as the code', { msgId: TEXT, msg: 'x' }],
  ['as the id', { msgId: '9', traceId: TEXT, msg: 'x' }],
  ['as the id of a documented error', { msgId: '500', traceId: TEXT, msg: 'x' }],
  ['by a syllable', { msgId: '9', msg: `no word: ${TEXT.slice(0, 5)}` }],
  ['escaped', { msgId: '9', msg: `bad: ${encodeURIComponent(TEXT.slice(0, 4))}` }],
])('the text is not in a failure that repeats it %s', async (_, body) => {
  for (const kind of KINDS) {
    const { failure } = await failWith(kind, json({ traceId: 't', data: null, ...body }));
    expectNothingPrivate(failure);
    expect(inspect(failure, { depth: Infinity, showHidden: true })).not.toMatch(/\p{Script=Tibetan}/u);
  }
});

test('nothing private is in the failure when nobody listens at the address', async () => {
  const under = await underTest({});
  await under.server.close();
  const failure = await failureOf(call(under, 'recognition'));
  expect(failure).toMatchObject({ kind: 'unavailable' });
  expectNothingPrivate(failure);
  expect(inspect(failure, { depth: Infinity })).not.toContain(under.server.url);
});

test('an X-Secret that no header can carry is refused without being told', async () => {
  const under = await underTest({}, { secrets: { ...SECRETS, xSecret: 'bad\nsecret' } });
  const failure = await failureOf(call(under, 'translation'));
  expect(failure).toMatchObject({ kind: 'bad-request' });
  expect(inspect(failure, { depth: Infinity })).not.toMatch(/bad.*secret/);
  expect(under.outcomes()).toEqual(['failed']);
});
