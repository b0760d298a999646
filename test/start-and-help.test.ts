/** /start and /help, and the menu of commands. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { InterfaceLanguage } from '../src/language/interface-language.ts';
import { says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene;
beforeAll(async () => {
  scene = await startScene();
  await scene.telegram.world.waitUntil(
    () => scene.telegram.calls.filter(({ method, ok }) => method === 'setMyCommands' && ok).length >= 6,
  );
});
afterAll(() => scene.close());

it.each(['/start', '/START', '/start from-a-link', '/start@lotsawa_bot'])(
  '%s says who the bot is',
  async (command) => {
    expect((await scene.ask(scene.anna, command)).text).toBe(says('start'));
  },
);

it('/help names every command of the menu', async () => {
  const help = (await scene.ask(scene.anna, '/help')).text;
  const { world } = scene.telegram;
  for (const { command } of world.commandsFor(scene.anna.chat, scene.anna)) {
    if (!['start', 'help'].includes(command)) expect(help).toContain(`/${command}`);
  }
});

it.each<InterfaceLanguage>(['en', 'zh', 'bo'])(
  '/help in %s says what to type before a text in any chat: the bot’s username',
  async (languageCode) => {
    const { text } = await scene.ask(scene.newcomer({ languageCode }), '/help');
    expect(text).toContain(`@${scene.telegram.bot.username}`);
  },
);

it.each<InterfaceLanguage>(['en', 'zh', 'bo'])(
  'the menu is in %s for those who read it, in private and in groups',
  (language) => {
    const { world } = scene.telegram;
    const person = scene.newcomer({ languageCode: language });
    const group = world.addGroup({ title: 'Readers', members: [person] });
    for (const chat of [person.chat, group.chat]) {
      const menu = world.commandsFor(chat, person);
      expect(menu.length).toBeGreaterThan(5);
      for (const { command, description } of menu)
        expect(description).toBe(says(`command-${command}`, language));
    }
  },
);

it('the menu is in English for everybody else', () => {
  const person = scene.newcomer({ languageCode: 'fr' });
  const menu = scene.telegram.world.commandsFor(person.chat, person);
  expect(menu.find(({ command }) => command === 'speak')?.description).toBe(says('command-speak'));
});
