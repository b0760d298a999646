/** The buttons under results. */
import { beforeEach, expect, it } from 'vitest';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { aJpeg, sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

it.each([
  ['utsang', 0],
  ['khampa', 4],
  ['amdo', 5],
])('%s under a Tibetan result speaks it for one paid call', async (variety, lang) => {
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  const paid = await scene.paidBy(async () => {
    await person.press(result, `speak:${variety}`);
    const voice = await scene.answerTo(result, isVoice);
    expect(voice.reply_to_message?.message_id).toBe(result.message_id);
    expect(voice.caption).toContain(result.text);
  });
  expect(paid).toBe(1);
  expect(scene.lastCall('speech')?.lang).toBe(lang);
});

it('translate, under what was read, translates it the other way, whatever holds', async () => {
  const person = scene.newcomer();
  await scene.ask(person, '/tibetan');
  const text = newTibetan();
  const sent = await sendPage(person, person.chat, text);
  const read = await scene.answerTo(sent);
  const paid = await scene.paidBy(async () => {
    await person.press(read, 'translate');
    const translation = await scene.answerTo(read);
    expect(translation.text).toSatisfy(hasChinese);
    expect(numberOf(translation.text)).toBe(numberOf(text));
    expect(translation.reply_to_message?.message_id).toBe(read.message_id);
  });
  expect(paid).toBe(1);
});

it('read again reads the same photo in the other language, under the photo', async () => {
  const person = scene.newcomer();
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  const read = await scene.answerTo(sent);
  const paid = await scene.paidBy(async () => {
    await person.press(read, says('button-read-chinese'));
    const again = await scene.answerTo(read);
    expect(again.text).toSatisfy(hasChinese);
    expect(again.reply_to_message?.message_id).toBe(sent.message_id);
    expect(buttonsOf(again)).toContain('read:tibetan');
  });
  expect(paid).toBe(1);
});

it('a reading of a forgotten file says so, also without the photo', async () => {
  const person = scene.newcomer();
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  const read = await scene.answerTo(sent);
  scene.telegram.world.forgetFile(sent.photo?.at(-1)?.file_id ?? '');
  person.deleteMessage(sent);
  await person.press(read, says('button-read-chinese'));
  expect((await scene.answerTo(read)).text).toBe(says('failure-file-gone'));
});

it('in a group anybody may press; settings and language are those of who presses', async () => {
  const { anna } = scene;
  const other = scene.newcomer({ languageCode: 'zh' });
  await scene.ask(other, '/voice yunjian');
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, other] });
  const result = await scene.answerTo(anna.send(group, { text: `/chinese ${newTibetan()}` }));
  await other.press(result, 'speak:chinese');
  const voice = await scene.answerTo(result, isVoice);
  expect(voice.caption).toMatch(/^🔊 普通话\n/);
  expect(scene.lastCall('speech')).toMatchObject({ lang: 1, vcn: 'yunjian', inputText: result.text });
});

it('a press is heard at once, also while slow speech runs for the same person', async () => {
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  const endSpeech = scene.service.faults.hold('speech');
  await person.press(result, 'speak:utsang');
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(person.chat) === 'record_voice');
  await person.press(result, 'speak:amdo');
  expect(scene.telegram.world.messages(person.chat).filter(isVoice)).toEqual([]);
  endSpeech();
  expect((await scene.everythingAfter(result, person)).filter(isVoice)).toHaveLength(2);
});

it('pressed twice in a row, it is done and paid for once', async () => {
  const endSpeech = scene.service.faults.hold('speech');
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  const paid = await scene.paidBy(async () => {
    await Promise.all([person.press(result, 'speak:amdo'), person.press(result, 'speak:amdo')]);
    endSpeech();
    await scene.answerTo(result, isVoice);
    const sent = await scene.everythingAfter(result, person);
    expect(sent.filter(isVoice)).toHaveLength(1);
  });
  expect(paid).toBe(1);
});

it('after a restart of the bot the buttons of before still work', async () => {
  const person = scene.newcomer();
  const result = await scene.ask(person, newChinese());
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  const read = await scene.answerTo(sent);
  const offer = await scene.ask(person, '/dialect');
  await scene.restart();
  await person.press(result, 'speak:amdo');
  expect((await scene.answerTo(offer, isVoice)).caption).toContain(result.text);
  await person.press(read, 'translate');
  await scene.answerTo(offer, ({ text }) => hasChinese(text));
  await person.press(offer, 'dialect:amdo');
  await scene.becomes(offer, ({ text }) => text === says('dialect-chosen', 'en', { dialect: says('amdo') }));
  expect(result.text).toSatisfy(hasTibetan);
});
