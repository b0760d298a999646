/** The circuit: when it opens, how calls fail meanwhile, and how a single probe closes it. */
import { expect, onTestFinished, test, vi } from 'vitest';
import { Service } from '../../src/service/client.ts';
import { hang, json, raw, type Step, startScriptedServer } from './scripted-server.ts';
import {
  createMemoryStore,
  createTestMeter,
  failureOf,
  image,
  OCR,
  recognised,
  SECRETS,
  TRANSLATE,
  translated,
  type UnderTest,
  underTest,
} from './service-under-test.ts';

const ask = { text: 'ཀ', from: 'tibetan', to: 'chinese' } as const;
const translate = ({ service, meter }: UnderTest) => service.translate(ask, { meter });
const fail = async (under: UnderTest, times: number) => {
  for (let time = 0; time < times; time++) await failureOf(translate(under));
};

/** Answers by whatever stands in it at the time. */
function changing(first: Step): { step: Step; become(next: Step): void } {
  let current = first;
  return {
    step: (response, request) => current(response, request),
    become(next) {
      current = next;
    },
  };
}

/** For which a circuit is given time to let a probe through. */
const PATIENCE_MS = 60_000;

const HOUR_MS = 3_600_000;

/** Does not wait to be asked again: one try per call. */
const down = raw('', 503, { 'retry-after': '3600' });

test('after repeated failures people are told at once, and nothing is sent or metered', async () => {
  const under = await underTest({ [TRANSLATE]: [down] }, { circuit: { failures: 3, coolDownMs: HOUR_MS } });
  await fail(under, 2);
  expect(under.service.state()).toMatchObject({ state: 'up' });
  const opening = await failureOf(translate(under));
  expect(under.service.state()).toMatchObject({ state: 'down' });
  const refused = await failureOf(translate(under));
  const inHalfAnHour = Date.now() + HOUR_MS / 2;
  for (const failure of [opening, refused])
    expect(failure).toMatchObject({
      kind: 'unavailable',
      nextTryAt: expect.toSatisfy((at) => at > inHalfAnHour),
    });
  expect(await failureOf(under.service.recognise({ input: { image } }, under))).toMatchObject({
    kind: 'unavailable',
  });
  expect(under.server.requests).toHaveLength(3);
  expect(under.entries).toHaveLength(3);
  const said = { host: 'both', state: 'down', reason: expect.stringMatching(/^translation: /) };
  expect(under.events).toContainEqual(expect.objectContaining({ type: 'circuit', ...said }));
  const { since, nextTry = '' } = under.service.state();
  expect(Date.parse(nextTry) - Date.parse(since)).toBeCloseTo(HOUR_MS, -4);
});

test.each([
  ['back', -3],
  ['forward', 3],
])('a clock that is set %s while the circuit is open changes nothing', async (_name, hours) => {
  const service = changing(down);
  const under = await underTest(
    { [TRANSLATE]: [service.step] },
    { circuit: { failures: 1, coolDownMs: HOUR_MS } },
  );
  await fail(under, 1);
  service.become(translated);
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + hours * HOUR_MS });
  onTestFinished(() => void vi.useRealTimers());
  expect(await failureOf(translate(under))).toMatchObject({ kind: 'unavailable' });
  expect(under.server.requests).toHaveLength(1);
  const passed = performance.now.bind(performance);
  const clock = vi.spyOn(performance, 'now').mockImplementation(() => passed() + HOUR_MS);
  onTestFinished(() => clock.mockRestore());
  await translate(under);
});

test('a success in between starts the count anew', async () => {
  const service = changing(down);
  const under = await underTest(
    { [TRANSLATE]: [service.step] },
    { circuit: { failures: 2, coolDownMs: HOUR_MS } },
  );
  await fail(under, 1);
  service.become(translated);
  await translate(under);
  service.become(down);
  await fail(under, 1);
  expect(under.service.state()).toMatchObject({ state: 'up' });
});

test.each([
  ['auth', json({ traceId: 't', msgId: '4011001', msg: 'AuthFailed', data: null })],
  ['quota', json({ traceId: 't', msgId: '2001001', msg: 'InsufficientInventory', data: null })],
  ['bad-request', json({ traceId: 't', msgId: '500', msg: 'lang', data: null })],
  ['an undocumented code', json({ traceId: 't', msgId: '77', msg: 'lang', data: null }, 500)],
])('%s does not open the circuit', async (_name, step) => {
  const under = await underTest({ [TRANSLATE]: [step] }, { circuit: { failures: 2, coolDownMs: HOUR_MS } });
  await fail(under, 4);
  expect(under.service.state()).toMatchObject({ state: 'up' });
  expect(under.server.requests).toHaveLength(4);
});

test('a service that refuses each token that it issues (110) opens the circuit', async () => {
  const refused = json({ error_code: 110, error_msg: 'Access token invalid or no longer valid' });
  const under = await underTest({ [OCR]: [refused] }, { circuit: { failures: 2, coolDownMs: HOUR_MS } });
  const read = () => failureOf(under.service.recognise({ input: { image } }, under));
  await read();
  await read();
  expect(under.service.state()).toMatchObject({ state: 'down' });
  expect(await read()).toMatchObject({ kind: 'unavailable' });
  expect(under.server.requestsTo(OCR)).toHaveLength(4);
});

