/** Texts sent in a private chat are translated. */
import { beforeEach, expect, it } from 'vitest';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isAnswer,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  SPEAK_BUTTONS,
  SPELLING_BUTTONS,
  says,
  TIBETAN,
} from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

it('a Tibetan text comes back in Chinese, for one paid call', async () => {
  const paid = await scene.paidBy(async () => {
    const asked = scene.anna.send(scene.anna.chat, { text: `${TIBETAN} 101` });
    const answer = await scene.answerTo(asked);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.text).not.toSatisfy(hasTibetan);
    expect(answer.text).toContain('101');
    expect(answer.reply_to_message?.message_id).toBe(asked.message_id);
    expect(buttonsOf(answer)).toEqual(['speak:chinese', 'copy', 'send']);
    const [copy, send] = answer.reply_markup?.inline_keyboard.at(-1) ?? [];
    expect(copy?.copy_text?.text).toBe(answer.text);
    const offered = await scene.anna.inlineQuery(send?.switch_inline_query_chosen_chat?.query ?? '');
    expect(offered.results[0]?.input_message_content?.message_text).toBe(answer.text);
  });
  expect(paid).toBe(1);
});

it('a Chinese text comes back in Tibetan, with a button for each dialect', async () => {
  const paid = await scene.paidBy(async () => {
    const answer = await scene.ask(scene.anna, newChinese());
    expect(answer.text).toSatisfy(hasTibetan);
    expect(buttonsOf(answer)).toEqual([...SPEAK_BUTTONS, 'copy', 'send', ...SPELLING_BUTTONS]);
  });
  expect(paid).toBe(1);
});

it.each(['hello there', '12345', '😀', '!?', 'привет'])(
  '%s is in neither script: told so, unpaid',
  async (text) => {
    const paid = await scene.paidBy(async () => {
      const answer = await scene.ask(scene.anna, text);
      expect(answer.text).toBe(says('neither-script'));
    });
    expect(paid).toBe(0);
  },
);

it('of a mixed text the script that carries more of it decides', async () => {
  const mostlyTibetan = await scene.ask(scene.anna, `${TIBETAN} ${TIBETAN} 你好`);
  expect(buttonsOf(mostlyTibetan)).toContain('speak:chinese');
  const mostlyChinese = await scene.ask(scene.anna, '这是我们的扎西德勒的意思 བོད');
  expect(buttonsOf(mostlyChinese)).toContain('speak:amdo');
});

it.each([
  ['of a link that', 'https://zh.wikipedia.org/wiki/西藏自治区'],
  ['of a quoted title that', '《格萨尔王传》《红楼梦》《西游记》《三国演义》'],
  ['of a name within a sentence that', '西南民族大学藏学学院གི་'],
])('%s script does not count, and the text is translated with it', async (_, other) => {
  const text = `${other} ${TIBETAN}`;
  const answer = await scene.ask(scene.anna, text);
  expect(buttonsOf(answer)).toContain('speak:chinese');
  expect(scene.lastCall('translation')).toMatchObject({ sourceLang: 0, inputText: text });
});

it('markup in a text stays literal', async () => {
  const text = '<b>你好</b> *好* _好_ `好` &amp; [好](http://example.com) <script>';
  const answer = await scene.ask(scene.anna, text);
  for (const mark of ['<b>', '</b>', '*', '_', '`', '&amp;', '](http://example.com)', '<script>'])
    expect(answer.text).toContain(mark);
  expect(answer.entities?.filter(({ type }) => type !== 'url') ?? []).toEqual([]);
});

it('line breaks and paragraphs stay where they were', async () => {
  const answer = await scene.ask(scene.anna, '你好 1\n\n2 谢谢\n3 再见');
  expect(answer.text).toMatch(/^\P{N}+1\n\n2\P{N}+\n3\P{N}+$/u);
});

it('an answer longer than a message comes as several, and nothing is dropped', async () => {
  // A Chinese character becomes three Tibetan letters or more: the answer no longer fits.
  const lines = Array.from({ length: 130 }, (_, number) => `第${number}行有这么多个汉字要翻译`);
  const asked = scene.anna.send(scene.anna.chat, { text: lines.join('\n') });
  await scene.answerTo(asked);
  const answers = await scene.everythingAfter(asked, scene.anna);
  expect(answers.length).toBeGreaterThan(1);
  for (const answer of answers) expect(answer.text?.length).toBeLessThanOrEqual(4096);
  // All of it has its buttons once, at its end.
  const buttons = answers.map(buttonsOf);
  expect(buttons.pop()).toContainEqual(expect.stringMatching(/^speak:amdo:/));
  expect(buttons.flat()).toEqual([]);
  const numbers = answers
    .map(({ text }) => text)
    .join('\n')
    .match(/\d+/g);
  expect(numbers).toEqual(lines.map((_, number) => String(number)));
});

it('a long text takes the fewest calls, and keeps what was paid', async () => {
  const { service, telegram } = scene;
  const person = scene.newcomer();
  const text = `${'一二三四。\n'.repeat(500)}${'五'.repeat(600)}`;
  service.faults.next('translation', 'bad-parameter');
  // Still under way when the other has failed.
  const endPiece = service.faults.hold('translation');
  const paid = await scene.paidBy(async () => {
    const asked = person.send(person.chat, { text });
    const outcomes = () => service.calls.slice(-2).map(({ outcome }) => outcome);
    await telegram.world.waitUntil(() => outcomes().includes('error') && outcomes().includes('running'));
    endPiece();
    expect((await scene.answerTo(asked)).text).toBe(says('failure-bad-request'));
    const again = await scene.everythingAfter(person.send(person.chat, { text }), person);
    for (const answer of again) expect(answer.text).toSatisfy(hasTibetan);
  });
  expect(paid).toBe(2);
});

it('a person’s requests wait in order, and delay nobody else’s', async () => {
  const { service, telegram, newcomer } = scene;
  const endSpeech = service.faults.hold('speech');
  const person = newcomer();
  const voiced = person.send(person.chat, { text: `/speak amdo ${newTibetan()}` });
  await scene.underWay();
  const asked = [person, ...Array.from({ length: 40 }, () => newcomer())].map((one) =>
    one.send(one.chat, { text: newChinese() }),
  );
  const [next, ...others] = asked;
  const answers = await Promise.all(others.map((message) => scene.answerTo(message)));
  expect(answers.map(({ text }) => numberOf(text))).toEqual(others.map(({ text }) => numberOf(text)));
  await telegram.world.waitUntil(
    () => telegram.calls.findLast(({ method }) => method === 'getUpdates')?.answered === false,
  );
  expect(telegram.world.messages(person.chat).some(isAnswer)).toBe(false);
  endSpeech();
  const [voice, last] = await scene.everythingAfter(voiced, person);
  expect(voice).toSatisfy(isVoice);
  expect(numberOf(last?.text)).toBe(numberOf(next?.text));
});

it('a copy button holds at most what Telegram lets it', async () => {
  const short = await scene.ask(scene.anna, '好'.repeat(64));
  expect(short.text?.length).toBeLessThanOrEqual(256);
  expect(buttonsOf(short)).toContain('copy');
  const long = await scene.ask(scene.anna, '好'.repeat(65));
  expect(long.text?.length).toBeGreaterThan(256);
  expect(buttonsOf(long)).not.toContain('copy');
});
