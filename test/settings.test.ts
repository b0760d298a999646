/** /settings: one panel with every setting, changed in place. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { INTERFACE_LANGUAGES } from '../src/language/interface-language.ts';
import { buttonsOf, CHINESE, isVoice, newTibetan, says, TIBETAN } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene();

/** The data of a button in a person's panel. */
function button(person: Person, setting: string, value: string): string {
  return `set:${person.id}:${setting}:${value}`;
}

/** What stands on the marked buttons. */
function chosen({ reply_markup }: Message): string[] {
  const buttons = reply_markup?.inline_keyboard.flat() ?? [];
  return buttons.map(({ text }) => text).filter((text) => text.startsWith('✓ '));
}

function lastSpeech() {
  return scene.service.calls.findLast(({ kind }) => kind === 'speech')?.parameters;
}

it('shows every setting with its present value, marked on its buttons', async () => {
  const person = scene.newcomer();
  const panel = await scene.ask(person, '/settings');
  expect(panel.text).toBe(
    says('settings', 'en', {
      whose: says('settings-yours'),
      language: 'English',
      target: says('settings-target-auto'),
      reading: says('language-tibetan'),
      dialect: says('utsang'),
      voice: says('voice-xiaoxiao'),
      wylie: says('settings-wylie-off'),
      original: says('settings-original-off'),
      doubts: says('settings-doubts-on'),
      photo: says('settings-photo-read', 'en', { cost: '0.40' }),
    }),
  );
  expect(chosen(panel)).toEqual([
    '✓ 🌐 English',
    `✓ 🔁 ${says('settings-target-auto')}`,
    `✓ 👁 ${says('language-tibetan')}`,
    `✓ 🗣 ${says('utsang')}`,
    `✓ 🎙 ${says('voice-xiaoxiao')}`,
    `✓ 🔤 ${says('settings-wylie-off')}`,
    `✓ 📜 ${says('settings-original-off')}`,
    `✓ 🔎 ${says('settings-doubts-on')}`,
    `✓ 📷 ${says('settings-photo-read', 'en', { cost: '0.40' })}`,
  ]);
  for (const data of buttonsOf(panel)) expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
});

it('shows what was chosen with commands', async () => {
  const person = scene.newcomer();
  for (const command of ['/lang bo', '/tibetan', '/ocr zh', '/dialect amdo', '/voice yunjian']) {
    await scene.ask(person, command);
  }
  const panel = await scene.ask(person, '/settings');
  expect(chosen(panel)).toEqual([
    '✓ 🌐 བོད་ཡིག',
    `✓ 🔁 ${says('settings-target-tibetan', 'bo')}`,
    `✓ 👁 ${says('language-chinese', 'bo')}`,
    `✓ 🗣 ${says('amdo', 'bo')}`,
    `✓ 🎙 ${says('voice-yunjian', 'bo')}`,
    `✓ 🔤 ${says('settings-wylie-off', 'bo')}`,
    `✓ 📜 ${says('settings-original-off', 'bo')}`,
    `✓ 🔎 ${says('settings-doubts-on', 'bo')}`,
    `✓ 📷 ${says('settings-photo-read', 'bo', { cost: '0.40' })}`,
  ]);
});

