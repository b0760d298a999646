/** The menu of commands in each kind of chat, and the profile: what the bot registers of itself when it starts. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Chat } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { INTERFACE_LANGUAGES } from '../src/language/interface-language.ts';
import { says } from './phrases.ts';
import { useScene } from './shared-scene.ts';

/** Telegram keeps what it shows of a bot by two-letter codes; `zh` serves who reads traditional characters, too. */
const SHOWN = INTERFACE_LANGUAGES.filter((language) => language !== 'zh-Hant');

const OPERATOR = 5_000_777;
/** Has never written to the bot: Telegram knows no chat of theirs with it. */
const STRANGER = 5_000_778;

const scene = useScene({ env: { ADMIN_IDS: `${STRANGER},${OPERATOR}` } });
let operator: Person;
beforeAll(async () => {
  operator = scene.newcomer({ id: OPERATOR });
  const { world } = scene.telegram;
  // Once more: the operator's chat is there now.
  await scene.restart();
  await world.waitUntil(() => menu(operator.chat, operator).includes('stats'));
  await world.waitUntil(() => countOf('setMyShortDescription') >= SHOWN.length);
});

function menu(chat: Chat, person: Person): string[] {
  return scene.telegram.world.commandsFor(chat, person).map(({ command }) => command);
}

function countOf(method: string): number {
  return scene.telegram.calls.filter((call) => call.method === method && call.ok).length;
}

describe('the menu', () => {
  const BOTH = ['wylie', 'phonetics', 'settings', 'usage', 'cancel', 'help'];

  it('a private menu lists what people use, in that order', () => {
    expect(menu(scene.anna.chat, scene.anna)).toEqual(['speak', ...BOTH, 'privacy', 'forget']);
  });

  it('of a group has what only its admins may do for them alone', () => {
    const [admin, member] = [scene.newcomer(), scene.newcomer()];
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [member], admins: [admin] });
    const everybodys = ['translate', 'speak', 'ocr', ...BOTH, 'lang', 'dialect', 'voice'];
    expect(menu(group.chat, member)).toEqual(everybodys);
    expect(menu(group.chat, admin)).toEqual([...everybodys, 'listen', 'quota']);
  });

  it('a group’s menu shows personal commands to their person alone', () => {
    const { world } = scene.telegram;
    const hidden = (chat: Chat, person: Person) =>
      world.commandsFor(chat, person).flatMap(({ command, is_ephemeral }) => (is_ephemeral ? command : []));
    for (const languageCode of INTERFACE_LANGUAGES) {
      const [admin, member] = [scene.newcomer({ languageCode }), scene.newcomer({ languageCode })];
      const group = world.addGroup({ title: 'Readers', members: [member], admins: [admin] });
      for (const person of [admin, member])
        expect(hidden(group.chat, person).toSorted()).toEqual([
          ...['dialect', 'help', 'lang', 'settings', 'usage', 'voice'],
        ]);
      expect(hidden(member.chat, member)).toEqual([]);
    }
  });

  it('an operator’s menu stands in their private chat alone', () => {
    const own = ['stats', 'members', 'invite', 'allow', 'block', 'pause', 'resume'];
    expect(menu(operator.chat, operator)).toEqual([...menu(scene.anna.chat, scene.anna), ...own]);
    const { world } = scene.telegram;
    for (const language of SHOWN) {
      const commands = world.commands({ type: 'chat', chat_id: OPERATOR }, language === 'en' ? '' : language);
      const stats = commands.find(({ command }) => command === 'stats');
      expect(stats?.description).toBe(says('command-stats', language));
    }
    const group = world.addGroup({ title: 'Operators', members: [], admins: [operator] });
    expect(menu(group.chat, operator)).not.toContain('stats');
    const refused = scene.telegram.calls.filter(
      ({ method, errorCode }) => method === 'setMyCommands' && errorCode,
    );
    expect(refused.length).toBeGreaterThan(0);
    expect(scene.log()).not.toContain('registering the command menu failed');
  });

  it.each(SHOWN)('says in %s what every command does, shortly', (languageCode) => {
    const person = scene.newcomer({ languageCode });
    for (const { command, description } of scene.telegram.world.commandsFor(person.chat, person)) {
      expect(description).toBe(says(`command-${command}`, languageCode));
      expect(description.length).toBeLessThanOrEqual(60);
    }
  });
});

describe('the profile', () => {
  const given = (method: string) =>
    scene.telegram.calls.filter((call) => call.method === method && call.ok).map(({ payload }) => payload);

  it('describes the bot in each language, within what Telegram takes', () => {
    for (const language of SHOWN) {
      const code = language === 'en' ? '' : language;
      const inLanguage = ({ language_code = '' }: Record<string, unknown>) => language_code === code;
      const long = given('setMyDescription').find(inLanguage)?.description;
      const short = given('setMyShortDescription').find(inLanguage)?.short_description;
      expect(long).toBe(says('profile-description', language));
      expect(short).toBe(says('profile-short-description', language));
    }
  });

  it('is not set anew at every start', async () => {
    const { world } = scene.telegram;
    const [asked, set] = [countOf('getMyShortDescription'), countOf('setMyShortDescription')];
    await scene.restart();
    await world.waitUntil(() => countOf('getMyShortDescription') >= asked + SHOWN.length);
    await scene.ask(scene.anna, '/help');
    expect(countOf('setMyShortDescription')).toBe(set);
    expect(set).toBe(SHOWN.length);
  });
});
