/** /dialect and /voice: how texts are spoken to a person. */
import { expect, it } from 'vitest';
import { buttonsOf, labelsOf, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const dialectChosen = (dialect: string) => says('dialect-chosen', 'en', { dialect: says(dialect) });
const voiceChosen = (voice: string) => says('voice-chosen', 'en', { voice: says(voice) });

it.each([
  ['/dialect amdo', dialectChosen('amdo')],
  ['/dialect Ü-Tsang', dialectChosen('utsang')],
  ['/dialect 康巴', dialectChosen('khampa')],
  ['/dialect ཨ་མདོ', dialectChosen('amdo')],
  // The menu's own words.
  ['/dialect ཨ་མདོའི་ཡུལ་སྐད', dialectChosen('amdo')],
  ['/dialect in amdo.', dialectChosen('amdo')],
  ['/dialect 昌都话', dialectChosen('khampa')],
  ['/dialect དབུས་པའི་སྐད', dialectChosen('utsang')],
  ['/voice yunjian', voiceChosen('voice-yunjian')],
  ['/voice XiaoXiao', voiceChosen('voice-xiaoxiao')],
])('%s is taken', async (command, chosen) => {
  expect((await scene.ask(scene.newcomer(), command)).text).toBe(chosen);
});

it.each([
  ['/dialect', 'dialect-which', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], dialectChosen('amdo')],
  ['/dialect golok', 'dialect-unknown', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], dialectChosen('amdo')],
  ['/dialect chinese', 'dialect-unknown', ['✓ Ü-Tsang', 'Khampa', 'Amdo'], dialectChosen('amdo')],
  ['/voice', 'voice-which', ['✓ Xiaoxiao (woman)', 'Yunjian (man)'], voiceChosen('voice-yunjian')],
  ['/voice bob', 'voice-unknown', ['✓ Xiaoxiao (woman)', 'Yunjian (man)'], voiceChosen('voice-yunjian')],
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
  expect(answer.text).toBe(dialectChosen('khampa'));
});
