/** Crowds in a group, and people there who are not who they seem. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../../sandbox/telegram/group.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { useStage } from '../faults/stage.ts';
import { hasTibetan, newChinese, says } from '../phrases.ts';

const MAX_MEMORY_MB = 500;

const scene = useStage({
  env: { DAILY_CALLS_PER_GROUP: '15', DAILY_CALLS_PER_USER: '50', ADMIN_IDS: '4242' },
});
let admin: Person;
beforeAll(() => {
  admin = scene.telegram.world.addPerson({ firstName: 'Admin', languageCode: 'en', id: 4242 });
});

const ofBot = (group: Group) => scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot);

let nextId = 1;
/** The bot gets this message, as Telegram would never have sent it. */
async function receives(message: object): Promise<void> {
  await scene.givesUpdates(JSON.stringify({ ok: true, result: [{ update_id: nextId++, message }] }));
  await scene.idle();
}

describe('a thousand people who chat', () => {
  let group: Group;
  let people: Person[];
  beforeAll(() => {
    people = Array.from({ length: 1000 }, () => scene.newcomer());
    group = scene.telegram.world.addGroup({
      title: 'Crowd',
      members: [...people, admin],
      admins: [admin],
      privacyMode: false,
    });
  });

  const chat = async () => {
    for (const person of people) person.send(group, { text: newChinese() });
    await scene.servesOthers();
    await scene.idle();
  };

  it('are let alone, and cost nothing, where the bot does not listen', async () => {
    const before = scene.service.paid().calls;
    await chat();
    expect(ofBot(group)).toEqual([]);
    expect(scene.service.paid().calls - before).toBe(1);
  });

  it('cost the group’s limit where it listens, and tell nobody', async () => {
    const { text } = await scene.answerTo(admin.send(group, { text: '/listen on' }));
    expect([says('listen-on'), says('listen-on-deaf')]).toContain(text);
    const before = scene.service.paid().calls;
    await chat();
    expect(scene.service.paid().calls - before).toBe(15 + 1);
    const said = ofBot(group).slice(1);
    expect(said.filter((message) => hasTibetan(message.text))).toHaveLength(said.length);
    expect(said.length).toBeLessThanOrEqual(15);
    expect(scene.peakMemoryMb()).toBeLessThan(MAX_MEMORY_MB);
  });
});

describe('what only some may do', () => {
  let eve: Person;
  let group: Group;
  beforeAll(() => {
    eve = scene.newcomer();
    group = scene.telegram.world.addGroup({
      title: 'Readers',
      type: 'supergroup',
      members: [eve, admin],
      admins: [admin],
    });
  });

  const command = (text: string, more: object = {}) => ({
    message_id: 800_000 + nextId,
    date: Math.floor(Date.now() / 1000),
    chat: group.chat,
    from: eve.user,
    text,
    entities: [{ type: 'bot_command', offset: 0, length: text.split(' ', 1)[0]?.length ?? 0 }],
    ...more,
  });
  const statsRefusal = (id: number) => says('stats-admins-only', 'en', { id: String(id) });
  const lastWord = () => ofBot(group).at(-1)?.text;

  it('an anonymous writer changes neither listening nor quota', async () => {
    const anonymous = { id: 1_087_968_824, is_bot: true, first_name: 'Group', username: 'GroupAnonymousBot' };
    const elsewhere = { id: -1_009_999_999_999, type: 'supergroup', title: 'Elsewhere' };
    const channel = { id: -1_008_888_888_888, type: 'channel', title: 'News' };
    const channelBot = { id: 136_817_688, is_bot: true, first_name: 'Channel' };
    for (const disguise of [
      { from: anonymous, sender_chat: elsewhere },
      { from: channelBot, sender_chat: channel },
      { from: admin.user, sender_chat: channel },
      { from: undefined },
      { from: anonymous },
    ]) {
      await receives(command('/listen on', disguise));
      expect(lastWord()).toBe(says('listen-admins-only'));
    }
    await receives(command('/listen'));
    expect(lastWord()).toBe(says('listen-is-off'));
  });

  it('the bot’s figures are only for its admins’ own messages', async () => {
    const sender_chat = { id: 4242, type: 'channel', title: 'x' };
    await receives(command('/stats', { from: undefined, sender_chat }));
    expect(lastWord()).toBe(statsRefusal(group.id));
  });
});

it.each(['/start lang-__proto__', `/start ${'x'.repeat(4000)}`, '/start forget:1'])(
  'a link to the bot that nobody made leads to the greeting: %s',
  async (text) => {
    expect((await scene.ask(scene.newcomer(), text)).text).toBe(says('start'));
  },
);
