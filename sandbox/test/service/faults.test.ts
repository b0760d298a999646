/** Every fault does on the wire what it says, to the calls it was meant for, and is charged as it says. */
import sharp from 'sharp';
import { beforeEach, expect, test } from 'vitest';
import { CALL_KINDS, type CallKind } from '../../service/call-log.ts';
import { type Fault, type FaultId, listFaults } from '../../service/fault-catalogue.ts';
import type { LocalService } from '../../service/local-service.ts';
import {
  askRecognition,
  askSpeech,
  askToken,
  askTranslation,
  bytesOf,
  freshToken,
  startQuickService,
  until,
} from './calling.ts';

const SHEET = { create: { width: 20, height: 20, channels: 3, background: '#fff' } } as const;
const IMAGE = (await sharp(SHEET).jpeg().toBuffer()).toString('base64');

let service: LocalService;
let token: string;
beforeEach(async () => {
  service = await startQuickService();
  token = await freshToken(service);
  return () => service.close();
});

function ask(kind: CallKind, init: RequestInit = {}): Promise<Response> {
  if (kind === 'token') return askToken(service, undefined, init);
  if (kind === 'recognition') return askRecognition(service, token, { image: IMAGE }, init);
  return (kind === 'translation' ? askTranslation : askSpeech)(service, undefined, init);
}

/** What `fetch` throws for a connection that was cut before any answer. */
function rejectsAsCut(answer: Promise<unknown>) {
  return expect(answer).rejects.toThrow(/fetch failed|terminated/);
}

const AUTH_FAILED = { msgId: '4011001', msg: 'AuthFailed', data: null };
const NO_INVENTORY = { msgId: '2001001', msg: 'InsufficientInventory', data: null };

test.each<[fault: Fault | FaultId, kinds: readonly CallKind[], body: Record<string, unknown>]>([
  ['auth', ['token'], { error_code: 6, details: null }],
  ['auth', ['recognition'], { error_code: 110 }],
  ['auth', ['translation', 'speech'], AUTH_FAILED],
  ['quota', ['translation', 'speech'], NO_INVENTORY],
  ['too-long', ['translation', 'speech'], { msgId: '4004002', msg: 'InputTooLong', data: null }],
  ['bad-parameter', ['translation', 'speech'], { msgId: '500', data: null }],
  ['undocumented-error', ['recognition'], { error_code: 18 }],
  ['undocumented-error', ['translation', 'speech'], { msgId: '5031001', data: null }],
  ['missing-fields', ['token', 'recognition', 'translation', 'speech'], { msg: 'success' }],
  [{ type: 'error', code: 6 }, ['token'], { error_code: 6, details: null }],
  [{ type: 'error', code: '110' }, ['recognition'], { error_code: 110 }],
  [{ type: 'error', code: 2001001 }, ['translation', 'speech'], NO_INVENTORY],
])('%o answers a call (%j) with %j, and is not charged', async (fault, kinds, body) => {
  for (const kind of kinds) {
    service.faults.next(kind, fault);
    expect(await (await ask(kind)).json()).toMatchObject(body);
    expect(service.calls.at(-1)).toMatchObject({ kind, charged: false });
  }
});

test('envelope-200 hides an error behind status 200 and the content type of audio', async () => {
  service.faults.next('speech', 'envelope-200');
  const response = await ask('speech');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(await response.json()).toMatchObject({ msgId: '500', data: null });
});

test('an expired token stays refused, and a new one works', async () => {
  service.faults.next('recognition', 'token-expired');
  for (let time = 0; time < 2; time += 1)
    expect(await (await ask('recognition')).json()).toMatchObject({ error_code: 110 });
  token = await freshToken(service);
  expect(await (await ask('recognition')).json()).toMatchObject({ words_result_num: 1 });
});

test.each(CALL_KINDS)(
  'a %s call: true, bare, empty, cut off, cut in half, and late answers',
  async (kind) => {
    const isPaid = kind !== 'token';
    await (await ask(kind)).arrayBuffer();
    expect(service.calls.at(-1)).toMatchObject({ kind, outcome: 'ok', charged: isPaid });

    service.faults.next(kind, 'status-429');
    service.faults.next(kind, { type: 'status', status: 502, body: 'oops' });
    service.faults.next(kind, 'empty');
    const answers: unknown[] = [];
    for (let call = 0; call < 3; call += 1) {
      const { status, headers, ...response } = await ask(kind).then(async (answer) => ({
        status: answer.status,
        headers: answer.headers,
        text: await answer.text(),
      }));
      answers.push([status, headers.get('retry-after'), response.text]);
      expect(service.calls.at(-1)?.charged).toBe(false);
    }
    const page = expect.stringContaining('<html>');
    expect(answers).toEqual([
      [429, '1', page],
      [502, null, 'oops'],
      [200, null, ''],
    ]);

    for (const fault of ['refuse', 'reset'] as const) {
      service.faults.next(kind, fault);
      await rejectsAsCut(ask(kind));
      const { parameters = {}, ...call } = service.calls.at(-1) ?? {};
      expect(call).toMatchObject({ outcome: 'aborted', charged: false, fault });
      expect(Object.keys(parameters).length > 0).toBe(fault === 'reset');
    }

    service.faults.next(kind, 'break-off');
    await rejectsAsCut(ask(kind).then((response) => response.arrayBuffer()));
    expect(service.calls.at(-1)).toMatchObject({ outcome: 'aborted', charged: isPaid });

    service.faults.next(kind, { type: 'slow', ms: 150, msPerChunk: 1 });
    const startedAt = performance.now();
    await (await ask(kind)).arrayBuffer();
    expect(performance.now() - startedAt).toBeGreaterThan(140);
    expect(service.calls.at(-1)).toMatchObject({ outcome: 'ok', charged: isPaid });
  },
);

