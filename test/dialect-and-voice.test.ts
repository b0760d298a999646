/** /dialect and /voice: how texts are spoken to a person. */
import { expect, it } from 'vitest';
import { buttonsOf, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each([
  ['amdo', 'amdo'],
  ['Ü-Tsang', 'utsang'],
  ['康巴', 'khampa'],
  ['ཨ་མདོ', 'amdo'],
  // The menu's own words.
  ['ཨ་མདོའི་ཡུལ་སྐད', 'amdo'],
  ['in amdo.', 'amdo'],
  ['昌都话', 'khampa'],
  ['དབུས་པའི་སྐད', 'utsang'],
])('/dialect %s is taken', async (word, dialect) => {
  const answer = await scene.ask(scene.newcomer(), `/dialect ${word}`);
  expect(answer.text).toBe(says('dialect-chosen', 'en', { dialect: says(dialect) }));
});

it.each([
  ['/dialect', 'dialect-which'],
  ['/dialect golok', 'dialect-unknown'],
  ['/dialect chinese', 'dialect-unknown'],
])('%s offers the dialects, the present one marked, and a press chooses in place', async (command, id) => {
  const person = scene.newcomer();
  const offer = await scene.ask(person, command);
  expect(offer.text).toBe(says(id));
  expect(buttonsOf(offer)).toEqual(['dialect:utsang', 'dialect:khampa', 'dialect:amdo']);
  const texts = offer.reply_markup?.inline_keyboard.flat().map(({ text }) => text);
  expect(texts).toEqual(['✓ Ü-Tsang', 'Khampa', 'Amdo']);

  await person.press(offer, 'dialect:amdo');
  const chosen = await scene.becomes(offer, ({ text }) => text !== offer.text);
  expect(chosen.text).toBe(says('dialect-chosen', 'en', { dialect: says('amdo') }));
  expect(buttonsOf(chosen)).toEqual([]);
  expect(await scene.everythingAfter(offer, person)).toEqual([]);
});

it('a press on an offer that was deleted meanwhile is confirmed in a message', async () => {
  const person = scene.newcomer();
  const offer = await scene.ask(person, '/dialect');
  const pressed = person.press(offer, 'dialect:khampa');
  person.deleteMessage(offer);
  await pressed;
  const answer = await scene.answerTo(offer);
  expect(answer.text).toBe(says('dialect-chosen', 'en', { dialect: says('khampa') }));
});

it.each([
  ['/voice yunjian', 'voice-yunjian'],
  ['/voice XiaoXiao', 'voice-xiaoxiao'],
])('%s is taken', async (command, voice) => {
  const answer = await scene.ask(scene.newcomer(), command);
  expect(answer.text).toBe(says('voice-chosen', 'en', { voice: says(voice) }));
});

it.each([
  ['/voice', 'voice-which'],
  ['/voice bob', 'voice-unknown'],
])('%s offers the voices, and a press chooses in place', async (command, id) => {
  const person = scene.newcomer();
  const offer = await scene.ask(person, command);
  expect(offer.text).toBe(says(id));
  expect(buttonsOf(offer)).toEqual(['voice:xiaoxiao', 'voice:yunjian']);
  await person.press(offer, 'voice:yunjian');
  const chosen = await scene.becomes(offer, ({ text }) => text !== offer.text);
  expect(chosen.text).toBe(says('voice-chosen', 'en', { voice: says('voice-yunjian') }));
});
