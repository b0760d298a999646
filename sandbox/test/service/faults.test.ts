/** Every fault does on the wire what it says, to the calls it was meant for, and is charged as it says. */
import sharp from 'sharp';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { CallKind } from '../../service/call-log.ts';
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
});
afterEach(() => service.close());

function ask(kind: CallKind, init: RequestInit = {}): Promise<Response> {
  if (kind === 'token') return askToken(service, undefined, init);
  if (kind === 'recognition') {
    return askRecognition(service, token, { image: IMAGE }, init);
  }
  return kind === 'translation'
    ? askTranslation(service, undefined, init)
    : askSpeech(service, undefined, init);
}

/** What `fetch` throws for a connection that was cut before any answer. */
function rejectsAsCut(answer: Promise<unknown>) {
  return expect(answer).rejects.toThrow(/fetch failed|terminated/);
}

const ALL: readonly CallKind[] = ['token', 'recognition', 'translation', 'speech'];
const ENVELOPES: readonly CallKind[] = ['translation', 'speech'];

test.each(ALL)('without a fault, a %s call succeeds', async (kind) => {
  await (await ask(kind)).arrayBuffer();
  expect(service.calls.at(-1)).toMatchObject({ kind, outcome: 'ok', charged: kind !== 'token' });
});

test.each<[CallKind, Fault | FaultId, Record<string, unknown>]>([
  ['token', 'auth', { error_code: 6, details: null }],
  ['token', { type: 'error', code: 6 }, { error_code: 6, details: null }],
  ['recognition', 'auth', { error_code: 110 }],
  ['recognition', { type: 'error', code: '110' }, { error_code: 110 }],
  ['recognition', 'undocumented-error', { error_code: 18 }],
  ...ENVELOPES.flatMap((kind): [CallKind, Fault | FaultId, Record<string, unknown>][] => [
    [kind, 'auth', { msgId: '4011001', msg: 'AuthFailed', data: null }],
    [kind, 'quota', { msgId: '2001001', msg: 'InsufficientInventory', data: null }],
    [kind, 'too-long', { msgId: '4004002', msg: 'InputTooLong', data: null }],
    [kind, 'bad-parameter', { msgId: '500', data: null }],
    [kind, 'undocumented-error', { msgId: '5031001', data: null }],
    [kind, { type: 'error', code: 2001001 }, { msgId: '2001001', data: null }],
  ]),
])('a %s call that meets %o is answered with that error, and not charged', async (kind, fault, body) => {
  service.faults.next(kind, fault);
  expect(await (await ask(kind)).json()).toMatchObject(body);
  expect(service.calls.at(-1)).toMatchObject({ kind, outcome: 'error', charged: false });
});

test.each(ALL)(
  'a refused connection and a reset one give a %s call no answer and charge nothing',
  async (kind) => {
    service.faults.next(kind, 'refuse');
    service.faults.next(kind, 'reset');
    await rejectsAsCut(ask(kind));
    await rejectsAsCut(ask(kind));
    const [refused, reset] = service.calls.slice(-2);
    expect(refused).toMatchObject({ outcome: 'aborted', charged: false, fault: 'refuse', parameters: {} });
    expect(reset).toMatchObject({ outcome: 'aborted', charged: false, fault: 'reset' });
    expect(Object.keys(reset?.parameters ?? {})).not.toEqual([]);
  },
);

test.each(ALL)('a hanging %s call is never answered, yet charged', async (kind) => {
  service.faults.next(kind, 'hang');
  const caller = new AbortController();
  let isAnswered = false;
  const answer = ask(kind, { signal: caller.signal }).then(() => {
    isAnswered = true;
  });
  await until(service, () => Object.keys(service.calls.at(-1)?.parameters ?? {}).length > 0);
  // A second call, begun later, is answered: the first one is not merely late.
  await (await ask(kind)).arrayBuffer();
  expect(isAnswered).toBe(false);
  caller.abort();
  await expect(answer).rejects.toThrow('aborted');
  await until(service, () => service.calls.at(-2)?.outcome === 'aborted');
  expect(service.calls.at(-2)).toMatchObject({ fault: 'hang', charged: kind !== 'token' });
});

test.each(ALL)(
  'a bare status reaches a %s call with its Retry-After and a body that is no JSON',
  async (kind) => {
    service.faults.next(kind, 'status-429');
    service.faults.next(kind, { type: 'status', status: 502, body: 'oops' });
    const limited = await ask(kind);
    expect([limited.status, limited.headers.get('retry-after')]).toEqual([429, '1']);
    expect(await limited.text()).toContain('<html>');
    const broken = await ask(kind);
    expect([broken.status, broken.headers.get('retry-after'), await broken.text()]).toEqual([
      502,
      null,
      'oops',
    ]);
    expect(service.paid().calls).toBe(0);
  },
);

