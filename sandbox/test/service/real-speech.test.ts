/** The real speech: every variety through the service, judged by ear's simplest measures. */
import { beforeAll, expect, test } from 'vitest';
import { type LocalService, startLocalService } from '../../service/local-service.ts';
import { askSpeech, askTranslation, bytesOf } from './calling.ts';

const TIBETAN = 'བཀྲ་ཤིས་བདེ་ལེགས། དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག';
const CHINESE = '你好。今天天气很好。';

let service: LocalService;
beforeAll(async () => {
  service = await startLocalService();
  return () => service.close();
});

async function speak(lang: number, vcn: string, inputText: string): Promise<Buffer> {
  return bytesOf(await askSpeech(service, { lang, vcn, inputText }));
}

function seconds(audio: Buffer): number {
  return audio.length / 2 / 16_000;
}

/** Root mean square of the samples; full loudness is 32,768. */
function loudness(audio: Buffer): number {
  let sum = 0;
  for (let at = 0; at < audio.length; at += 2) sum += audio.readInt16LE(at) ** 2;
  return Math.sqrt(sum / (audio.length / 2));
}

test('each dialect and voice sounds unlike the others', async () => {
  const spoken: Buffer[] = [];
  for (const lang of [0, 4, 5]) spoken.push(await speak(lang, '', TIBETAN));
  for (const vcn of ['xiaoxiao', 'yunjian']) spoken.push(await speak(1, vcn, CHINESE));
  for (const audio of spoken) {
    expect(audio.length % 2).toBe(0);
    expect(loudness(audio)).toBeGreaterThan(500);
    expect(seconds(audio)).toBeGreaterThan(1);
    expect(seconds(audio)).toBeLessThan(10);
  }
  expect(new Set(spoken.map((audio) => audio.toString('base64'))).size).toBe(spoken.length);
});

test('a text of three sentences is longer than its first', async () => {
  const first = await speak(1, 'xiaoxiao', '今天天气很好。');
  const all = await speak(1, 'xiaoxiao', '今天天气很好。我们一起走。谢谢。');
  expect(seconds(all)).toBeGreaterThan(seconds(first) * 1.5);
});

test.each([['༄༅། །'], ['👍🙏'], [' \n ']])('%j, which has no sound, is a short silence', async (text) => {
  const audio = await speak(0, '', text);
  expect(seconds(audio)).toBeCloseTo(0.3);
  expect(loudness(audio)).toBe(0);
});

test.each([['བོད་ hello 123 你好'], ['ཀཀཀཀཀཀཀཀ'], ['\u0F71\u0F74'], ['ྐྵྐྵ'], ['a'.repeat(300)]])(
  '%j, though odd, is answered with audio',
  async (text) => {
    expect(seconds(await speak(0, '', text))).toBeGreaterThan(0.2);
  },
);

test('Tibetan numerals are spoken', async () => {
  expect(loudness(await speak(0, '', '༡༢༣'))).toBeGreaterThan(500);
});

test('a long text is heard before it ends, and delays no call', async () => {
  const response = await askSpeech(service, { lang: 0, vcn: '', inputText: `${TIBETAN} `.repeat(40) });
  const reader = response.body?.getReader();
  expect((await reader?.read())?.value?.length).toBeGreaterThan(0);
  expect(await (await askTranslation(service)).json()).toMatchObject({ msgId: '2000000' });
  expect(service.calls.at(-2)).toMatchObject({ kind: 'speech', outcome: 'running', charged: true });
  await reader?.cancel();
});
