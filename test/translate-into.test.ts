/** /tibetan, /chinese, /auto and /translate, and the words that mean /translate or /speak as a caption or beside a mention. */
import { expect, it } from 'vitest';
import {
  buttonsOf,
  CHINESE,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
  TIBETAN,
} from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it('/chinese with a text translates just that', async () => {
  const paid = await scene.paidBy(async () => {
    const answer = await scene.ask(scene.anna, `/chinese ${TIBETAN} 7`);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.text).toContain('7');
  });
  expect(paid).toBe(1);
  expect((await scene.ask(scene.anna, CHINESE)).text).toSatisfy(hasTibetan);
});

it.each(['/tibetan', '/Tibetan', '/TIBETAN@lotsawa_bot'])(
  '%s with a text on the next line is heard',
  async (command) => {
    const answer = await scene.ask(scene.anna, `${command}\n${CHINESE}`);
    expect(answer.text).toSatisfy(hasTibetan);
  },
);

it.each([
  ['😀', '😀'],
  ['“', '“'],
  ['：', ''],
])('with %s and no space before the text, that text is translated', async (between, kept) => {
  await scene.ask(scene.anna, `/tibetan${between}没有空格${between}`);
  expect(scene.lastCall('translation')?.inputText).toBe(`${kept}没有空格${between}`);
});

it.each([
  ['/tibetan', TIBETAN, 'already-tibetan'],
  ['/chinese', CHINESE, 'already-chinese'],
  ['/tibetan', 'good morning', 'neither-script'],
])('%s of %s, which needs no translation, is said so, unpaid', async (command, text, id) => {
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(scene.anna, `${command} ${text}`)).text).toBe(says(id));
  });
  expect(paid).toBe(0);
});

it('alone it holds from now on, for this person, until /auto', async () => {
  const person = scene.newcomer();
  expect((await scene.ask(person, '/tibetan')).text).toBe(says('target-tibetan'));
  expect((await scene.ask(person, CHINESE)).text).toSatisfy(hasTibetan);
  const paid = await scene.paidBy(async () => {
    expect((await scene.ask(person, TIBETAN)).text).toBe(says('already-tibetan'));
  });
  expect(paid).toBe(0);
  expect((await scene.ask(scene.anna, `${TIBETAN} 9`)).text).toSatisfy(hasChinese);
  expect((await scene.ask(person, '/auto')).text).toBe(says('target-auto'));
  expect((await scene.ask(person, `${TIBETAN} 10`)).text).toSatisfy(hasChinese);
  expect((await scene.ask(person, '/chinese')).text).toBe(says('target-chinese'));
  expect((await scene.ask(person, CHINESE)).text).toBe(says('already-chinese'));
});

it('/auto with a text translates it by its script, whatever holds', async () => {
  const person = scene.newcomer();
  await scene.ask(person, '/tibetan');
  const answer = await scene.ask(person, `/auto ${TIBETAN} 11`);
  expect(answer.text).toSatisfy(hasChinese);
  expect(buttonsOf(answer)).toContain('speak:chinese');
});

it('/translate takes a text, a reply, or the last text', async () => {
  const person = scene.newcomer();
  expect((await scene.ask(person, '/translate')).text).toBe(says('nothing-to-translate'));
  expect((await scene.ask(person, `/translate ${newTibetan()}`)).text).toSatisfy(hasChinese);
  // What was set holds for texts that nobody asks about.
  await scene.ask(person, '/tibetan');
  const text = newTibetan();
  const message = person.send(person.chat, { text });
  await scene.answerTo(message);
  for (const command of ['/translate', '/translate Chinese']) {
    const answer = await scene.answerTo(person.send(person.chat, { text: command, replyTo: message }));
    expect(answer.text).toSatisfy(hasChinese);
    expect(numberOf(answer.text)).toBe(numberOf(text));
  }
  const paid = await scene.paidBy(async () => {
    expect(numberOf((await scene.ask(person, '/translate')).text)).toBe(numberOf(text));
  });
  expect(paid).toBe(0);
});

it.each(['/translate', 'translate', '翻译一下', 'སྒྱུར་རོགས།', 'translate into Chinese'])(
  'a photo captioned %s is read and translated',
  async (caption) => {
    const text = newTibetan();
    const sent = await sendPage(scene.anna, scene.anna.chat, text, caption);
    const answer = await scene.answerTo(sent, (one) => hasChinese(one.text));
    expect(numberOf(answer.text)).toBe(numberOf(text));
  },
);

it.each(['speak amdo', '用安多话朗读', 'ཨ་མདོའི་སྐད་ལ་ཀློག་འདོན།'])(
  'a photo captioned %s is spoken',
  async (caption) => {
    const text = newTibetan();
    const voice = await scene.answerTo(await sendPage(scene.anna, scene.anna.chat, text, caption), isVoice);
    expect(voice.caption).toContain(says('amdo'));
    expect(numberOf(voice.caption)).toBe(numberOf(text));
  },
);

it('an order in private is about its reply; alone it is text', async () => {
  const person = scene.newcomer();
  const text = newTibetan();
  const page = await sendPage(person, person.chat, text);
  await scene.answerTo(page);
  const reply = person.send(person.chat, { text: '翻译', replyTo: page });
  const answer = await scene.answerTo(reply, (one) => hasChinese(one.text));
  expect(numberOf(answer.text)).toBe(numberOf(text));
  expect((await scene.ask(person, '翻译')).text).toSatisfy(hasTibetan);
});

it('an order beside a mention is about its reply, or its text', async () => {
  const pema = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [pema], privacyMode: false });
  const at = (words: string) => `@${scene.telegram.bot.username} ${words}`;
  const [text, own] = [newTibetan(), newChinese()];
  const message = pema.send(group, { text });
  const translated = await scene.answerTo(pema.send(group, { text: at('翻译'), replyTo: message }));
  expect(translated.text).toSatisfy(hasChinese);
  expect(numberOf(translated.text)).toBe(numberOf(text));
  const voice = await scene.answerTo(pema.send(group, { text: at('ཀློག་འདོན།'), replyTo: message }), isVoice);
  expect(numberOf(voice.caption)).toBe(numberOf(text));
  const after = await scene.answerTo(pema.send(group, { text: at(`translate ${own}`) }));
  expect(after.text).toSatisfy(hasTibetan);
  expect(numberOf(after.text)).toBe(numberOf(own));
  // Without a mention they are said to others.
  const last = pema.send(group, { text: '翻译', replyTo: message });
  await sendPage(pema, group, newTibetan(), 'translate');
  expect(await scene.everythingAfter(last, pema)).toEqual([]);
});

it('beside a mention in a chat without the bot, too', async () => {
  const pema = scene.newcomer();
  const { world, bot } = scene.telegram;
  const chat = world.addGroup({ title: 'Elsewhere', members: [pema], botIsMember: false });
  const message = pema.send(chat, { text: newTibetan() });
  const mention = pema.send(chat, { text: `@${bot.username} 翻译`, replyTo: message });
  const answer = await world.waitForMessage(chat, ({ from }) => from?.is_bot === true, { after: mention });
  await scene.becomes(answer, (now) => hasChinese(now.text) && numberOf(now.text) === numberOf(message.text));
});
