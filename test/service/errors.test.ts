/** Every error of the service becomes a failure with a kind, and none reveals anything private. */
import { inspect } from 'node:util';
import { expect, test } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { chunks, hang, json, raw, reset, type Step } from './scripted-server.ts';
import {
  failureOf,
  image,
  OCR,
  SECRETS,
  SPEAK,
  TOKEN,
  TRANSLATE,
  type UnderTest,
  type UnderTestOptions,
  underTest,
} from './service-under-test.ts';

const TEXT = 'བོད་ཀྱི་སྐད་ཡིག་ནི་ཧ་ཅང་སྙན་པོ་ཡོད།';

const asks = {
  recognition: ({ service, meter }: UnderTest) => service.recognise({ input: { image } }, { meter }),
  translation: ({ service, meter }: UnderTest) =>
    service.translate({ text: TEXT, from: 'tibetan', to: 'chinese' }, { meter }),
  speech: async ({ service, meter }: UnderTest) =>
    Array.fromAsync(await service.speak({ text: TEXT, variety: 'amdo' }, { meter })),
};

const paths = { recognition: OCR, translation: TRANSLATE, speech: SPEAK };
type Ability = keyof typeof asks;

async function failWith(ability: Ability, step: Step, options: UnderTestOptions = {}) {
  const under = await underTest({ [paths[ability]]: [step] }, options);
  return { ...under, failure: await failureOf(asks[ability](under)) };
}

const documented = [
  ['4011001', 'AuthFailed', 'auth'],
  ['500', 'parameter lang is out of range: 9', 'bad-request'],
  ['2001001', 'InsufficientInventory', 'quota'],
  ['4004002', 'InputTooLong', 'too-long'],
] as const;

const statuses = [200, 400, 401, 429, 500, 503];

for (const ability of ['translation', 'speech'] as const) {
  for (const [msgId, msg, kind] of documented) {
    test.each(statuses)(
      `${ability} answered with msgId ${msgId} is ${kind}, with HTTP status %i`,
      async (status) => {
        const body = { traceId: 'trace-7', msgId, msg, data: null };
        const { failure, server, outcomes } = await failWith(ability, json(body, status));
        expect(failure).toMatchObject({ kind, code: msgId, traceId: 'trace-7' });
        expect(server.requests).toHaveLength(1);
        expect(outcomes()).toEqual(['failed']);
      },
    );
  }
}

test.each(statuses)('recognition answered with error 6 is auth, with HTTP status %i', async (status) => {
  const { failure, server, outcomes } = await failWith(
    'recognition',
    json({ error_code: 6, error_msg: 'No' }, status),
  );
  expect(failure).toMatchObject({ kind: 'auth', code: '6' });
  expect(server.requestsTo(OCR)).toHaveLength(1);
  expect(outcomes()).toEqual(['failed']);
});

test.each(statuses)(
  'a token refused with error 6 is auth, unmetered, with HTTP status %i',
  async (status) => {
    const refusal = json({ error_code: 6, error_msg: 'No permission to access data', details: null }, status);
    const under = await underTest({ [TOKEN]: [refusal] });
    expect(await failureOf(asks.recognition(under))).toMatchObject({ kind: 'auth', code: '6' });
    expect(under.server.requests).toHaveLength(1);
    expect(under.entries).toEqual([]);
  },
);

test.each([
  ['translation', { traceId: 't', msgId: 9999, msg: 'Something new', data: null }, '9999'],
  ['speech', { traceId: 't', msgId: '9999', msg: 'Something new', data: null }, '9999'],
  ['recognition', { error_code: 17, error_msg: 'Something new' }, '17'],
  ['recognition', { traceId: 't', msgId: '9999', msg: 'Something new', data: null }, '9999'],
] as const)(
  'an undocumented code of %s keeps its number and text and is not asked for again',
  async (ability, body, code) => {
    const { failure, server, outcomes } = await failWith(ability, json(body, 500));
    expect(failure).toMatchObject({ kind: 'unavailable', code, text: 'Something new' });
    expect(server.requestsTo(paths[ability])).toHaveLength(1);
    expect(outcomes()).toEqual(['failed']);
  },
);

