/** Links into the bot: t.me/bot?start=… and ?startgroup=…, as the messages that Telegram makes of them. */
import { expect, it } from 'vitest';
import { INTERFACE_LANGUAGES } from '../src/language/interface-language.ts';
import { buttonsOf, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each([
  ['help', 'help'],
  ['HELP', 'help'],
  ['friend-17', 'start'],
  ['lang-klingon', 'start'],
])('?start=%s leads to /%s', async (payload, id) => {
  expect((await scene.ask(scene.newcomer(), `/start ${payload}`)).text).toBe(says(id));
});

it('?start=settings leads to the panel, ?start=privacy to /privacy', async () => {
  const person = scene.newcomer();
  const panel = await scene.ask(person, '/start settings');
  expect(buttonsOf(panel)).toContain(`set:${person.id}:dialect`);
  const privacy = (await scene.ask(person, '/privacy')).text;
  expect((await scene.ask(person, '/start privacy')).text).toBe(privacy);
});

it.each(INTERFACE_LANGUAGES)('?start=lang-%s greets in that language, and keeps to it', async (language) => {
  const person = scene.newcomer({ languageCode: 'fr' });
  expect((await scene.ask(person, `/start lang-${language}`)).text).toBe(says('start', language));
  expect((await scene.ask(person, '/help')).text).toBe(says('help', language));
});

it('a group’s link adds the bot, and its start says the rest', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  const added = person.send(group, { text: '/start@lotsawa_bot true' });
  expect(await scene.everythingAfter(added, person)).toEqual([]);
  const asked = person.send(group, { text: '/start@lotsawa_bot help' });
  expect((await scene.answerTo(asked)).text).toBe(says('help'));
  expect((await scene.answerTo(person.send(group, { text: '/start@lotsawa_bot' }))).text).toBe(
    says('welcome'),
  );
});
