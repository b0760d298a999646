/** The circuit: when it opens, how calls fail meanwhile, and how a single probe closes it. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Service } from '../../src/service/client.ts';
import { hang, held, json, raw, type Step, startScriptedServer } from './scripted-server.ts';
import {
  call,
  createMemoryStore,
  createTestMeter,
  failureOf,
  OCR,
  recognised,
  SECRETS,
  TRANSLATE,
  translated,
  type UnderTest,
  underTest,
} from './service-under-test.ts';

const HOUR_MS = 3_600_000;
const COOL_DOWN_MS = 15_000;

/** Only the clocks stand still; what is sent takes its time. */
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date', 'performance'] }));
afterEach(() => void vi.useRealTimers());
const coolDown = () => vi.advanceTimersByTime(COOL_DOWN_MS);

const translate = (under: UnderTest) => call(under, 'translation');
const fail = async (under: UnderTest, times: number) => {
  for (let time = 0; time < times; time++) await failureOf(translate(under));
};
const UNAVAILABLE = { kind: 'unavailable' };
const UP = { state: 'up' };
const DOWN = { state: 'down' };

/** Does not wait to be asked again: one try per call. */
const down = raw('', 503, { 'retry-after': '3600' });
/** So many failures open the circuit. */
const DOWN_FIRST = Array<Step>(5).fill(down);

test('after repeated failures people are told at once, and nothing is sent or metered', async () => {
  const under = await underTest({ [TRANSLATE]: [down] });
  await fail(under, 4);
  expect(under.service.state()).toMatchObject(UP);
  const nextTryAt = Date.now() + COOL_DOWN_MS;
  for (const _ of ['opening', 'refused'])
    expect(await failureOf(translate(under))).toMatchObject({ ...UNAVAILABLE, nextTryAt });
  expect(under.server.requests).toHaveLength(5);
  expect(under.entries).toHaveLength(5);
  const said = { ...DOWN, reason: expect.stringMatching(/^translation: /) };
  expect(under.events).toContainEqual(expect.objectContaining({ type: 'circuit', host: 'base', ...said }));
  const times = { since: new Date().toISOString(), nextTry: new Date(nextTryAt).toISOString() };
  expect(under.service.state()).toEqual({ ...said, ...times });
});

test.each([
  ['back', -3],
  ['forward', 3],
])('a clock that is set %s while the circuit is open changes nothing', async (_name, hours) => {
  const under = await underTest({ [TRANSLATE]: [...DOWN_FIRST, translated] });
  await fail(under, 5);
  vi.setSystemTime(Date.now() + hours * HOUR_MS);
  expect(await failureOf(translate(under))).toMatchObject(UNAVAILABLE);
  expect(under.server.requests).toHaveLength(5);
  coolDown();
  await translate(under);
});

test('a success in between starts the count anew', async () => {
  const under = await underTest({ [TRANSLATE]: [...DOWN_FIRST.slice(1), translated, down] });
  await fail(under, 4);
  await translate(under);
  await fail(under, 4);
  expect(under.service.state()).toMatchObject(UP);
});

test.each([
  ['auth', json({ traceId: 't', msgId: '4011001', msg: 'AuthFailed', data: null })],
  ['quota', json({ traceId: 't', msgId: '2001001', msg: 'InsufficientInventory', data: null })],
  ['bad-request', json({ traceId: 't', msgId: '500', msg: 'lang', data: null })],
  ['an undocumented code', json({ traceId: 't', msgId: '77', msg: 'lang', data: null }, 500)],
])('%s does not open the circuit', async (_name, step) => {
  const under = await underTest({ [TRANSLATE]: [step] });
  await fail(under, 6);
  expect(under.service.state()).toMatchObject(UP);
  expect(under.server.requests).toHaveLength(6);
});

test('a service that refuses each token that it issues (110) opens the circuit', async () => {
  const refused = json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' });
  const under = await underTest({ [OCR]: [refused] });
  for (let time = 0; time < 6; time++)
    expect(await failureOf(call(under, 'recognition'))).toMatchObject(UNAVAILABLE);
  expect(under.service.state()).toMatchObject(DOWN);
  expect(under.server.requestsTo(OCR)).toHaveLength(10);
});

test('a service that only keeps silent opens the circuit too', async () => {
  const under = await underTest({ [TRANSLATE]: [hang] }, { timeoutMs: 500 });
  await Promise.all(DOWN_FIRST.map(() => fail(under, 1)));
  expect(under.service.state()).toMatchObject(DOWN);
});

/** A call that is cancelled in the last moment before it is sent. */
async function cancelledUnsent(under: UnderTest): Promise<void> {
  const controller = new AbortController();
  const begin: typeof under.meter.begin = (entry) => {
    controller.abort();
    return under.meter.begin(entry);
  };
  const cancelled = call(under, 'translation', { meter: { begin }, signal: controller.signal });
  expect(await failureOf(cancelled)).toMatchObject({ kind: 'cancelled' });
}

test('calls that people cancel neither open the circuit nor close it', async () => {
  const under = await underTest({ [TRANSLATE]: [down] });
  for (let time = 0; time < 6; time++) await cancelledUnsent(under);
  expect(under.service.state()).toMatchObject(UP);
  await fail(under, 5);
  coolDown();
  await cancelledUnsent(under);
  expect(under.service.state()).toMatchObject(DOWN);
});

test('one probe that succeeds closes the circuit', async () => {
  const under = await underTest({ [TRANSLATE]: [...DOWN_FIRST, translated] });
  await fail(under, 5);
  coolDown();
  await translate(under);
  expect(under.service.state()).toMatchObject(UP);
  expect(under.server.requests).toHaveLength(6);
});

test('a probe is a single try, and others are refused meanwhile', async () => {
  const { step, release } = held(raw('', 500));
  const under = await underTest({ [TRANSLATE]: [...DOWN_FIRST, step] });
  await fail(under, 5);
  coolDown();
  const probe = failureOf(translate(under));
  await under.server.received(6);
  expect(under.service.state()).toMatchObject(DOWN);
  expect(await failureOf(translate(under))).toMatchObject(UNAVAILABLE);
  release();
  expect(await probe).toMatchObject(UNAVAILABLE);
  expect(under.service.state()).toMatchObject(DOWN);
  expect(under.server.requests).toHaveLength(6);
});

test('what waits in line when the circuit opens is not sent after all', async () => {
  const { step, release } = held(down);
  const under = await underTest({ [TRANSLATE]: [...DOWN_FIRST.slice(1), step] }, { concurrency: 1 });
  await fail(under, 4);
  const calls = Array.from({ length: 5 }, () => failureOf(translate(under)));
  await under.server.received(5);
  release();
  for (const refused of calls) expect(await refused).toMatchObject(UNAVAILABLE);
  expect(under.server.requests).toHaveLength(5);
  expect(under.entries).toHaveLength(5);
});

test('two hosts have a circuit each: pictures are read while translation is down', async () => {
  const under = await underTest({ [OCR]: [recognised] });
  const other = await startScriptedServer({ [TRANSLATE]: [down] });
  const service = new Service({
    config: { authUrl: under.server.url, baseUrl: other.url, ...SECRETS, timeoutMs: 5000, concurrency: 4 },
    tokenStore: createMemoryStore(),
  });
  const both = { ...under, ...createTestMeter(), service };
  await fail(both, 5);
  expect(service.state()).toMatchObject(DOWN);
  await call(both, 'recognition');
  await fail(both, 1);
  expect(other.requests).toHaveLength(5);
  await service.close();
  await other.close();
});
