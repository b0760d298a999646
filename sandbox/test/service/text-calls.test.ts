/** The translation and speech endpoints against service-interface §2.3, §4.3, §4.4, §7.2 and §8. */
import { beforeEach, expect, test } from 'vitest';
import type { LocalService } from '../../service/local-service.ts';
import { askSpeech, askTranslation, bytesOf, rightHeaders, startQuickService } from './calling.ts';

let service: LocalService;
beforeEach(async () => {
  service = await startQuickService();
  return () => service.close();
});

const translation = { sourceLang: 1, destLang: 0, inputText: '你好。' };
const speech = { lang: 1, vcn: 'xiaoxiao', inputText: '你好。' };

function failure(msgId: string, msg: unknown = expect.any(String)) {
  return { traceId: expect.any(String), msgId, msg, data: null };
}

test('a translation comes in the documented envelope', async () => {
  const response = await askTranslation(service, translation);
  expect(await response.json()).toEqual({
    traceId: expect.stringMatching(/.+/),
    msgId: '2000000',
    msg: 'success',
    data: expect.stringMatching(/[\u0F40-\u0FBC]/),
  });
});

test.each([
  [0, ''],
  [1, 'xiaoxiao'],
  [1, 'yunjian'],
  [4, ''],
  [5, ''],
  [1, undefined],
  [5, undefined],
])('language %s with voice %s is spoken as whole 16-bit samples', async (lang, vcn) => {
  const audio = await bytesOf(await askSpeech(service, { lang, vcn, inputText: '你好' }));
  expect(audio.length).toBeGreaterThan(0);
  expect(audio.length % 2).toBe(0);
});

test.each([
  ['none', { 'content-type': 'application/json' }],
  ['a wrong one', { ...rightHeaders, 'x-secret': 'guess' }],
])('with %s for a secret, both endpoints say AuthFailed', async (_, headers) => {
  for (const ask of [askTranslation, askSpeech]) {
    expect(await (await ask(service, undefined, { headers })).json()).toEqual(
      failure('4011001', 'AuthFailed'),
    );
  }
  expect(service.calls.map((call) => call.errorCode)).toEqual(['4011001', '4011001']);
});

test.each<[ask: typeof askSpeech, body: unknown, named: string]>([
  [askTranslation, { ...translation, sourceLang: 4 }, 'sourceLang 4'],
  [askTranslation, { ...translation, sourceLang: '1' }, 'sourceLang "1"'],
  [askTranslation, { destLang: 0, inputText: 'x' }, 'sourceLang'],
  [askTranslation, { ...translation, destLang: null }, 'destLang null'],
  [askTranslation, { ...translation, destLang: 1 }, 'destLang 1'],
  [askTranslation, { ...translation, inputText: '' }, 'inputText'],
  [askTranslation, { ...translation, inputText: 7 }, 'inputText'],
  [askTranslation, { sourceLang: 1, destLang: 0 }, 'inputText'],
  [askTranslation, { ...translation, text: 'x' }, 'text'],
  [askTranslation, '{"sourceLang":', 'body'],
  [askTranslation, '[]', 'body'],
  [askSpeech, { ...speech, lang: 2 }, 'lang 2'],
  [askSpeech, { ...speech, lang: '1' }, 'lang "1"'],
  [askSpeech, { inputText: 'x' }, 'lang'],
  [askSpeech, { ...speech, vcn: '' }, 'vcn ""'],
  [askSpeech, { ...speech, vcn: 'nobody' }, 'vcn "nobody"'],
  [askSpeech, { lang: 0, vcn: 'xiaoxiao', inputText: 'ཀ' }, 'vcn "xiaoxiao"'],
  [askSpeech, { ...speech, inputText: '' }, 'inputText'],
  [askSpeech, { ...speech, speed: 2 }, 'speed'],
])('%o refuses %j and names what is wrong', async (ask, body, named) => {
  expect(await (await ask(service, body)).json()).toEqual(failure('500', expect.stringContaining(named)));
  expect(service.paid().calls).toBe(0);
});

test('a refusal does not repeat the text', async () => {
  const response = await askTranslation(service, { ...translation, inputText: ['my secret'] });
  expect(await response.text()).not.toContain('my secret');
});

test('a body that does not call itself JSON is refused', async () => {
  const headers = { 'content-type': 'text/plain', 'x-secret': 'sandbox-x-secret' };
  expect(await (await askTranslation(service, translation, { headers })).json()).toEqual(
    failure('500', expect.stringContaining('Content-Type')),
  );
});

test('3000 code points are taken, and 3001 are too long', async () => {
  const longest = '𠀀'.repeat(3000);
  for (const [ask, body] of [
    [askTranslation, translation],
    [askSpeech, speech],
  ] as const) {
    await (await ask(service, { ...body, inputText: longest })).arrayBuffer();
    expect(service.calls.at(-1)).toMatchObject({ outcome: 'ok', characters: 3000, charged: true });
    const tooLong = await ask(service, { ...body, inputText: `${longest}x` });
    expect(await tooLong.json()).toEqual(failure('4004002', 'InputTooLong'));
    expect(service.calls.at(-1)).toMatchObject({ outcome: 'error', characters: 3001, charged: false });
  }
});

test('the call log keeps the parameters as they came', async () => {
  await askTranslation(service, translation);
  expect(service.calls).toMatchObject([
    { kind: 'translation', parameters: translation, characters: 3, at: expect.any(Number) },
  ]);
});
