/** /listen: a group's admins have every Tibetan or Chinese text there translated. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  SPEAK_BUTTONS,
  SPELLING_BUTTONS,
  says,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let owner: Person;
let pema: Person;
beforeAll(async () => {
  [owner, pema] = [scene.newcomer(), scene.newcomer()];
});

function newGroup(privacyMode = false): Group {
  const members = { members: [pema], admins: [owner] };
  return scene.telegram.world.addGroup({ title: 'Readers', type: 'supergroup', privacyMode, ...members });
}

const textsAfter = async (message: Message, person: Person) =>
  (await scene.everythingAfter(message, person)).map(({ text }) => text);

describe('a group that the bot listens to', () => {
  let group: Group;
  beforeAll(async () => {
    group = newGroup();
    group.promote(group.bot);
    expect((await scene.answerTo(owner.send(group, { text: '/listen on' }))).text).toBe(says('listen-on'));
  });

  it('has every text translated, as a reply, both ways', async () => {
    const tibetan = pema.send(group, { text: newTibetan() });
    const answer = await scene.answerTo(tibetan);
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer.reply_to_message?.message_id).toBe(tibetan.message_id);
    expect((await scene.answerTo(pema.send(group, { text: newChinese() }))).text).toSatisfy(hasTibetan);
  });

  it('a listening group’s answers are compact, with the rest a press away', async () => {
    const answer = await scene.answerTo(pema.send(group, { text: newChinese() }));
    expect(buttonsOf(answer)).toEqual(['more']);
    const paid = await scene.paidBy(async () => {
      await owner.press(answer, 'more');
      const unfolded = await scene.becomes(answer, (now) => buttonsOf(now).length > 1);
      expect(buttonsOf(unfolded)).toEqual([...SPEAK_BUTTONS, 'copy', ...SPELLING_BUTTONS]);
    });
    expect(paid).toBe(0);
    await owner.press(answer, 'speak:amdo');
    expect(numberOf((await scene.answerTo(answer, isVoice)).caption)).toBe(numberOf(answer.text));
  });

  it('has an anonymous admin’s texts and the linked channel’s posts translated', async () => {
    const anonymous = group.sendAsAnonymousAdmin({ text: newTibetan() });
    expect((await scene.answerTo(anonymous)).text).toSatisfy(hasChinese);
    const { world } = scene.telegram;
    const linked = { discussion: group, botIsAdmin: false };
    const channel = world.addChannel({ title: 'News', admins: [owner], ...linked });
    const { text } = owner.send(channel, { text: newTibetan() });
    const post = await world.waitForMessage(group, (message) => message.text === text);
    expect((await scene.answerTo(post)).text).toSatisfy(hasChinese);
  });

  it('a listening group hears nothing of other languages and failures', async () => {
    const first = pema.send(group, { text: 'hello' });
    await pema.sendPhoto(group, await aJpeg());
    pema.send(group, { text: `/say@other_bot ${newTibetan()}` });
    scene.service.faults.next('translation', 'undocumented-error');
    pema.send(group, { text: newTibetan() });
    expect(await textsAfter(first, pema)).toEqual([]);
  });

  it('is not told that a text is in the language that its writer chose', async () => {
    const chooser = scene.newcomer();
    group.add(chooser);
    await scene.ask(chooser, '/tibetan');
    expect((await scene.answerTo(chooser.send(group, { text: newTibetan() }))).text).toSatisfy(hasChinese);
  });

  it('is listened to after a restart, and no more after /listen off', async () => {
    await scene.restart();
    expect((await scene.answerTo(pema.send(group, { text: newTibetan() }))).text).toSatisfy(hasChinese);
    const off = await scene.answerTo(owner.send(group, { text: '/listen off' }));
    expect(off.text).toBe(says('listen-off'));
    expect(await textsAfter(pema.send(group, { text: newTibetan() }), pema)).toEqual([]);
  });
});

describe('/listen', () => {
  it('is for admins, anonymous ones included', async () => {
    const group = newGroup();
    expect((await scene.answerTo(pema.send(group, { text: '/listen on' }))).text).toBe(
      says('listen-admins-only'),
    );
    expect(await textsAfter(pema.send(group, { text: newTibetan() }), pema)).toEqual([]);
    await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/listen on' }));
    expect((await scene.answerTo(pema.send(group, { text: newTibetan() }))).text).toSatisfy(hasChinese);
  });

  it('/listen is for groups, and tells any member alone', async () => {
    expect((await scene.ask(pema, '/listen on')).text).toBe(says('listen-groups-only'));
    const group = newGroup();
    const say = async (text: string, person = owner) =>
      (await scene.answerTo(person.send(group, { text }))).text;
    for (const word of ['yes', 'on off', '1', '开'])
      expect(await say(`/listen ${word}`)).toBe(says('listen-wrong'));
    expect(await say('/listen', pema)).toBe(says('listen-is-off'));
    await say('/listen on');
    expect(await say('/listen', pema)).toBe(says('listen-on-deaf'));
  });

  it('skip leaves a member’s texts alone where the bot listens, until /listen me', async () => {
    const group = newGroup();
    const say = async (person: Person, text: string) =>
      (await scene.answerTo(person.send(group, { text }))).text;
    await say(owner, '/listen on');
    expect(await say(pema, '/listen skip')).toBe(says('listen-skip'));
    expect(await textsAfter(pema.send(group, { text: newTibetan() }), pema)).toEqual([]);
    expect(await say(owner, newTibetan())).toSatisfy(hasChinese);
    expect(await say(pema, `@${scene.telegram.bot.username} ${newTibetan()}`)).toSatisfy(hasChinese);
    expect(await say(pema, '/listen me')).toBe(says('listen-me'));
    expect(await say(pema, newTibetan())).toSatisfy(hasChinese);
  });

  it('takes one press under the welcome, of an admin', async () => {
    const members = { members: [pema], admins: [owner], botIsMember: false };
    const group = scene.telegram.world.addGroup({ title: 'Readers', type: 'supergroup', ...members });
    group.addBot(owner, true);
    const welcome = await scene.telegram.world.waitForMessage(group, ({ text }) => text === says('welcome'));
    const [listen = ''] = buttonsOf(welcome);
    expect((await pema.press(welcome, listen)).text).toBe(says('listen-admins-only'));
    await owner.press(welcome, listen);
    await scene.becomes(welcome, ({ text }) => text === says('listen-on'));
    expect((await scene.answerTo(pema.send(group, { text: newTibetan() }))).text).toSatisfy(hasChinese);
  });

  it('a group’s link under /start makes the bot an admin silently', async () => {
    const start = await scene.ask(owner, '/start');
    await scene.answerTo(start, isVoice);
    const links = start.reply_markup?.inline_keyboard.flat().flatMap(({ url }) => url ?? []);
    expect(links).toEqual(['https://t.me/lotsawa_bot?startgroup=listen&admin=manage_chat']);
    const members = { members: [pema], admins: [owner], botIsMember: false };
    const { world } = scene.telegram;
    const groups = (['group', 'supergroup'] as const).map((type) =>
      world.addGroup({ title: 'Readers', type, privacyMode: true, ...members }),
    );
    for (const group of groups) {
      group.addBot(owner, true);
      group.promote(group.bot, owner);
      const added = owner.send(group, { text: '/start@lotsawa_bot listen' });
      expect((await scene.answerTo(added)).text).toBe(says('listen-on'));
      const text = pema.send(group, { text: newTibetan() });
      expect((await scene.answerTo(text)).text).toSatisfy(hasChinese);
    }
    // A group that is added only now is welcomed after as long.
    const other = world.addGroup({ title: 'Others', ...members });
    other.addBot(owner);
    await world.waitForMessage(other, ({ text }) => text === says('welcome'));
    for (const group of groups) {
      const said = world.messages(group).filter(({ from, text }) => from?.is_bot && text !== undefined);
      expect(said).toHaveLength(2);
    }
  });

  it('warns where Telegram hides plain texts from the bot, until it is made an admin', async () => {
    const group = newGroup(true);
    const on = await scene.answerTo(owner.send(group, { text: '/listen on' }));
    expect(on.text).toBe(says('listen-on-deaf'));
    group.promote(group.bot);
    expect((await scene.answerTo(on)).text).toBe(says('listen-hears'));
    expect((await scene.answerTo(pema.send(group, { text: '/listen' }))).text).toBe(says('listen-is-on'));
    expect((await scene.answerTo(owner.send(group, { text: '/listen on' }))).text).toBe(says('listen-on'));
    expect((await scene.answerTo(pema.send(group, { text: newTibetan() }))).text).toSatisfy(hasChinese);
    // Where nobody wants it to listen, it says nothing.
    const quiet = newGroup(true);
    const last = await scene.answerTo(owner.send(quiet, { text: '/help' }));
    quiet.promote(quiet.bot);
    expect(await textsAfter(last, owner)).toEqual([]);
  });
});
