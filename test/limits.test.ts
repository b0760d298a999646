/** Limits: the calls of a day, for a person, a group and the whole bot; and what the bot says when they are reached. */
import { afterAll, describe, expect, it, vi } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import { buttonsOf, CHINESE, hasTibetan, newChinese, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

const bots = new Map<string, Promise<Scene>>();
afterAll(async () => {
  for (const bot of bots.values()) await (await bot).close();
});

/** One bot for each choice of settings; what a test uses up is that of its own people and groups. */
async function sceneWith(env: Record<string, string>): Promise<Scene> {
  const settings = JSON.stringify(env);
  const bot = bots.get(settings) ?? startScene({ env });
  bots.set(settings, bot);
  const scene = await bot;
  return { ...scene, anna: scene.newcomer() };
}

const THREE_CALLS = { DAILY_CALLS_PER_USER: '3', DAILY_CALLS_PER_GROUP: '3' };
const ONE_CALL = { DAILY_CALLS_PER_USER: '1', ADMIN_IDS: '42' };

/** What the refusal says before the time that is left. */
const tellsLimit = (which: string) => (message: Message) => {
  const args = { left: '1', limit: '1', hours: '…', minutes: '…' };
  const [beginning = ''] = says(`limit-${which}`, 'en', args).split('…');
  return message.text?.startsWith(beginning) === true;
};

describe('of many requests at once only as many are made as calls are left, and all are answered', () => {
  it('for a person', async () => {
    const { anna, answerTo, paidBy } = await sceneWith(THREE_CALLS);
    const paid = await paidBy(async () => {
      const asked = Array.from({ length: 10 }, (_, number) =>
        anna.send(anna.chat, { text: `第${number}句。` }),
      );
      const answers = await Promise.all(
        asked.map((message) =>
          answerTo(message, ({ reply_to_message: to }) => to?.message_id === message.message_id),
        ),
      );
      expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(3);
      expect(answers.filter(tellsLimit('person'))).toHaveLength(7);
    });
    expect(paid).toBe(3);
  });

  it('for a group, whose members ask side by side', async () => {
    const { telegram, newcomer, answerTo, paidBy } = await sceneWith(THREE_CALLS);
    // So few that a group takes an answer for each at once (groups-burst.test.ts).
    const members = Array.from({ length: 15 }, () => newcomer());
    const group = telegram.world.addGroup({ title: 'Readers', members });
    const paid = await paidBy(async () => {
      const answers = await Promise.all(
        members.map((member) => {
          const message = member.send(group, { text: `/tibetan ${newChinese()}` });
          return answerTo(message, ({ reply_to_message: to }) => to?.message_id === message.message_id);
        }),
      );
      expect(answers.filter(tellsLimit('group'))).toHaveLength(12);
    });
    expect(paid).toBe(3);
  });

  it('for the whole bot', async () => {
    const { newcomer, ask, paidBy } = await sceneWith({ DAILY_BUDGET_YUAN: '1.2' });
    const paid = await paidBy(async () => {
      const people = Array.from({ length: 20 }, () => newcomer());
      const answers = await Promise.all(people.map((person, number) => ask(person, `第${number}句。`)));
      expect(answers.filter(tellsLimit('bot'))).toHaveLength(17);
    });
    expect(paid).toBe(3);
  });
});

describe('where the calls of a group are used up', () => {
  it('who has some left is shown the way to the private chat', async () => {
    const { anna, answerTo, telegram } = await sceneWith(THREE_CALLS);
    const group = telegram.world.addGroup({ title: 'Readers', members: [], admins: [anna] });
    await answerTo(anna.send(group, { text: '/quota 1' }));
    await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    const refusal = await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    expect(refusal).toSatisfy(tellsLimit('group'));
    const [button] = refusal.reply_markup?.inline_keyboard.flat() ?? [];
    expect(button).toEqual({ text: says('button-private-chat'), url: 'https://t.me/lotsawa_bot' });
  });

  it('who has none left is not', async () => {
    const env = { DAILY_CALLS_PER_GROUP: '1', DAILY_CALLS_PER_USER: '1' };
    const { anna, answerTo, telegram } = await sceneWith(env);
    const group = telegram.world.addGroup({ title: 'Readers', members: [anna] });
    await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    const refusal = await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    expect(refusal).toSatisfy(tellsLimit('group'));
    expect(refusal.reply_markup).toBeUndefined();
  });
});

it('the answer says when it starts again, in the person’s language', async () => {
  const { newcomer, ask } = await sceneWith(ONE_CALL);
  const person = newcomer({ languageCode: 'zh' });
  await ask(person, newChinese());
  const refusal = await ask(person, newChinese());
  expect(refusal.text).toMatch(/UTC 时间 00:00 重新开始，距现在还有 \d+ 小时 \d+ 分钟/);
  // Their app shows it in their own time zone.
  const [time, ...more] = refusal.entities ?? [];
  expect(time).toMatchObject({ type: 'date_time', length: 'UTC 时间 00:00'.length, date_time_format: 't' });
  expect(more).toEqual([]);
  expect(time?.unix_time).toSatisfy((at: number) => at * 1000 > Date.now() && at % (24 * 60 * 60) === 0);
});

it('what is there already is given beyond the limit', async () => {
  const { anna, ask, paidBy } = await sceneWith(ONE_CALL);
  const text = newChinese();
  const first = await ask(anna, text);
  expect(await paidBy(async () => expect((await ask(anna, text)).text).toBe(first.text))).toBe(0);
});

it('a text that takes more calls than are left is not begun, and the answer says that some are', async () => {
  const { anna, answerTo, paidBy, telegram } = await sceneWith(ONE_CALL);
  const group = telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const long = anna.send(group, { text: '长'.repeat(3500) });
  const paid = await paidBy(async () => {
    const asked = anna.send(group, { text: '/tibetan@lotsawa_bot', replyTo: long });
    expect(await answerTo(asked)).toSatisfy(tellsLimit('person-few'));
  });
  expect(paid).toBe(0);
});

it('what is to be spoken or translated is not read, nor translated, when no call would be left for that', async () => {
  const { anna, answerTo, paidBy, telegram } = await sceneWith(ONE_CALL);
  const group = telegram.world.addGroup({ title: 'Readers', members: [anna] });
  const photo = await anna.sendPhoto(group, await aJpeg());
  const pictures = [{ bytes: await aJpeg() }, { bytes: await aJpeg(), caption: '/chinese@lotsawa_bot' }];
  const paid = await paidBy(async () => {
    const requests = [
      ...(await anna.sendAlbum(group, pictures)).slice(-1),
      anna.send(group, { text: '/speak@lotsawa_bot', replyTo: photo }),
      anna.send(group, { text: `/speak@lotsawa_bot amdo ${newChinese()}` }),
    ];
    for (const request of requests) expect(await answerTo(request)).toSatisfy(tellsLimit('person-few'));
  });
  expect(paid).toBe(0);
});

it('who waited for somebody without calls left is served on their own account', async () => {
  const { anna, newcomer, ask, answerTo } = await sceneWith(ONE_CALL);
  await ask(anna, newChinese());
  const other = newcomer();
  const [, served] = await Promise.all([
    answerTo(anna.send(anna.chat, { text: '同一句话。' })),
    answerTo(other.send(other.chat, { text: '同一句话。' })),
  ]);
  expect(hasTibetan(served.text)).toBe(true);
});

it('admins are not limited, and their calls are counted', async () => {
  const { newcomer, ask } = await sceneWith(ONE_CALL);
  const admin = newcomer({ id: 42 });
  for (const text of ['一。', '二。', '三。']) expect(hasTibetan((await ask(admin, text)).text)).toBe(true);
  const usage = await ask(admin, '/usage');
  expect(usage.text).toContain('today: 3 · 1.20 yuan');
  expect(usage.text).not.toContain(says('for-free'));
  expect(usage.text).toContain(says('usage-unlimited'));
});

it('/usage counts a person in calls, says what is left and what was saved, and that it is free', async () => {
  const { anna, ask } = await sceneWith(THREE_CALLS);
  const asked = newChinese();
  await ask(anna, asked);
  await ask(anna, asked);
  const { text } = await ask(anna, '/usage');
  expect(text).toContain('today: 1 of your 3');
  expect(text).toContain('this month: 1\n');
  expect(text).toContain('without a call: 1\n');
  expect(text).toContain(says('left-person', 'en', { left: '2', limit: '3' }));
  expect(text).toContain(says('for-free'));
  expect(text).not.toContain('yuan');
});

it('/usage tells when the whole bot has less left than the person, and when it starts again', async () => {
  const { newcomer, ask } = await sceneWith({ DAILY_BUDGET_YUAN: '0.8', ADMIN_IDS: '42' });
  const [person, other] = [newcomer(), newcomer()];
  await ask(other, newChinese());
  expect((await ask(person, '/usage')).text).toContain(says('left-everybody', 'en', { left: '1' }));
  await ask(other, newChinese());
  const { text } = await ask(person, '/usage');
  expect(text).toContain(says('left-person', 'en', { left: '100', limit: '100' }));
  expect(text).toContain(says('left-everybody', 'en', { left: '0' }));
  expect(text).toMatch(/The count starts again at 00:00 UTC, in \d+ h \d+ min\./);
  // No limit applies to admins.
  expect((await ask(newcomer({ id: 42 }), '/usage')).text).toContain(says('usage-unlimited'));
});

it('a channel, which is no person, has the calls of a group', async () => {
  const { newcomer, telegram } = await sceneWith(ONE_CALL);
  const owner = newcomer();
  const channel = telegram.world.addChannel({ title: 'News', admins: [owner] });
  const post = (text: string) => {
    const { message_id: id } = owner.send(channel, { text });
    return telegram.world.waitForMessage(channel, ({ reply_to_message: to }) => to?.message_id === id);
  };
  await post('/listen on');
  for (const text of [newChinese(), newChinese()]) expect((await post(text)).text).toSatisfy(hasTibetan);
  const left = says('left-group', 'en', { chat: 'channel', left: '298', limit: '300' });
  expect((await post('/usage')).text).toContain(left);
});

describe('/quota', () => {
  it('is set by the admins of a group, anonymous ones too, and holds from then on', async () => {
    const { anna, newcomer, telegram, answerTo } = await sceneWith({ DAILY_CALLS_PER_GROUP: '10' });
    const owner = newcomer();
    const group = telegram.world.addGroup({
      title: 'Readers',
      members: [anna],
      admins: [owner],
      type: 'supergroup',
    });
    const say = (text: string) => answerTo(owner.send(group, { text }));
    expect((await answerTo(anna.send(group, { text: '/quota 5' }))).text).toBe(says('quota-admins-only'));
    expect((await say('/quota 1')).text).toContain('has 1 call a day; 1 left today');
    expect(await answerTo(anna.send(group, { text: `/tibetan ${'长'.repeat(3500)}` }))).toSatisfy(
      tellsLimit('group-few'),
    );
    await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }), ({ text }) => hasTibetan(text));
    expect(await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }))).toSatisfy(
      tellsLimit('group'),
    );
    const { text: usage } = await answerTo(anna.send(group, { text: '/usage' }));
    expect(usage).toContain(says('left-person', 'en', { left: '99', limit: '100' }));
    expect(usage).toContain(says('left-group', 'en', { left: '0', limit: '1' }));
    expect((await answerTo(group.sendAsAnonymousAdmin({ text: '/quota 2' }))).text).toContain(
      'has 2 calls a day',
    );
    expect((await say('/quota off')).text).toContain('has 10 calls a day');
  });

  it('0 lets the group pay for nothing, and nobody is told to wait for tomorrow', async () => {
    const { anna, newcomer, telegram, answerTo } = await sceneWith({ DAILY_CALLS_PER_GROUP: '10' });
    const owner = newcomer();
    const group = telegram.world.addGroup({ title: 'Readers', members: [anna], admins: [owner] });
    await answerTo(owner.send(group, { text: '/quota 0' }));
    const { text } = await answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    expect(text).toBe(says('limit-group-none'));
  });

  it.each(['-1', 'abc', '1.5', '11', '1e3', '99999999999', '５'])(
    '%s gets a clear answer and changes nothing',
    async (word) => {
      const { newcomer, telegram, answerTo } = await sceneWith({ DAILY_CALLS_PER_GROUP: '10' });
      const owner = newcomer();
      const group = telegram.world.addGroup({ title: 'Readers', members: [], admins: [owner] });
      const say = (text: string) => answerTo(owner.send(group, { text }));
      expect((await say(`/quota ${word}`)).text).toBe(says('quota-wrong', 'en', { most: '10' }));
      expect((await say('/quota')).text).toContain('has 10 calls a day');
    },
  );

  it('is not for private chats', async () => {
    const { anna, ask } = await sceneWith({ DAILY_CALLS_PER_GROUP: '10' });
    expect((await ask(anna, '/quota 5')).text).toBe(says('quota-groups-only'));
  });
});

