/** /dialect and /voice: how texts are spoken to a person. */
import { expect, it } from 'vitest';
import { buttonsOf, labelsOf, says } from './phrases.ts';
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

const AMDO = says('dialect-chosen', 'en', { dialect: says('amdo') });
const YUNJIAN = says('voice-chosen', 'en', { voice: says('voice-yunjian') });

it.each([
  ['/dialect', 'dialect-which', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], AMDO],
  ['/dialect golok', 'dialect-unknown', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], AMDO],
  ['/dialect chinese', 'dialect-unknown', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], AMDO],
  ['/voice', 'voice-which', ['✓ Xiaoxiao (woman)', 'Yunjian (man)'], YUNJIAN],
  ['/voice bob', 'voice-unknown', ['✓ Xiaoxiao (woman)', 'Yunjian (man)'], YUNJIAN],
])(
  '%s offers what there is, the present one marked, and a press chooses in place',
  async (command, id, labels, chosen) => {
    const person = scene.newcomer();
    const offer = await scene.ask(person, command);
    expect([offer.text, labelsOf(offer)]).toEqual([says(id), labels]);
    await person.press(offer, labels.at(-1) ?? '');
    const now = await scene.becomes(offer, ({ text }) => text !== offer.text);
    expect([now.text, buttonsOf(now)]).toEqual([chosen, []]);
    expect(await scene.everythingAfter(offer, person)).toEqual([]);
  },
);

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
