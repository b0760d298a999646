/** The access token: one for all calls, kept over restarts, renewed in time and when it is refused. */
import { expect, test } from 'vitest';
import { expiryOf, fingerprintOf } from '../../src/service/token.ts';
import { held, json, type ScriptedServer, type Step } from './scripted-server.ts';
import {
  call,
  createMemoryStore,
  failureOf,
  image,
  OCR,
  recognised,
  SECRETS,
  TOKEN,
  type UnderTest,
  underTest,
} from './service-under-test.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.parse('2025-03-01T12:00:00Z');
const START_S = START / 1000;
const refused = json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' });

/** Issues t1, t2, … and counts. */
function issuing(expires: unknown = 2_592_000): Step {
  let issued = 0;
  return (response, request) => {
    issued += 1;
    return json({ access_token: `t${issued}`, expires })(response, request);
  };
}

/** Reads with the tokens in `good`, refuses all others. */
const readingWith =
  (good: () => string): Step =>
  (response, request) =>
    (request.query.get('access_token') === good() ? recognised : refused)(response, request);

const read = ({ service, meter }: UnderTest) => service.recognise({ input: { image } }, { meter });
const tokensUsed = (server: ScriptedServer) =>
  server.requestsTo(OCR).map(({ query }) => query.get('access_token'));

test('fifty recognitions at once need one token', async () => {
  const under = await underTest({ [TOKEN]: [issuing()], [OCR]: [recognised] }, { concurrency: 50 });
  await Promise.all(Array.from({ length: 50 }, () => read(under)));
  expect(under.server.requestsTo(TOKEN)).toHaveLength(1);
  expect(under.server.requestsTo(OCR)).toHaveLength(50);
});

test('a token outlives the process', async () => {
  const store = createMemoryStore();
  const first = await underTest({ [TOKEN]: [issuing()], [OCR]: [recognised] }, { tokenStore: store });
  await read(first);
  const kept = store.kept;
  await first.service.close();
  const second = await underTest(
    { [OCR]: [recognised] },
    {
      tokenStore: {
        load: async () => kept && { ...kept, credentials: hashAt(second) },
        save: async () => {},
      },
    },
  );
  await read(second);
  expect(second.server.requestsTo(TOKEN)).toEqual([]);
  expect(tokensUsed(second.server)).toEqual(['t1']);
});

function hashAt({ server }: { server: ScriptedServer }): string {
  return fingerprintOf({ ...SECRETS, authUrl: server.url });
}

test('what is kept tells neither the key nor the secret', async () => {
  const store = createMemoryStore();
  const under = await underTest({ [OCR]: [recognised] }, { tokenStore: store });
  await read(under);
  expect(store.kept).toMatchObject({ token: 'aaa.bbb.ccc', credentials: hashAt(under) });
  for (const secret of Object.values(SECRETS)) expect(JSON.stringify(store.kept)).not.toContain(secret);
});

test.each([
  ['of other credentials', { credentials: 'other', expiresAt: START + DAY }],
  ['that has run out', { expiresAt: START - 1 }],
  ['that is about to run out', { expiresAt: START + 60_000 }],
])('a kept token %s is not used', async (_name, kept) => {
  const store = createMemoryStore();
  const under = await underTest(
    { [TOKEN]: [issuing()], [OCR]: [recognised] },
    { tokenStore: store, now: () => START },
  );
  store.kept = { token: 'old', credentials: hashAt(under), ...kept };
  await read(under);
  expect(tokensUsed(under.server)).toEqual(['t1']);
  expect(store.kept?.token).toBe('t1');
});

const shortLived = json({ access_token: 'brief', expires_in: 3600 });

test.each<[string, Step[], number[], string[]]>([
  [
    'is renewed before it runs out',
    [issuing()],
    [0, 30 * DAY - 6 * MINUTE, 30 * DAY - 4 * MINUTE],
    ['t1', 't1', 't2'],
  ],
  ['may be announced as expires_in', [shortLived, issuing()], [0, HOUR], ['brief', 't1']],
])('a token %s', async (_name, tokens, ages, used) => {
  let now = START;
  const under = await underTest({ [TOKEN]: tokens, [OCR]: [recognised] }, { now: () => now });
  for (const age of ages) {
    now = START + age;
    await read(under).catch(() => {});
  }
  expect(tokensUsed(under.server)).toEqual(used);
});

test('a refused token is replaced once and the call made once more, both tries metered', async () => {
  const under = await underTest({ [TOKEN]: [issuing()], [OCR]: [readingWith(() => 't2')] });
  expect((await read(under)).lines).toHaveLength(1);
  expect(tokensUsed(under.server)).toEqual(['t1', 't2']);
  expect(under.outcomes()).toEqual(['failed', 'charged']);
});

