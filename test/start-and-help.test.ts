/** /start and /help, and the menu of commands. */
import { beforeAll, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import type { Person } from '../sandbox/telegram/person.ts';
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../src/language/interface-language.ts';
import { buttonsOf, hasChinese, hasTibetan, isAnswer, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeAll(async () => {
  await scene.telegram.world.waitUntil(
    () => scene.telegram.calls.filter(({ method, ok }) => method === 'setMyCommands' && ok).length >= 6,
  );
});

it.each(['/start', '/START', '/start from-a-link', '/start@lotsawa_bot'])(
  '%s says who the bot is',
  async (command) => {
    expect((await scene.ask(scene.anna, command)).text).toBe(says('start'));
  },
);

describe('the buttons under /start', () => {
  it.each<InterfaceLanguage>(['zh', 'zh-Hant', 'bo'])(
    'offer a photo to try, and each language, and turn the greeting into %s where it stands',
    async (language) => {
      const person = scene.newcomer();
      const greeting = await scene.ask(person, '/start');
      const languages = INTERFACE_LANGUAGES.map((each) => `start:${each}`);
      expect(buttonsOf(greeting)).toEqual(['sample', 'other', ...languages]);
      await person.press(greeting, `start:${language}`);
      const turned = await scene.becomes(greeting, ({ text }) => text === says('start', language));
      expect(buttonsOf(turned)).toEqual(buttonsOf(greeting));
      expect((await scene.ask(person, '/help')).text).toBe(says('help', language));
    },
  );

  it('show one photo, however often its reading is tried', async () => {
    const { faults } = scene.service;
    const person = scene.newcomer();
    const greeting = await scene.ask(person, '/start');
    faults.set('recognition', 'undocumented-error');
    await person.press(greeting, 'sample');
    const failed = await scene.answerTo(greeting, ({ text }) => text === says('failure-unavailable'));
    faults.clear();
    await person.press(failed, says('button-try-again'));
    await scene.answerTo(failed, ({ text }) => hasTibetan(text));
    const answers = (await scene.everythingAfter(greeting, person)).filter(isAnswer);
    expect(answers.map(({ photo }) => photo !== undefined)).toEqual([true, false]);
  });

  it('the greeting shows a photo and its text, read once', async () => {
    const tryPhoto = async (person: Person) => {
      const greeting = await scene.ask(person, '/start');
      await person.press(greeting, 'sample');
      const photo = await scene.answerTo(greeting, (message) => message.photo !== undefined);
      const reading = await scene.answerTo(photo);
      expect(reading.reply_to_message?.message_id).toBe(photo.message_id);
      expect(hasTibetan(reading.text)).toBe(true);
      return reading;
    };
    const person = scene.newcomer();
    const first = await tryPhoto(person);
    const paid = await scene.paidBy(async () => {
      await scene.restart();
      expect((await tryPhoto(scene.newcomer())).text).toBe(first.text);
    });
    expect(paid).toBe(0);
    // Its buttons find the photo as anybody's.
    await person.press(first, says('button-read-chinese'));
    expect(hasChinese((await scene.answerTo(first)).text)).toBe(true);
  });
});

/** Latin letters that fit a line of a phone's bubble, about; a Chinese character is as wide as two, a Tibetan mark has no width. */
const LINE = 38;
const SCREEN_LINES = 22;
const widthOf = (line: string) =>
  [...line].reduce((sum, letter) => {
    if (/\p{M}/u.test(letter)) return sum;
    if (/་/.test(letter)) return sum + 0.4;
    return sum + (/[\p{Script=Han}\u3000-\u303f\uff00-\uffef]/u.test(letter) ? 2 : 1);
  }, 0);

it.each(INTERFACE_LANGUAGES)('/help in %s lists all commands and fits on a phone', async (languageCode) => {
  const person = scene.newcomer({ languageCode });
  const { text = '', entities = [] } = await scene.ask(person, '/help');
  for (const { command } of scene.telegram.world.commandsFor(person.chat, person))
    if (!['start', 'help'].includes(command)) expect(text).toContain(`/${command}`);
  expect(text).toContain(`@${scene.telegram.bot.username}`);
  const bold = entities.filter(({ type }) => type === 'bold');
  const headings = bold.map(({ offset, length }) => text.slice(offset, offset + length));
  expect(headings).toHaveLength(6);
  for (const heading of headings) expect(text.split('\n')).toContain(heading);
  for (const variety of ['utsang', 'khampa', 'amdo', 'chinese'])
    expect(text).toContain(says(variety, languageCode));
  const lines = text.split('\n').map((line) => Math.ceil(widthOf(line) / LINE));
  expect(lines.reduce((sum, count) => sum + count, 0)).toBeLessThanOrEqual(SCREEN_LINES);
});

it.each<[string, InterfaceLanguage]>([
  ['en', 'en'],
  ['zh', 'zh'],
  // Telegram keeps menus by two-letter codes.
  ['zh-Hant', 'zh'],
  ['bo', 'bo'],
  // Everybody else.
  ['fr', 'en'],
])('for those who read %s the menu is in %s, in private and in groups', (languageCode, language) => {
  const { world } = scene.telegram;
  const person = scene.newcomer({ languageCode });
  const group = world.addGroup({ title: 'Readers', members: [person] });
  for (const chat of [person.chat, group.chat]) {
    const menu = world.commandsFor(chat, person);
    expect(menu.length).toBeGreaterThan(5);
    for (const { command, description } of menu)
      expect(description).toBe(says(`command-${command}`, language));
  }
});

it('/privacy names the release that package.json names', async () => {
  const { text } = await scene.ask(scene.newcomer(), '/privacy');
  expect(text?.endsWith(`\n\nLotsawa ${manifest.version}`)).toBe(true);
});