test('a service that only keeps silent opens the circuit too', async () => {
  const under = await underTest(
    { [TRANSLATE]: [hang] },
    { timeoutMs: 500, circuit: { failures: 2, coolDownMs: HOUR_MS } },
  );
  await fail(under, 2);
  expect(under.service.state()).toMatchObject({ state: 'down' });
});

/** A call that is cancelled in the last moment before it is sent. */
function cancelledUnsent({ service, meter }: UnderTest) {
  const controller = new AbortController();
  const begin: typeof meter.begin = (call) => {
    controller.abort();
    return meter.begin(call);
  };
  return service.translate(ask, { meter: { begin }, signal: controller.signal });
}

test('calls that people cancel do not open the circuit', async () => {
  const under = await underTest({ [TRANSLATE]: [hang] }, { circuit: { failures: 2, coolDownMs: HOUR_MS } });
  for (let call = 1; call <= 3; call++) await failureOf(cancelledUnsent(under));
  expect(under.service.state()).toMatchObject({ state: 'up' });
});

test('one probe that succeeds closes the circuit', async () => {
  const service = changing(down);
  const under = await underTest({ [TRANSLATE]: [service.step] }, { circuit: { failures: 1, coolDownMs: 1 } });
  await fail(under, 1);
  expect(under.service.state()).toMatchObject({ state: 'down' });
  service.become(translated);
  await vi.waitFor(() => translate(under), PATIENCE_MS);
  expect(under.service.state()).toMatchObject({ state: 'up' });
  expect(under.server.requests).toHaveLength(2);
});

test('a probe is a single try, and while it is under way all others are told at once', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const service = changing(down);
  const under = await underTest({ [TRANSLATE]: [service.step] }, { circuit: { failures: 1, coolDownMs: 1 } });
  await fail(under, 1);
  service.become(async (response, request) => {
    asked.resolve();
    await answer.promise;
    await raw('', 500)(response, request);
  });
  const sentBefore = under.server.requests.length;
  const probe = vi.waitFor(async () => {
    const call = failureOf(translate(under));
    await Promise.race([asked.promise, call.then(() => Promise.reject(new Error('not sent yet')))]);
    return call;
  }, PATIENCE_MS);
  await asked.promise;
  expect(under.service.state()).toMatchObject({ state: 'down' });
  expect(await failureOf(translate(under))).toMatchObject({ kind: 'unavailable' });
  answer.resolve();
  expect(await await probe).toMatchObject({ kind: 'unavailable' });
  expect(under.service.state()).toMatchObject({ state: 'down' });
  expect(under.server.requests).toHaveLength(sentBefore + 1);
});

test('a probe that is cancelled does not close the circuit', async () => {
  const service = changing(down);
  const under = await underTest({ [TRANSLATE]: [service.step] }, { circuit: { failures: 1, coolDownMs: 1 } });
  await fail(under, 1);
  service.become(translated);
  await vi.waitFor(
    async () => expect(await failureOf(cancelledUnsent(under))).toMatchObject({ kind: 'cancelled' }),
    PATIENCE_MS,
  );
  expect(under.service.state()).toMatchObject({ state: 'down' });
});

test('what waits in line when the circuit opens is not sent after all', async () => {
  const asked = Promise.withResolvers<void>();
  const answer = Promise.withResolvers<void>();
  const slowlyDown: Step = async (response, request) => {
    asked.resolve();
    await answer.promise;
    await down(response, request);
  };
  const under = await underTest(
    { [TRANSLATE]: [slowlyDown] },
    { concurrency: 1, circuit: { failures: 1, coolDownMs: HOUR_MS } },
  );
  const calls = Array.from({ length: 5 }, () => failureOf(translate(under)));
  await asked.promise;
  answer.resolve();
  for (const call of calls) expect(await call).toMatchObject({ kind: 'unavailable' });
  expect(under.server.requests).toHaveLength(1);
  expect(under.entries).toHaveLength(1);
});

test('two hosts have a circuit each: pictures are read while translation is down', async () => {
  const under = await underTest({ [OCR]: [recognised] });
  const other = await startScriptedServer({ [TRANSLATE]: [down] });
  const service = new Service({
    config: { authUrl: under.server.url, baseUrl: other.url, ...SECRETS, timeoutMs: 5000, concurrency: 4 },
    tokenStore: createMemoryStore(),
    circuit: { failures: 1, coolDownMs: HOUR_MS },
  });
  const { meter } = createTestMeter();
  await failureOf(service.translate(ask, { meter }));
  expect(service.state()).toMatchObject({ state: 'down' });
  expect((await service.recognise({ input: { image } }, { meter })).lines).toHaveLength(1);
  await failureOf(service.translate(ask, { meter }));
  expect(other.requests).toHaveLength(1);
  await service.close();
  await other.close();
});