test('a new token that is refused is no failure of our credentials', async () => {
  const under = await underTest({ [TOKEN]: [issuing()], [OCR]: [refused] });
  expect(await failureOf(read(under))).toMatchObject({ kind: 'unavailable', code: '110' });
  expect(under.server.requestsTo(TOKEN)).toHaveLength(2);
  expect(tokensUsed(under.server)).toEqual(['t1', 't2']);
  expect(under.outcomes()).toEqual(['failed', 'failed']);
});

test('twenty calls that are refused at once need one new token', async () => {
  const under = await underTest(
    { [TOKEN]: [issuing()], [OCR]: [readingWith(() => 't2')] },
    { concurrency: 20 },
  );
  await Promise.all(Array.from({ length: 20 }, () => read(under)));
  expect(under.server.requestsTo(TOKEN)).toHaveLength(2);
  expect(under.server.requestsTo(OCR)).toHaveLength(40);
});

test('a refused token is looked up before it is exchanged', async () => {
  const store = createMemoryStore();
  const under = await underTest(
    { [TOKEN]: [issuing()], [OCR]: [readingWith(() => 'theirs')] },
    { tokenStore: store },
  );
  const refusedOnce = read(under);
  await under.server.received(1);
  const save = store.save.bind(store);
  store.save = async (token) => save({ ...token, token: 'theirs' });
  await refusedOnce;
  expect(tokensUsed(under.server)).toEqual(['t1', 'theirs']);
  expect(under.server.requestsTo(TOKEN)).toHaveLength(1);
});

test('one caller who gives up does not take the token from the others', async () => {
  const { step, release } = held(issuing());
  const under = await underTest({ [TOKEN]: [step], [OCR]: [recognised] });
  const impatient = new AbortController();
  const abandoned = failureOf(call(under, 'recognition', { signal: impatient.signal }));
  const patient = read(under);
  await under.server.received(1);
  impatient.abort();
  expect(await abandoned).toMatchObject({ kind: 'cancelled' });
  release();
  expect((await patient).lines).toHaveLength(1);
  expect(under.server.requestsTo(TOKEN)).toHaveLength(1);
  expect(under.outcomes()).toEqual(['charged']);
});

const jwt = (claims: object) => `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.sig`;

const spellings: [string, unknown, number][] = [
  ['30 days left, in seconds', 2_592_000, 30 * DAY],
  ['an hour left, in seconds', 3600, HOUR],
  ['a minute left, in seconds', 60, 60_000],
  ['30 days left, in milliseconds', 2_592_000_000, 30 * DAY],
  ['a day left, in milliseconds', DAY, DAY],
  ['an hour left, in milliseconds', HOUR, HOUR],
  ['a date in 30 days, in seconds', START_S + 2_592_000, 30 * DAY],
  ['a date in an hour, in seconds', START_S + 3600, HOUR],
  ['a date in 30 days, in milliseconds', START + 30 * DAY, 30 * DAY],
  ['a date in an hour, in milliseconds', START + HOUR, HOUR],
  ['seconds as a string', '7200', 2 * HOUR],
  ['a date in milliseconds as a string', String(START + HOUR), HOUR],
  ['seconds with a fraction', 1799.5, 1_799_500],
  ['nothing', undefined, 30 * DAY],
  ['null', null, 30 * DAY],
  ['zero', 0, 30 * DAY],
  ['a negative number', -1, 30 * DAY],
  ['words', 'in a month', 30 * DAY],
  ['a date that is past', START - HOUR, 30 * DAY],
  ['far more than any token lives', 1e15, 30 * DAY],
  ['an object', { seconds: 3600 }, 30 * DAY],
];

test.each(spellings)('a lifetime given as %s is understood', (_name, expires, lifetime) => {
  expect(expiryOf('no-jwt', expires, START) - START).toBe(lifetime);
});

test.each([
  ['its own date, when nothing else is said', jwt({ exp: START_S + 3600 }), undefined, HOUR],
  ['its own date, when that is earlier', jwt({ exp: START_S + 3600 }), 7200, HOUR],
  ['the date beside it, when that is earlier', jwt({ exp: START_S + 7200 }), 3600, HOUR],
  ['the date beside it, when its own is past', jwt({ exp: START_S - 5 }), 3600, HOUR],
  ['the date beside it, when it has none', jwt({ sub: 'x' }), 3600, HOUR],
  ['the date beside it, when its own is no number', jwt({ exp: 'soon' }), 3600, HOUR],
  ['the date beside it, when it only looks like a JWT', 'aaa.bbb.ccc', 3600, HOUR],
  ['30 days, when nothing can be read', jwt({ exp: {} }), 'soon', 30 * DAY],
])('a JWT runs out at %s', (_name, token, expires, lifetime) => {
  expect(expiryOf(token, expires, START) - START).toBe(lifetime);
});