describe('a press', () => {
  it.each([
    ['target', 'chinese', `🔁 ${says('settings-target-chinese')}`],
    ['reading', 'chinese', `👁 ${says('language-chinese')}`],
    ['dialect', 'khampa', `🗣 ${says('khampa')}`],
    ['voice', 'yunjian', `🎙 ${says('voice-yunjian')}`],
    ['wylie', 'on', `🔤 ${says('settings-wylie-on')}`],
    ['original', 'on', `📜 ${says('settings-original-on')}`],
    ['doubts', 'off', `🔎 ${says('settings-doubts-off')}`],
    ['photo', 'speak', `📷 ${says('settings-photo-speak', 'en', { cost: '1.20' })}`],
  ])('changes %s to %s in place, and nothing else', async (setting, value, label) => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    await person.press(panel, button(person, setting, value));
    const after = await scene.becomes(panel, ({ text }) => text !== panel.text);
    expect(chosen(after)).toContain(`✓ ${label}`);
    expect(chosen(after).filter((text) => !chosen(panel).includes(text))).toHaveLength(1);
    expect(buttonsOf(after)).toEqual(buttonsOf(panel));
    expect(await scene.everythingAfter(panel, person)).toEqual([]);
  });

  it.each(INTERFACE_LANGUAGES)('changes the panel itself into %s', async (language) => {
    const person = scene.newcomer({ languageCode: language === 'en' ? 'zh' : 'en' });
    const panel = await scene.ask(person, '/settings');
    await person.press(panel, button(person, 'language', language));
    const after = await scene.becomes(panel, ({ text }) => text !== panel.text);
    expect(after.text?.split('\n')[0]).toBe(says('settings-yours', language));
    expect((await scene.ask(person, '/help')).text).toBe(says('help', language));
  });

  it('holds for what is asked next', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    await person.press(panel, button(person, 'dialect', 'amdo'));
    await person.press(panel, button(person, 'voice', 'yunjian'));
    await person.press(panel, button(person, 'target', 'tibetan'));
    expect((await scene.ask(person, TIBETAN)).text).toBe(says('already-tibetan'));
    await scene.ask(person, `/speak ${TIBETAN} 501`, isVoice);
    expect(lastSpeech()?.lang).toBe(5);
    await scene.ask(person, `/speak ${CHINESE} 502`, isVoice);
    expect(lastSpeech()?.vcn).toBe('yunjian');
  });

  it('pressed twice is the same as once', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    for (let time = 0; time < 3; time += 1) await person.press(panel, button(person, 'wylie', 'on'));
    const after = await scene.becomes(panel, ({ text }) => text !== panel.text);
    expect(await scene.everythingAfter(panel, person)).toEqual([]);
    expect(scene.telegram.world.message(panel)).toEqual(after);
  });

  it('works after a restart', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    await scene.restart('SIGKILL');
    await person.press(panel, button(person, 'dialect', 'amdo'));
    const after = await scene.becomes(panel, ({ text }) => text !== panel.text);
    expect(chosen(after)).toContain(`✓ 🗣 ${says('amdo')}`);
  });

  it('on a panel that was deleted meanwhile brings a new one', async () => {
    const person = scene.newcomer();
    const panel = await scene.ask(person, '/settings');
    const pressed = person.press(panel, button(person, 'dialect', 'amdo'));
    person.deleteMessage(panel);
    await pressed;
    expect(chosen(await scene.answerTo(panel))).toContain(`✓ 🗣 ${says('amdo')}`);
  });
});

