/** Bombs and junk from the service: people get a clear answer, and the bot's memory stays bounded. */
import { afterAll, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { instead, pouring } from '../faults/breakages.ts';
import type { Breakage } from '../faults/fault-proxy.ts';
import { useStage } from '../faults/stage.ts';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';

/** The process at rest takes some 200 MB; one answer of 500 kB as bytes, as text and as values hardly shows beside it. */
const MAX_MEMORY_MB = 500;

const stage = useStage({ env: { SERVICE_TIMEOUT_MS: '5000' } });
afterAll(() => expect(stage.peakMemoryMb()).toBeLessThan(MAX_MEMORY_MB));

const body = (content: string | Buffer): Breakage => instead(200, content);

/** What comes of a text, or of a picture, for which the service answers so. */
async function asText(breakage: Breakage): Promise<Message> {
  stage.toBase.breakNext({ call: 'translation', breakage });
  return stage.ask(stage.newcomer(), newChinese());
}
async function asPicture(breakage: Breakage, person = stage.newcomer()): Promise<Message> {
  stage.toAuth.breakNext({ call: 'general', breakage });
  return stage.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
}

const BODIES: Readonly<Record<string, Breakage>> = {
  'without an end': pouring(Number.POSITIVE_INFINITY, '{"msgId":"2000000","data":"'),
  'nested 100,000 levels deep': body(
    `{"msgId":"2000000","data":${'['.repeat(100_000)}${']'.repeat(100_000)}}`,
  ),
  'with poisoned keys': body(
    '{"__proto__":{"msgId":"2000000"},"constructor":{"prototype":{"data":"x"}},"words_result":{"__proto__":[]}}',
  ),
};

/** The words of which one is due when the service answers junk. */
const CLEAR = ['failure-unavailable', 'failure-in-doubt', 'failure-bad-request', 'failure-audio'].map((id) =>
  says(id),
);

function expectClear(answer: Message): void {
  if (!hasTibetan(answer.text) && !isVoice(answer)) expect(CLEAR).toContain(answer.text);
}

it.each(Object.entries(BODIES))('an answer %s', async (_, breakage) => {
  for (const answer of [await asText(breakage), await asPicture(breakage)]) expectClear(answer);
  await stage.servesOthers();
});

describe('a text', () => {
  const translated = (data: string) =>
    body(`{"msgId":"2000000","msg":"success","data":"${data}","traceId":"t"}`);
  const recognised = (lines: string) => body(`{"log_id":1,"words_result_num":1,"words_result":${lines}}`);
  const TORN = 'བོད་\\ud800ཡིག\\u0000།དཔེ་ཆ།';
  const WHOLE = 'བོད་\ufffdཡིག།དཔེ་ཆ།';

  it('a recognition’s id stands in the log to its last digit', async () => {
    await asPicture(
      body('{"log_id":18446744073709551615,"words_result_num":1,"words_result":[{"words":"བོད།"}]}'),
    );
    await asText(body('{"msgId":"2000000","msg":"success","data":"བོད།","traceId":"0f3a-77"}'));
    for (const id of ['18446744073709551615', '0f3a-77']) {
      await expect.poll(() => stage.log()).toContain(`"traceId":"${id}"`);
    }
  });

  it('half a surrogate pair and a NUL are made harmless', async () => {
    expect((await asText(translated(TORN))).text).toBe(WHOLE);
    expect((await asPicture(recognised(`[{"words":"${TORN}"}]`))).text).toBe(WHOLE);
  });

  it('of nothing but what is invisible is none', async () => {
    const invisible = '\u3164\u115f\ufe0f\u180b';
    expect((await asText(translated(invisible))).text).toBe(says('failure-unavailable'));
    const read = await asPicture(recognised(`[{"words":"${invisible}"}]`));
    expect(read.text).toBe(says('nothing-found-tibetan'));
  });

  it('that no message holds is offered in inline mode as far as one does', async () => {
    stage.toBase.breakNext({ call: 'translation', breakage: translated('བོད་ཡིག '.repeat(1000)) });
    const { results } = await stage.newcomer().inlineQuery(newChinese());
    expect(results[0]?.input_message_content?.message_text).toMatch(/^(?:བོད་ཡིག ){500,}.*…$/);
  });

  it('of lines that are no objects is none, and is asked for once', async () => {
    // A second call would be answered.
    const answer = await asPicture(recognised('["བོད་ཡིག","དཔེ་ཆ"]'));
    expect(answer.text).toBe(says('failure-unavailable'));
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
    const person = stage.newcomer();
    const read = await asPicture(body(JSON.stringify(page)), person);
    expect(read.text).toBe(`${lines[1]}\n${lines[2]}`);
    await person.press(read, 'translate');
    await stage.answerTo(read, ({ text }) => hasChinese(text));
    expect(stage.lastCall('translation')?.inputText).toBe(`${lines[1]} ${lines[2]}`);
  });
});

// Without an end: self-healing/endless-answers.
it('speech that begins with a brace is spoken when sound', async () => {
  const speak = async (breakage: Breakage) => {
    stage.toBase.breakNext({ call: 'stream', breakage });
    return stage.ask(stage.newcomer(), `/speak ${newTibetan()}`);
  };
  const sound = Buffer.alloc(32_000, 3);
  sound.write('{"msgId":', 'latin1');
  expect(await speak(body(sound))).toSatisfy(isVoice);
  expectClear(await speak(pouring(100, '{')));
  await stage.servesOthers();
});
