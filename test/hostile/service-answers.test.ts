/** Bombs and junk from the service: people get a clear answer, and the bot's memory stays bounded. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { gzipBomb, hugeHeaders, MB, pouring } from './bombs.ts';
import { type MeddledScene, peakMemoryMb, startMeddledScene } from './meddled-scene.ts';
import type { Meddling } from './meddler.ts';

/** The process at rest takes some 200 MB; one answer of 500 kB as bytes, as text and as values hardly shows beside it. */
const MAX_MEMORY_MB = 500;

let scene: MeddledScene;
beforeAll(async () => {
  scene = await startMeddledScene({
    DAILY_CALLS_PER_USER: '0',
    SERVICE_TIMEOUT_MS: '5000',
    LOG_LEVEL: 'debug',
  });
});
afterAll(() => scene.close());

/** A body of this text or these bytes. */
function body(content: string | Buffer): Meddling {
  return (response) => response.end(content);
}

const ZEROS = Buffer.alloc(MB, '0');

const BODIES: Readonly<Record<string, Meddling>> = {
  'of 100 MB': pouring({ chunk: ZEROS, times: 100 }),
  'of 100 MB that begin like JSON': pouring({
    chunk: ZEROS,
    times: 100,
    opening: '{"msgId":"2000000","data":"',
  }),
  'without an end': pouring({ chunk: ZEROS, times: Number.POSITIVE_INFINITY }),
  'that is a gzip bomb': gzipBomb,
  'with a megabyte of headers': hugeHeaders,
  'nested 100,000 levels deep': body(
    `{"msgId":"2000000","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ),
  'with poisoned keys': body(
    '{"__proto__":{"msgId":"2000000"},"constructor":{"prototype":{"data":"x"}},"words_result":{"__proto__":[]}}',
  ),
  'with an error code that is a book': body(
    JSON.stringify({ msgId: 'x'.repeat(MB), msg: 'y'.repeat(MB), data: null }),
  ),
};

const PATIENCE_MS = 60_000;

/** The words of which one is due when the service answers junk. */
const CLEAR = ['failure-unavailable', 'failure-in-doubt', 'failure-bad-request', 'failure-audio'].map((id) =>
  says(id),
);

async function expectClear(asked: Message | Promise<Message>) {
  const answer = await scene.answerTo(await asked);
  const isTrue = hasTibetan(answer.text) || isVoice(answer);
  if (!isTrue) expect(CLEAR).toContain(answer.text);
  return answer;
}

it.each(Object.entries(BODIES))('an answer %s', async (_, meddling) => {
  const person = scene.newcomer();
  void scene.beforeService.next('/translation', meddling);
  await expectClear(person.send(person.chat, { text: newChinese() }));
  void scene.beforeService.next('/ocr/general', meddling);
  await expectClear(person.sendPhoto(person.chat, await aJpeg()));
  await scene.servesOthers();
});

describe('a text', () => {
  const translated = (data: string) =>
    body(`{"msgId":"2000000","msg":"success","data":"${data}","traceId":"t"}`);
  const recognised = (lines: string) => body(`{"log_id":1,"words_result_num":1,"words_result":${lines}}`);
  const TORN = 'བོད་\\ud800ཡིག\\u0000།དཔེ་ཆ།';
  const WHOLE = 'བོད་\ufffdཡིག།དཔེ་ཆ།';
  const asText = (meddling: Meddling) => {
    const person = scene.newcomer();
    void scene.beforeService.next('/translation', meddling);
    return scene.answerTo(person.send(person.chat, { text: newChinese() }));
  };
  const asPicture = async (meddling: Meddling) => {
    const person = scene.newcomer();
    void scene.beforeService.next('/ocr/general', meddling);
    return scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  };

  it('has an id by which the provider finds it, in the log to the last digit', async () => {
    await asPicture(
      body('{"log_id":18446744073709551615,"words_result_num":1,"words_result":[{"words":"བོད།"}]}'),
    );
    await asText(body('{"msgId":"2000000","msg":"success","data":"བོད།","traceId":"0f3a-77"}'));
    for (const id of ['18446744073709551615', '0f3a-77']) {
      await expect.poll(() => scene.log()).toContain(`"traceId":"${id}"`);
    }
  });

  it('with half a surrogate pair and a NUL comes as one that Telegram and every database take', async () => {
    expect((await asText(translated(TORN))).text).toBe(WHOLE);
    expect((await asPicture(recognised(`[{"words":"${TORN}"}]`))).text).toBe(WHOLE);
  });

  it.each([
    ['fillers of Hangul', '\u3164\u115f'],
    ['selectors of variants', '\ufe0f\u180b'],
  ])('of nothing but %s is none', async (_, invisible) => {
    expect((await asText(translated(invisible))).text).toBe(says('failure-unavailable'));
    const read = await asPicture(recognised(`[{"words":"${invisible}"}]`));
    expect(read.text).toBe(says('nothing-found-tibetan'));
  });

  it('that no message holds is offered in inline mode as far as one does', async () => {
    void scene.beforeService.next('/translation', translated('བོད་ཡིག '.repeat(1000)));
    const { results } = await scene.newcomer().inlineQuery(newChinese());
    expect(results[0]?.input_message_content?.message_text).toMatch(/^(?:བོད་ཡིག ){500,}.*…$/);
  });

  it('of lines that are words alone is read', async () => {
    expect((await asPicture(recognised('["བོད་ཡིག","དཔེ་ཆ"]'))).text).toBe('བོད་ཡིག\nདཔེ་ཆ');
  });

  it('of which a paragraph names empty lines around it is translated by its paragraphs', async () => {
    const lines = ['', `1. ${newTibetan()}།`, '2. དཔེ་ཆ།', ''];
    const page = {
      log_id: 1,
      words_result_num: lines.length,
      words_result: lines.map((words) => ({ words })),
      paragraphs_result_num: 1,
      paragraphs_result: [{ words_result_idx: lines.map((_, index) => index) }],
    };
    const person = scene.newcomer();
    void scene.beforeService.next('/ocr/general', body(JSON.stringify(page)));
    const read = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
    expect(read.text).toBe(`${lines[1]}\n${lines[2]}`);
    await person.press(read, 'translate');
    await scene.telegram.world.waitForMessage(read.chat, ({ text }) => hasChinese(text), { after: read });
    const call = scene.service.calls.findLast(({ kind }) => kind === 'translation');
    expect(call?.parameters.inputText).toBe(`${lines[1]} ${lines[2]}`);
  });
});

describe('speech', () => {
  const speak = async (meddling: Meddling) => {
    const person = scene.newcomer();
    void scene.beforeService.next('/tts/stream', meddling);
    return expectClear(person.send(person.chat, { text: `/speak ${newTibetan()}` }));
  };

  it('that begins with a brace is spoken when it is sound', async () => {
    const sound = Buffer.alloc(32_000, 3);
    sound.write('{"msgId":', 'latin1');
    expect(await speak(body(sound))).toSatisfy(isVoice);
  });

  // Without an end: self-healing/endless-answers.
  it.each([
    ['that ends in half a sample', body(Buffer.alloc(32_001, 3))],
    ['of an error of 100 MB', pouring({ chunk: Buffer.alloc(MB, ' '), times: 100, opening: '{' })],
  ])('%s has an answer, and others are served', { timeout: 2 * PATIENCE_MS }, async (_, meddling) => {
    await speak(meddling);
    await scene.servesOthers();
  });
});

it('all of it together has cost little memory', () => {
  expect(peakMemoryMb(scene.bot().pid)).toBeLessThan(MAX_MEMORY_MB);
});