describe('/stats', () => {
  it('gives admins the figures of today against the budget, and a bar for each of 14 days', async () => {
    const { anna, newcomer, ask } = await sceneWith({ ADMIN_IDS: '42', DAILY_BUDGET_YUAN: '8' });
    await ask(anna, CHINESE);
    await ask(anna, CHINESE);
    const admin = newcomer({ id: 42 });
    // A call is settled, and a saved one noted, a moment after its answer.
    const { text = '', entities } = await vi.waitFor(async () => {
      const stats = await ask(admin, '/stats');
      expect(stats.text).not.toContain('perhaps charged');
      expect(stats.text).toContain('   1     1     1  saved');
      return stats;
    }, 60_000);
    const [{ type, offset = 0, length = 0 } = {}] = entities ?? [];
    expect(type).toBe('pre');
    const table = text.slice(offset, offset + length).split('\n');
    expect(table).toEqual([
      '   1     7    30  days',
      '   1     1     1  calls',
      '0.40  0.40  0.40  yuan',
      '   0     0     0  photos',
      '   1     1     1  texts',
      '   0     0     0  speech',
      '   1     1     1  saved',
      '  50    50    50  % saved',
      '   1              people',
      '   0              groups',
      '▁▁▁▁▁▁▁▁▁▁▁▁▁█  14 days',
    ]);
    expect(text).toMatch(/^Lotsawa \d+\.\d+\.\d+\nToday: 0\.40 of 8\.00 yuan spent \(5 %\)\n/);
    expect(text).toContain('Requests given up: 0');
  });

  it('is for admins alone; whoever is none yet learns the number to set', async () => {
    const { anna, ask } = await sceneWith({ ADMIN_IDS: '42' });
    const refusal = await ask(anna, '/stats');
    expect(refusal.text).toBe(says('stats-admins-only', 'en', { id: String(anna.user.id) }));
    expect(buttonsOf(refusal)).toEqual([]);
  });
});
