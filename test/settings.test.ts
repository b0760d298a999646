/** /settings: a button for each setting; a press opens its choices in the same message. */
import { beforeEach, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { INTERFACE_LANGUAGES, type InterfaceLanguage } from '../src/language/interface-language.ts';
import { buttonsOf, isVoice, labelsOf, newChinese, newTibetan, says, TIBETAN } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

/** What each language calls itself. */
const NAMES = { en: 'English', zh: '简体中文', 'zh-Hant': '繁體中文', bo: 'བོད་ཡིག' };

/** A setting with its value, as its button says it. */
function shown(setting: string, value: string, language?: InterfaceLanguage): string {
  return says(`settings-${setting}`, language, { value: says(value, language) });
}

/** Whether the panel, its choices closed, shows this. */
const shows = (label: string) => (now: Message) => labelsOf(now).includes(label);

async function opened(person: Person, panel: Message, setting: string, owner = person.id): Promise<Message> {
  await person.press(panel, `set:${owner}:${setting}`);
  return scene.becomes(panel, (now) => buttonsOf(now).includes(`set:${owner}`));
}

it.each(INTERFACE_LANGUAGES)(
  'shows every setting with its value on a screen of a phone, in %s',
  async (language) => {
    const person = scene.newcomer({ languageCode: language });
    const panel = await scene.ask(person, '/settings');
    expect(panel.text).toBe(says('settings-yours', language));
    expect(labelsOf(panel)).toEqual([
      says('settings-language', language, { value: NAMES[language] }),
      shown('target', 'settings-target-auto', language),
      shown('reading', 'language-tibetan', language),
      shown('dialect', 'utsang', language),
      shown('voice', 'voice-xiaoxiao', language),
      shown('wylie', 'settings-wylie-off', language),
      shown('original', 'settings-original-off', language),
      shown('doubts', 'settings-doubts-on', language),
      shown('photo', 'settings-photo-read', language),
      shown('spoken', 'settings-spoken-off', language),
    ]);
    const rows = panel.reply_markup?.inline_keyboard ?? [];
    for (const row of rows) expect(row).toHaveLength(1);
    // Some 46 px each, on a screen of 844 with Telegram's own bars.
    expect(rows.length).toBeLessThanOrEqual(13);
    for (const data of buttonsOf(panel)) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
  },
);

it('shows what was chosen with commands', async () => {
  const person = scene.newcomer();
  for (const command of ['/lang bo', '/tibetan', '/ocr zh', '/dialect amdo', '/voice yunjian']) {
    await scene.ask(person, command);
  }
  expect(labelsOf(await scene.ask(person, '/settings')).slice(0, 5)).toEqual([
    says('settings-language', 'bo', { value: NAMES.bo }),
    shown('target', 'settings-target-tibetan', 'bo'),
    shown('reading', 'language-chinese', 'bo'),
    shown('dialect', 'amdo', 'bo'),
    shown('voice', 'voice-yunjian', 'bo'),
  ]);
});

describe('a press', () => {
  it('opens the choices of a setting, the present one marked, and Back leads to all', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    const choices = await opened(person, panel, 'photo');
    expect(choices.text).toBe(`${says('settings-yours')}\n${shown('photo', 'settings-photo-read')}`);
    expect(labelsOf(choices)).toEqual([
      `✓ ${says('settings-photo-read')}`,
      says('settings-photo-translate'),
      says('settings-photo-speak'),
      says('button-back'),
    ]);
    await person.press(choices, `set:${person.id}`);
    await scene.becomes(
      panel,
      (now) => JSON.stringify(now.reply_markup) === JSON.stringify(panel.reply_markup),
    );
    expect(await scene.everythingAfter(panel, person)).toEqual([]);
  });

  it.each([
    ['target', 'chinese', 'settings-target-chinese'],
    ['reading', 'chinese', 'language-chinese'],
    ['dialect', 'khampa', 'khampa'],
    ['voice', 'yunjian', 'voice-yunjian'],
    ['wylie', 'on', 'settings-wylie-on'],
    ['original', 'on', 'settings-original-on'],
    ['doubts', 'off', 'settings-doubts-off'],
    ['photo', 'speak', 'settings-photo-speak'],
  ])('changes %s to %s in place, and nothing else', async (setting, value, label) => {
    const person = scene.newcomer();
    const before = labelsOf(await scene.ask(person, '/settings'));
    const after = await scene.set(person, setting, value);
    expect(labelsOf(after).filter((text) => !before.includes(text))).toEqual([shown(setting, label)]);
    expect(labelsOf(after)).toHaveLength(before.length);
    expect(await scene.everythingAfter(after, person)).toEqual([]);
  });

  it.each(INTERFACE_LANGUAGES)('changes the panel itself into %s', async (language) => {
    const person = scene.newcomer({ languageCode: language === 'en' ? 'zh' : 'en' });
    const after = await scene.set(person, 'language', language);
    expect(after.text).toBe(says('settings-yours', language));
    expect((await scene.ask(person, '/help')).text).toBe(says('help', language));
  });

  it('holds for what is asked next', async () => {
    const person = scene.newcomer();
    await scene.set(person, 'dialect', 'amdo');
    await scene.set(person, 'voice', 'yunjian');
    await scene.set(person, 'target', 'tibetan');
    expect((await scene.ask(person, TIBETAN)).text).toBe(says('already-tibetan'));
    await scene.ask(person, `/speak ${newTibetan()}`, isVoice);
    expect(scene.lastCall('speech')?.lang).toBe(5);
    await scene.ask(person, `/speak ${newChinese()}`, isVoice);
    expect(scene.lastCall('speech')?.vcn).toBe('yunjian');
  });

  it('pressed twice is the same as once', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    const choices = await opened(person, panel, 'wylie');
    const press = () => person.press(choices, `set:${person.id}:wylie:on`);
    await Promise.all([press(), press(), press()]);
    const after = await scene.becomes(panel, shows(shown('wylie', 'settings-wylie-on')));
    expect(await scene.everythingAfter(panel, person)).toEqual([]);
    expect(scene.telegram.world.message(panel)).toEqual(after);
  });

  it('on a panel that was deleted meanwhile brings a new one', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    const choices = await opened(person, panel, 'dialect');
    const pressed = person.press(choices, `set:${person.id}:dialect:amdo`);
    person.deleteMessage(panel);
    await pressed;
    expect(labelsOf(await scene.answerTo(panel))).toContain(shown('dialect', 'amdo'));
  });
});

