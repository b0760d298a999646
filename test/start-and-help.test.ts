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

/** A phone's bubble holds about so many Latin letters in a line; a Chinese character is as wide as two, a Tibetan mark has no width. */
const LINE = 38;
const SCREEN_LINES = 22;
const widthOf = (line: string) =>
  [...line].reduce((sum, letter) => {
    if (/\p{M}/u.test(letter)) return sum;
    if (/་/.test(letter)) return sum + 0.4;
    return sum + (/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(letter) ? 2 : 1);
  }, 0);

it.each<InterfaceLanguage>(['en', 'zh', 'bo'])(
  '/help in %s has bold headings, the dialects as its reader calls them, and fits on one screen of a phone',
  async (languageCode) => {
    const { text = '', entities = [] } = await scene.ask(scene.newcomer({ languageCode }), '/help');
    const bold = entities.filter(({ type }) => type === 'bold');
    const headings = bold.map(({ offset, length }) => text.slice(offset, offset + length));
    expect(headings).toHaveLength(6);
    for (const heading of headings) expect(text.split('\n')).toContain(heading);
    for (const variety of ['utsang', 'khampa', 'amdo', 'chinese'])
      expect(text).toContain(says(variety, languageCode));
    const lines = text.split('\n').map((line) => Math.ceil(widthOf(line) / LINE));
    expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(SCREEN_LINES);
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