test.each(CALL_KINDS)('a hanging %s call is never answered, yet charged', async (kind) => {
  service.faults.next(kind, 'hang');
  const caller = new AbortController();
  let isAnswered = false;
  const answer = ask(kind, { signal: caller.signal }).then(() => {
    isAnswered = true;
  });
  await until(service, () => Object.keys(service.calls[1]?.parameters ?? {}).length > 0);
  // A second call, begun later, is answered: the first one is not merely late.
  await (await ask(kind)).arrayBuffer();
  expect(isAnswered).toBe(false);
  caller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await until(service, () => service.calls.at(-2)?.outcome === 'aborted');
  expect(service.calls.at(-2)).toMatchObject({ fault: 'hang', charged: kind !== 'token' });
});

test('not-json is a web page with status 200', async () => {
  service.faults.next('translation', 'not-json');
  const response = await ask('translation');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<html>');
});

test('a broken speech brings half of the audio, odd-bytes a byte less', async () => {
  const whole = await bytesOf(await ask('speech'));
  service.faults.next('speech', 'break-off');
  const received: Uint8Array[] = [];
  const broken = await ask('speech');
  const reading = (async () => {
    for await (const chunk of broken.body ?? []) received.push(chunk);
  })();
  await rejectsAsCut(reading);
  expect(Buffer.concat(received)).toEqual(whole.subarray(0, whole.length / 2));
  service.faults.next('speech', 'odd-bytes');
  expect(await bytesOf(await ask('speech'))).toEqual(whole.subarray(0, -1));
  service.faults.torn = true;
  expect(await bytesOf(await ask('speech'))).toEqual(whole);
});

test('torn speech begins with half a sample', async () => {
  service.faults.torn = true;
  // The second chunk never comes: it cannot melt into the first on the way.
  service.faults.next('speech', { type: 'slow', ms: 0, msPerChunk: 1e9 });
  const reader = (await ask('speech')).body?.getReader();
  expect((await reader?.read())?.value?.length).toBe(1);
  await reader?.cancel();
});

test('latency holds back the work of each kind', async () => {
  Object.assign(service.faults.latency, { recognition: 100, translation: 100, speechFirstByte: 100 });
  for (const kind of ['recognition', 'translation', 'speech'] as const) {
    const startedAt = performance.now();
    await (await ask(kind)).arrayBuffer();
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  }
});

test('planned faults come in order, then the standing one', async () => {
  service.faults.set('translation', 'quota');
  service.faults.next('translation', 'too-long', 2);
  service.faults.next('translation', 'auth');
  const seen: unknown[] = [];
  for (let call = 0; call < 5; call += 1) seen.push(await (await ask('translation')).json());
  const inOrder = ['4004002', '4004002', '4011001', '2001001', '2001001'];
  expect(seen).toMatchObject(inOrder.map((msgId) => ({ msgId })));
  service.faults.set('translation', undefined);
  expect(await (await ask('translation')).json()).toMatchObject({ msgId: '2000000' });
});

test('a fault for all kinds befalls those it applies to, and clear ends everything', async () => {
  service.faults.set('all', 'quota');
  service.faults.torn = true;
  service.faults.latency.translation = 1e9;
  const standing = CALL_KINDS.filter((kind) => service.faults.standing(kind)?.type === 'quota');
  expect(standing).toEqual(['translation', 'speech']);
  service.faults.clear();
  for (const kind of CALL_KINDS) {
    await (await ask(kind)).arrayBuffer();
    expect(service.calls.at(-1)).toMatchObject({ kind, outcome: 'ok' });
  }
});

test('a fault is refused for a kind that cannot have it', () => {
  expect(() => service.faults.set('token', 'odd-bytes')).toThrow(RangeError);
  expect(() => service.faults.next('recognition', 'quota')).toThrow(RangeError);
  expect(() => service.faults.next('speech', { type: 'error', code: 6 })).toThrow(RangeError);
});

test('every listed fault has a label, and works for its kinds', () => {
  const faults = listFaults();
  expect(new Set(faults.map((fault) => fault.label)).size).toBe(faults.length);
  for (const { id, kinds } of faults) {
    for (const kind of kinds) service.faults.set(kind, id);
    expect(kinds.map((kind) => service.faults.standing(kind))).not.toContain(undefined);
  }
});