describe('in a group', () => {
  it('the panel of settings answers its own person alone', async () => {
    const [owner, other] = [scene.newcomer(), scene.newcomer({ languageCode: 'zh' })];
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [owner, other] });
    const offer = await scene.answerTo(owner.send(group, { text: '/dialect' }));
    const panel = await scene.answerTo(owner.send(group, { text: '/settings' }));

    const notYours = { text: says('settings-not-yours', 'zh'), showAlert: true };
    expect(await other.press(offer, `dialect:amdo:${owner.id}`)).toEqual(notYours);
    expect(await other.press(panel, `set:${owner.id}:dialect`)).toEqual(notYours);
    const choices = await opened(owner, panel, 'dialect');
    expect(await other.press(choices, `set:${owner.id}:dialect:amdo`)).toEqual(notYours);
    expect(labelsOf(await scene.ask(other, '/settings'))).toContain(shown('dialect', 'utsang', 'zh'));
    expect(labelsOf(await scene.ask(owner, '/settings'))).toContain(shown('dialect', 'utsang'));
    const said = scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot);
    expect(said).toEqual([offer, choices]);

    await owner.press(choices, `set:${owner.id}:dialect:amdo`);
    await scene.becomes(panel, shows(shown('dialect', 'amdo')));
    expect(labelsOf(await scene.ask(owner, '/settings'))).toContain(shown('dialect', 'amdo'));
  });

  describe("an anonymous admin's panel is the group's", () => {
    let admin: Person;
    let member: Person;
    let group: Group;
    beforeEach(() => {
      [admin, member] = [scene.newcomer(), scene.newcomer()];
      const people = { members: [member], admins: [admin] };
      group = scene.telegram.world.addGroup({ title: 'Circle', ...people, type: 'supergroup' });
    });
    const say = (text: string) => scene.answerTo(group.sendAsAnonymousAdmin({ text }));
    const choose = async (panel: Message, setting: string, value: string) => {
      const choices = await opened(admin, panel, setting, group.id);
      await admin.press(choices, `set:${group.id}:${setting}:${value}`);
      return scene.becomes(panel, (now) => buttonsOf(now).includes(`set:${group.id}:${setting}`));
    };

    it('a group’s settings are changed by its admins alone', async () => {
      const panel = await say('/settings');
      const told = await member.press(panel, `set:${group.id}:dialect`);
      expect(told).toEqual({ text: says('settings-of-group'), showAlert: true });
      await scene.ask(member, '/help');
      expect(scene.telegram.world.messages(group).at(-1)).toEqual(panel);
      await choose(panel, 'wylie', 'on');
      const after = labelsOf(await choose(panel, 'dialect', 'amdo'));
      const chosen = [shown('wylie', 'settings-wylie-on'), shown('dialect', 'amdo')];
      expect(after).toEqual(expect.arrayContaining(chosen));
      expect(await say(`/speak ${newTibetan()}`)).toSatisfy(isVoice);
      expect(scene.lastCall('speech')?.lang).toBe(5);
      const own = labelsOf(await scene.ask(admin, '/settings'));
      for (const label of chosen) expect(own).not.toContain(label);
    });

    it.each(INTERFACE_LANGUAGES)(
      'and says so above the settings, also after a press, in %s',
      async (language) => {
        const panel = await say('/settings');
        expect(panel.text).toBe(says('settings-group'));
        await choose(panel, 'dialect', 'amdo');
        const after = await choose(panel, 'language', language);
        expect(after.text).toBe(says('settings-group', language));
        expect(labelsOf(after)).toContain(shown('dialect', 'amdo', language));
        const own = await scene.answerTo(admin.send(group, { text: '/settings' }));
        expect(own.text).toBe(says('settings-yours'));
      },
    );

    it.each([
      ['/dialect', 'dialect:amdo', 'dialect', 'amdo'],
      ['/voice', 'voice:yunjian', 'voice', 'voice-yunjian'],
      ['/ocr', 'reading:chinese', 'reading', 'language-chinese'],
    ])('the buttons of %s are, too', async (command, data, setting, label) => {
      const offer = await say(command);
      expect((await member.press(offer, `${data}:${group.id}`)).text).toBe(says('settings-of-group'));
      await admin.press(offer, `${data}:${group.id}`);
      await scene.becomes(offer, (now) => buttonsOf(now).length === 0);
      expect(labelsOf(await say('/settings'))).toContain(shown(setting, label));
      expect(labelsOf(await scene.ask(admin, '/settings'))).not.toContain(shown(setting, label));
    });
  });
});
