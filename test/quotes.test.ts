/** A reply to a part that its person has chosen means that part, whatever is asked about it. */
import { beforeEach, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasChinese, isVoice, newTibetan, says } from './phrases.ts';
import { sendPage } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let person: Person;
let friend: Person;
let group: Group;
beforeEach(() => {
  [person, friend] = [scene.newcomer(), scene.newcomer()];
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [person, friend] });
});

/** What answers the person's words that quote a part of a message. */
const about = (said: Message, quote: string, text: string) =>
  scene.answerTo(person.send(said.chat, { text, replyTo: said, quote }));

it('a quoted part is what is translated, spoken, transliterated and shown by its sound', async () => {
  const said = friend.send(group, { text: 'བཀྲ་ཤིས། བདེ་ལེགས། བོད་ཡིག' });
  const part = 'བདེ་ལེགས།';
  expect((await about(said, part, '/wylie')).text).toBe('bde legs/');
  expect((await about(said, part, '/phonetics')).text?.split('\n')).toHaveLength(2);
  expect((await about(said, part, '/chinese')).text).toSatisfy(hasChinese);
  expect(scene.lastCall('translation')?.inputText).toBe(part);
  expect(await about(said, part, '/speak amdo')).toSatisfy(isVoice);
  expect(scene.lastCall('speech')?.inputText).toBe(part);
  expect((await about(said, 'བོད་ཡིག', '@lotsawa_bot')).text).toSatisfy(hasChinese);
  expect(scene.lastCall('translation')?.inputText).toBe('བོད་ཡིག');
});

it('a quoted part may be half a syllable', async () => {
  const said = friend.send(group, { text: 'བཀྲ་ཤིས་བདེ་ལེགས།' });
  const half = 'ྲ་ཤི';
  expect((await about(said, half, '/chinese')).text).toSatisfy(hasChinese);
  expect(scene.lastCall('translation')?.inputText).toBe(half);
  expect(await about(said, half, '/speak')).toSatisfy(isVoice);
  expect((await about(said, half, '/wylie')).text).toBeTruthy();
});

it('a quoted part is what a question is about', async () => {
  const answer = await scene.ask(person, `${newTibetan()} ${newTibetan()}`);
  const part = answer.text?.slice(0, 4) ?? '';
  await about(answer, part, 'what does this say?');
  expect(scene.lastCall('translation')?.inputText).toBe(part);
  const translated = await scene.answerTo(person.send(group, { text: `/chinese ${newTibetan()}` }));
  const piece = translated.text?.slice(0, 3) ?? '';
  await about(translated, piece, '@lotsawa_bot and this?');
  expect(scene.lastCall('translation')?.inputText).toBe(piece);
  // Without a quote as before.
  const plain = person.send(person.chat, { text: 'what does this say?', replyTo: answer });
  expect((await scene.answerTo(plain)).text).toBe(says('neither-script'));
});

it('a quoted part of a caption keeps nobody from reading its picture', async () => {
  const photo = await sendPage(person, group, 'བོད་ཡིག 66', 'བཀྲ་ཤིས། བདེ་ལེགས།');
  expect((await about(photo, 'བདེ་ལེགས།', '/ocr')).text).toContain('66');
});