describe('in a group', () => {
  it('the panel is that of the person who asked; others alone are told, in their language, and change nothing', async () => {
    const [owner, other] = [scene.newcomer(), scene.newcomer({ languageCode: 'zh' })];
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [owner, other] });
    const panel = await scene.answerTo(owner.send(group, { text: '/settings' }));

    const told = await other.press(panel, button(owner, 'dialect', 'amdo'));
    expect(told).toEqual({ text: says('settings-not-yours', 'zh'), showAlert: true });
    expect(chosen(await scene.ask(other, '/settings'))).toContain(`✓ 🗣 ${says('utsang', 'zh')}`);
    expect(chosen(await scene.ask(owner, '/settings'))).toContain(`✓ 🗣 ${says('utsang')}`);
    expect(scene.telegram.world.messages(group).at(-1)).toEqual(panel);

    await owner.press(panel, button(owner, 'dialect', 'amdo'));
    await scene.becomes(panel, ({ text }) => text !== panel.text);
    expect(chosen(await scene.ask(owner, '/settings'))).toContain(`✓ 🗣 ${says('amdo')}`);
  });

  describe("an anonymous admin's panel is the group's", () => {
    const inCircle = () => {
      const [admin, member] = [scene.newcomer(), scene.newcomer()];
      const people = { members: [member], admins: [admin] };
      const group = scene.telegram.world.addGroup({ title: 'Circle', ...people, type: 'supergroup' });
      return { admin, member, group };
    };

    it('any of its admins changes it with a press, and not their own settings', async () => {
      const { admin, group } = inCircle();
      const panel = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/settings' }));
      await admin.press(panel, `set:${group.id}:wylie:on`);
      await scene.becomes(panel, (now) => chosen(now).includes(`✓ 🔤 ${says('settings-wylie-on')}`));
      await admin.press(panel, `set:${group.id}:dialect:amdo`);
      await scene.becomes(panel, (now) => chosen(now).includes(`✓ 🗣 ${says('amdo')}`));
      await scene.answerTo(group.sendAsAnonymousAdmin({ text: `/speak ${newTibetan()}` }), isVoice);
      expect(lastSpeech()?.lang).toBe(5);
      const own = chosen(await scene.ask(admin, '/settings'));
      expect(own).toContain(`✓ 🗣 ${says('utsang')}`);
      expect(own).toContain(`✓ 🔤 ${says('settings-wylie-off')}`);
    });

    it.each(INTERFACE_LANGUAGES)(
      'and says so above the settings, also after a press, in %s',
      async (language) => {
        const { admin, group } = inCircle();
        const headingOf = ({ text }: Message) => text?.split('\n')[0];
        const panel = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/settings' }));
        expect(headingOf(panel)).toBe(says('settings-group'));
        await admin.press(panel, `set:${group.id}:dialect:amdo`);
        await admin.press(panel, `set:${group.id}:language:${language}`);
        const after = await scene.becomes(
          panel,
          (now) => headingOf(now) === says('settings-group', language),
        );
        expect(after.text).toContain(says('amdo', language));
        const own = await scene.answerTo(admin.send(group, { text: '/settings' }));
        expect(headingOf(own)).toBe(says('settings-yours'));
      },
    );

    it('others are told why nothing changes', async () => {
      const { member, group } = inCircle();
      const panel = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/settings' }));
      const told = await member.press(panel, `set:${group.id}:dialect:amdo`);
      expect(told).toEqual({ text: says('settings-of-group'), showAlert: true });
      await scene.ask(member, '/help');
      expect(scene.telegram.world.messages(group).at(-1)).toEqual(panel);
    });

    it.each([
      ['/dialect', 'dialect:amdo', '🗣', 'amdo'],
      ['/voice', 'voice:yunjian', '🎙', 'voice-yunjian'],
      ['/ocr', 'reading:chinese', '👁', 'language-chinese'],
    ])('the buttons of %s are, too', async (command, data, icon, label) => {
      const { admin, member, group } = inCircle();
      const offer = await scene.answerTo(group.sendAsAnonymousAdmin({ text: command }));
      expect((await member.press(offer, `${data}:${group.id}`)).text).toBe(says('settings-of-group'));
      await admin.press(offer, `${data}:${group.id}`);
      await scene.becomes(offer, (now) => buttonsOf(now).length === 0);
      const panel = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/settings' }));
      expect(chosen(panel)).toContain(`✓ ${icon} ${says(label)}`);
      expect(chosen(await scene.ask(admin, '/settings'))).not.toContain(`✓ ${icon} ${says(label)}`);
    });
  });

  it('what one person is offered, another does not choose', async () => {
    const [owner, other] = [scene.newcomer(), scene.newcomer()];
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [owner, other] });
    const offer = await scene.answerTo(owner.send(group, { text: '/dialect' }));
    const told = await other.press(offer, `dialect:amdo:${owner.id}`);
    expect(told.text).toBe(says('settings-not-yours'));
    expect(scene.telegram.world.message(offer)).toEqual(offer);
    await owner.press(offer, `dialect:khampa:${owner.id}`);
    await scene.becomes(offer, (now) => buttonsOf(now).length === 0);
    expect(chosen(await scene.ask(owner, '/settings'))).toContain(`✓ 🗣 ${says('khampa')}`);
    expect(chosen(await scene.ask(other, '/settings'))).toContain(`✓ 🗣 ${says('utsang')}`);
  });
});