test('the text of an undocumented code is bounded', async () => {
  const { failure } = await failWith(
    'translation',
    json({ traceId: 't', msgId: '9', msg: 'x'.repeat(5000), data: null }),
  );
  expect(failure).toMatchObject({ text: 'x'.repeat(200) });
});

test.each([
  ['translation', { traceId: 't', msgId: '2000000', msg: 'success', data: null }],
  ['translation', { traceId: 't', msgId: '2000000', msg: 'success', data: ' ' }],
  ['speech', { traceId: 't', msgId: '2000000', msg: 'success', data: null }],
  ['recognition', { log_id: 1, words_result: 'none' }],
  ['recognition', { log_id: 1, words_result_num: 2, words_result: [null, { words: ['ཀ'] }] }],
  ['recognition', { log_id: 1, words_result_num: 5, words_result: [] }],
] as const)(
  '%s that succeeds without a result (%o) is malformed, paid for, and not asked for again',
  async (ability, body) => {
    const { failure, server, outcomes } = await failWith(ability, json(body));
    expect(failure).toMatchObject({ kind: 'malformed' });
    expect(server.requestsTo(paths[ability])).toHaveLength(1);
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
  for (const secret of [
    ...Object.values(SECRETS),
    'aaa.bbb.ccc',
    'access_token',
    'client_secret',
    TEXT.slice(0, 8),
  ]) {
    expect(shown).not.toContain(secret);
    expect(shown).not.toContain(encodeURIComponent(secret));
  }
}

for (const ability of ['recognition', 'translation', 'speech'] as const) {
  test.each(badAnswers)(
    `nothing private is in the failure of ${ability} after %s`,
    async (_name, step, options) => {
      const { failure } = await failWith(ability, step, options);
      expectNothingPrivate(failure);
    },
  );
}

test('the token is not in a failure that repeats it', async () => {
  expectNothingPrivate((await failWith('recognition', echo('aaa.bbb.ccc'))).failure);
});

test.each([TEXT, TEXT.slice(3, 15)])('the text is not in a failure that repeats it (%s)', async (words) => {
  expectNothingPrivate((await failWith('translation', echo(words))).failure);
  expectNothingPrivate((await failWith('speech', echo(words))).failure);
});

test.each<[string, Record<string, unknown>]>([
  ['as the code', { msgId: TEXT, msg: 'x' }],
  ['as the id', { msgId: '9', traceId: TEXT, msg: 'x' }],
  ['as the id of a documented error', { msgId: '500', traceId: TEXT, msg: 'x' }],
  ['a syllable of it', { msgId: '9', msg: `no word: ${TEXT.slice(0, 5)}` }],
  ['escaped', { msgId: '9', msg: `bad: ${encodeURIComponent(TEXT.slice(0, 4))}` }],
])('the text is not in a failure that repeats it %s', async (_, body) => {
  for (const ability of ['translation', 'speech', 'recognition'] as const) {
    const { failure } = await failWith(ability, json({ traceId: 't', data: null, ...body }));
    expect(isFailure(failure)).toBe(true);
    const shown = inspect(failure, { depth: Infinity, showHidden: true });
    expect(shown).not.toMatch(/\p{Script=Tibetan}/u);
    expect(shown).not.toContain(encodeURIComponent(TEXT.slice(0, 2)));
  }
});

test('nothing private is in the failure when nobody listens at the address', async () => {
  const under = await underTest({});
  await under.server.close();
  const failure = await failureOf(asks.recognition(under));
  expect(failure).toMatchObject({ kind: 'unavailable' });
  expectNothingPrivate(failure);
  expect(inspect(failure, { depth: Infinity })).not.toContain(under.server.url);
});

test('an X-Secret that no header can carry is refused without being told', async () => {
  const under = await underTest({}, { secrets: { ...SECRETS, xSecret: 'bad\nsecret' } });
  const failure = await failureOf(asks.translation(under));
  expect(failure).toMatchObject({ kind: 'bad-request' });
  expect(inspect(failure, { depth: Infinity })).not.toMatch(/bad.*secret/);
  expect(under.outcomes()).toEqual(['failed']);
});