test.each(ALL)('an empty answer to a %s call is a success without a byte', async (kind) => {
  service.faults.next(kind, 'empty');
  const response = await ask(kind);
  expect([response.status, await response.text()]).toEqual([200, '']);
});

test('not-json is a web page with status 200', async () => {
  service.faults.next('translation', 'not-json');
  const response = await ask('translation');
  expect(response.status).toBe(200);
  expect(await response.text()).toContain('<html>');
});

test.each(ALL)('missing-fields leaves a %s answer without what makes it one', async (kind) => {
  service.faults.next(kind, 'missing-fields');
  expect(await (await ask(kind)).json()).toEqual({ msg: 'success' });
});

test('envelope-200 hides an error behind status 200 and the content type of audio', async () => {
  service.faults.next('speech', 'envelope-200');
  const response = await ask('speech');
  expect([response.status, response.headers.get('content-type')]).toEqual([200, 'application/octet-stream']);
  expect(await response.json()).toMatchObject({ msgId: '500', data: null });
});

test('an expired token stays refused, and a new one works', async () => {
  service.faults.next('recognition', 'token-expired');
  expect(await (await ask('recognition')).json()).toMatchObject({ error_code: 110 });
  expect(await (await ask('recognition')).json()).toMatchObject({ error_code: 110 });
  token = await freshToken(service);
  expect(await (await ask('recognition')).json()).toMatchObject({ words_result_num: 1 });
});

test('speech that breaks off brings half of the audio and is charged', async () => {
  const whole = await bytesOf(await ask('speech'));
  service.faults.next('speech', 'break-off');
  const received: Uint8Array[] = [];
  const broken = await ask('speech');
  const reading = (async () => {
    for await (const chunk of broken.body ?? []) received.push(chunk);
  })();
  await rejectsAsCut(reading);
  expect(Buffer.concat(received)).toEqual(whole.subarray(0, whole.length / 2));
  expect(service.calls.at(-1)).toMatchObject({ outcome: 'aborted', charged: true });
});

test.each<CallKind>(['token', 'recognition', 'translation'])(
  'a %s answer that breaks off cannot be read',
  async (kind) => {
    service.faults.next(kind, 'break-off');
    await rejectsAsCut(ask(kind).then((response) => response.text()));
    expect(service.calls.at(-1)).toMatchObject({ outcome: 'aborted', charged: kind !== 'token' });
  },
);

test('odd-bytes ends the audio properly, one byte short', async () => {
  const whole = await bytesOf(await ask('speech'));
  service.faults.next('speech', 'odd-bytes');
  expect(await bytesOf(await ask('speech'))).toEqual(whole.subarray(0, -1));
});

test('torn speech is the same audio', async () => {
  const whole = await bytesOf(await ask('speech'));
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

test.each(ALL)('a slow %s call gets its true answer, not before its time', async (kind) => {
  service.faults.next(kind, { type: 'slow', ms: 150, msPerChunk: 1 });
  const startedAt = performance.now();
  await (await ask(kind)).arrayBuffer();
  expect(performance.now() - startedAt).toBeGreaterThan(140);
  expect(service.calls.at(-1)).toMatchObject({ outcome: 'ok', charged: kind !== 'token' });
});

test('latency holds back the work of each kind', async () => {
  Object.assign(service.faults.latency, { recognition: 100, translation: 100, speechFirstByte: 100 });
  for (const kind of ['recognition', 'translation', 'speech'] as const) {
    const startedAt = performance.now();
    await (await ask(kind)).arrayBuffer();
    expect(performance.now() - startedAt).toBeGreaterThan(90);
  }
});

test('faults for the next calls come in their order, then the standing one, until it is switched off', async () => {
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
  expect(ALL.map((kind) => service.faults.standing(kind)?.type)).toEqual([
    undefined,
    undefined,
    'quota',
    'quota',
  ]);
  service.faults.clear();
  for (const kind of ALL) {
    await (await ask(kind)).arrayBuffer();
    expect(service.calls.at(-1)).toMatchObject({ kind, outcome: 'ok' });
  }
});

test('a fault that cannot befall a kind, or a code that is not documented for it, is refused', () => {
  expect(() => service.faults.set('token', 'odd-bytes')).toThrow(RangeError);
  expect(() => service.faults.next('recognition', 'quota')).toThrow(RangeError);
  expect(() => service.faults.next('speech', { type: 'error', code: 6 })).toThrow(RangeError);
});

test('every listed fault has a label of its own and can be set for each of its kinds', () => {
  const faults = listFaults();
  expect(new Set(faults.map((fault) => fault.label)).size).toBe(faults.length);
  for (const { id, kinds } of faults) {
    for (const kind of kinds) service.faults.set(kind, id);
    expect(kinds.map((kind) => service.faults.standing(kind))).not.toContain(undefined);
  }
});
