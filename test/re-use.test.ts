/** Nothing is paid for twice: the same picture, text or speech is bought once and kept. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { TIBETAN_SAMPLE } from '../sandbox/samples/samples.ts';
import { CHINESE, hasTibetan, isVoice, TIBETAN } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

describe('a text that differs only in how it was typed is not bought again', () => {
  it.each([
    ['the same', 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།', 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།'],
    ['a non-breaking tsheg', 'ང་བོད་པ་ཡིན།', 'ང༌བོད༌པ༌ཡིན།'],
    ['decomposed vowels', 'ཀཱི་ལ་ཡ།', 'ཀ\u0F71\u0F72་ལ་ཡ།'],
    ['a space at the end', 'ཁྱེད་རང་གི་མིང་ལ་ག་རེ་ཟེར།', 'ཁྱེད་རང་གི་མིང་ལ་ག་རེ་ཟེར། '],
    ['Kangxi radicals', '我⾃⼰的⼈⽣⼀路⾛来', '我自己的人生一路走来'],
    ['ideographs', '山里风大', '⼭⾥⻛⼤'],
    ['radicals of the supplement', '⻓⻛破浪，⻢到成功。', '长风破浪，马到成功。'],
    ['compatibility ideographs', '\uf90a色的\uf98e', '金色的年'],
    ['characters that nobody sees', 'ང་སློབ་གྲྭར་འགྲོ།', '\u202aང་སློབ\u200d་གྲྭར\u00ad་འགྲོ།\u202c'],
  ])('%s', async (_what, first, second) => {
    const before = await scene.ask(scene.anna, first);
    const paid = await scene.paidBy(async () => {
      const again = await scene.ask(scene.newcomer(), second);
      expect(again.text).toBe(before.text);
    });
    expect(paid).toBe(0);
  });

  it.each([
    ['another letter', 'ང་བོད་པ་ཡིན།', 'ང་བོད་པ་མིན།'],
    ['another line break', '你好。\n再见。', '你好。再见。'],
    ['a break that turns the sense', '我不要\n你去', '我不要你去'],
    ['a list of names', '扎西\n卓玛', '扎西卓玛'],
    ['another number', '三只羊 3', '三只羊 4'],
  ])('but %s is another text', async (_what, first, second) => {
    await scene.ask(scene.anna, first);
    expect(await scene.paidBy(() => scene.ask(scene.anna, second))).toBe(1);
  });
});

it('radicals are sent and spoken as ideographs, while people see what they wrote', async () => {
  const [written, meant] = ['⾹格⾥拉的⻛⾳', '香格里拉的风音'];
  await scene.ask(scene.anna, written);
  expect(scene.lastCall('translation')?.inputText).toBe(meant);
  const note = await scene.ask(scene.anna, `/speak ${written}`, isVoice);
  expect(scene.lastCall('speech')?.inputText).toBe(meant);
  expect(note.caption).toContain(written);
});

it('names spoken one by one are not those spoken in a row', async () => {
  const paid = await scene.paidBy(async () => {
    for (const names of ['拉姆\n德吉', '拉姆德吉']) await scene.ask(scene.anna, `/speak ${names}`, isVoice);
  });
  expect(paid).toBe(2);
});

it('fifty people with one text cause one call', async () => {
  const { world } = scene.telegram;
  const endCall = scene.service.faults.hold('translation');
  const people = Array.from({ length: 50 }, () => scene.newcomer());
  const paid = await scene.paidBy(async () => {
    const answers = people.map((person) => scene.ask(person, '五十个人问同一句话。'));
    await world.waitUntil(() => people.every(({ chat }) => world.chatAction(chat) !== undefined));
    endCall();
    for (const { text } of await Promise.all(answers)) expect(text).toSatisfy(hasTibetan);
  });
  expect(paid).toBe(1);
});

it('a photo is read once in a language, whoever sends it and however', async () => {
  const photo = readFileSync(TIBETAN_SAMPLE.file);
  const send = async (options = {}) => {
    const person = scene.newcomer();
    return scene.answerTo(await person.sendPhoto(person.chat, photo, options));
  };
  const first = await send();
  expect(await scene.paidBy(async () => expect((await send()).text).toBe(first.text))).toBe(0);
  expect(await scene.paidBy(() => send({ caption: 'zh' }))).toBe(1);
});

describe('a voice note', () => {
  it('a known voice note is sent by id, a forgotten one uploaded', async () => {
    const speak = () => scene.ask(scene.newcomer(), `/speak amdo ${TIBETAN}`, isVoice);
    const sent = () => scene.telegram.calls.findLast(({ method }) => method === 'sendVoice')?.payload.voice;
    const { voice } = await speak();
    await scene.atRest();
    const paid = await scene.paidBy(async () => {
      expect((await speak()).voice?.file_unique_id).toBe(voice?.file_unique_id);
      expect(sent()).toBe(voice?.file_id);
      scene.telegram.world.forgetFile(voice?.file_id ?? '');
      expect((await speak()).voice?.duration).toBe(voice?.duration);
      expect(sent()).not.toBe(voice?.file_id);
    });
    expect(paid).toBe(0);
  });

  it('of each voice is bought by itself', async () => {
    const paid = await scene.paidBy(async () => {
      await scene.ask(scene.anna, `/speak ${CHINESE}`, isVoice);
      await scene.ask(scene.anna, '/voice yunjian');
      await scene.ask(scene.anna, `/speak ${CHINESE}`, isVoice);
    });
    expect(paid).toBe(2);
  });
});
