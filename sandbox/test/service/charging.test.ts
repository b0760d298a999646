/** What is charged: calls whose work was done, 0.4 yuan each, whether or not the caller stayed for the answer. */
import { readFile } from 'node:fs/promises';
import { afterEach, expect, test } from 'vitest';
import { TIBETAN_SAMPLE } from '../../samples/samples.ts';
import type { LocalService } from '../../service/local-service.ts';
import {
  askRecognition,
  askSpeech,
  askToken,
  askTranslation,
  freshToken,
  startQuickService,
  until,
} from './calling.ts';

let service: LocalService;
afterEach(() => service.close());

test('each kind of work costs 0.4 yuan, to the fen, a token nothing', async () => {
  service = await startQuickService();
  const token = await freshToken(service);
  await (await askTranslation(service)).text();
  await (await askSpeech(service)).arrayBuffer();
  const byKind = { recognition: 0, translation: 1, speech: 1 };
  expect(service.paid()).toEqual({ calls: 2, yuan: 0.8, byKind });
  const image = (await readFile(TIBETAN_SAMPLE.file)).toString('base64');
  await (await askRecognition(service, token, { image })).text();
  expect(service.paid()).toEqual({ calls: 3, yuan: 1.2, byKind: { ...byKind, recognition: 1 } });
});

test('a caller who hangs up midway through speech pays', async () => {
  service = await startQuickService();
  service.faults.next('speech', { type: 'slow', ms: 0, msPerChunk: 1000 });
  const caller = new AbortController();
  const response = await askSpeech(service, undefined, { signal: caller.signal });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.done).toBe(false);
  caller.abort();
  await until(service, () => service.calls[0]?.outcome === 'aborted');
  expect(service.paid()).toMatchObject({ calls: 1, byKind: { speech: 1 } });
});

test('a caller who hangs up while a translation is being made pays', async () => {
  const begun = Promise.withResolvers<void>();
  const finished = Promise.withResolvers<void>();
  const translate = async (text: string) => {
    begun.resolve();
    await finished.promise;
    return text;
  };
  service = await startQuickService({ engines: { translate } });
  const caller = new AbortController();
  const answer = askTranslation(service, undefined, { signal: caller.signal });
  await begun.promise;
  expect(service.calls).toMatchObject([{ outcome: 'running', charged: false }]);
  caller.abort();
  await expect(answer).rejects.toThrow('aborted');
  finished.resolve();
  await until(service, () => service.calls[0]?.outcome !== 'running');
  expect(service.paid().calls).toBe(1);
});

test('work that an engine cannot do is answered as an error and not charged', async () => {
  const fails = () => Promise.reject(new Error('engine broken'));
  service = await startQuickService({
    engines: {
      recognise: fails,
      translate: fails,
      // biome-ignore lint/correctness/useYield: fails before its first chunk
      async *speak() {
        throw new Error('engine broken');
      },
    },
  });
  const image = (await readFile(TIBETAN_SAMPLE.file)).toString('base64');
  const recognition = await askRecognition(service, await freshToken(service), { image });
  expect(await recognition.json()).toEqual({ error_code: 216630, error_msg: 'recognize error' });
  for (const ask of [askTranslation, askSpeech]) {
    expect(await (await ask(service)).json()).toMatchObject({ msgId: '5000001', data: null });
  }
  expect(service.paid().calls).toBe(0);
});

test('speech whose engine fails midway is cut off, and charged', async () => {
  service = await startQuickService({
    engines: {
      async *speak() {
        yield Buffer.alloc(320);
        throw new Error('engine broken');
      },
    },
  });
  await expect(askSpeech(service).then((response) => response.arrayBuffer())).rejects.toThrow('terminated');
  expect(service.calls).toMatchObject([{ outcome: 'aborted', charged: true }]);
});

test('listeners hear each call begin and end until they stop listening', async () => {
  service = await startQuickService();
  const seen: (string | undefined)[] = [];
  const stop = service.onChange(() => seen.push(service.calls[0]?.outcome));
  await (await askTranslation(service)).text();
  expect([seen[0], seen.at(-1)]).toEqual(['running', 'ok']);
  const heard = seen.length;
  stop();
  await (await askToken(service)).text();
  expect(seen.length).toBe(heard);
});
