/** Limits: the calls of a day, for a person, a group and the whole bot; and what the bot says when they are reached. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  CHINESE,
  hasChinese,
  hasTibetan,
  isAnswer,
  isReplyTo,
  newChinese,
  newTibetan,
  says,
} from './phrases.ts';
import { aJpeg, sendPhotos } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const ADMIN = 42;

/** Whether a message says that this limit is reached. */
const tellsLimit =
  (which: string, args = {}) =>
  ({ text }: Message) =>
    text?.startsWith(says(`limit-${which}`, 'en', args)) === true;

describe('three calls a person, ten a group', () => {
  const scene = useScene({
    env: { DAILY_CALLS_PER_USER: '3', DAILY_CALLS_PER_GROUP: '10', ADMIN_IDS: String(ADMIN) },
  });

  const groupOf = (members: Person[], admins: Person[] = []) =>
    scene.telegram.world.addGroup({ title: 'Readers', members, admins, type: 'supergroup' });

  /** Somebody with this number of calls left. */
  async function whoHasLeft(calls: 0 | 1, languageCode = 'en'): Promise<Person> {
    const person = scene.newcomer({ languageCode });
    for (let spent = calls; spent < 3; spent += 1) await scene.ask(person, newChinese());
    return person;
  }

  const answerTo = (message: Message) =>
    scene.answerTo(message, (answer) => isAnswer(answer) && isReplyTo(message)(answer));

  it('of ten requests of a person at once three are made, and all are answered', async () => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      const asked = Array.from({ length: 10 }, () => person.send(person.chat, { text: newChinese() }));
      const answers = await Promise.all(asked.map(answerTo));
      expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(3);
      expect(answers.filter(tellsLimit('person'))).toHaveLength(7);
    });
    expect(paid).toBe(3);
  });

  it('of fifteen in a group, whose members ask side by side, ten are made', async () => {
    // So few that a group takes an answer for each at once (groups-burst.test.ts).
    const members = Array.from({ length: 15 }, () => scene.newcomer());
    const group = groupOf(members);
    const paid = await scene.paidBy(async () => {
      const asked = members.map((member) => member.send(group, { text: `/tibetan ${newChinese()}` }));
      const answers = await Promise.all(asked.map(answerTo));
      expect(answers.filter(tellsLimit('group'))).toHaveLength(5);
    });
    expect(paid).toBe(10);
  });

  it('a group without calls left points to the private chat', async () => {
    const person = scene.newcomer();
    const group = groupOf([], [person]);
    await scene.answerTo(person.send(group, { text: '/quota 1' }));
    const ask = () => scene.answerTo(person.send(group, { text: `/tibetan ${newChinese()}` }));
    await ask();
    const refusal = await ask();
    expect(refusal).toSatisfy(tellsLimit('group'));
    expect(refusal.reply_markup?.inline_keyboard).toEqual([
      [{ text: says('button-private-chat'), url: 'https://t.me/lotsawa_bot' }],
    ]);
  });

  it('the answer says when it starts again, in the person’s language', async () => {
    const refusal = await scene.ask(await whoHasLeft(0, 'zh'), newChinese());
    expect(refusal.text).toMatch(/UTC 时间 00:00 重新开始，距现在还有 \d+ 小时 \d+ 分钟/);
    // Their app shows it in their own time zone.
    const [time, ...more] = refusal.entities ?? [];
    expect(time).toMatchObject({ type: 'date_time', length: 'UTC 时间 00:00'.length, date_time_format: 't' });
    expect(more).toEqual([]);
    expect(time?.unix_time).toSatisfy((at: number) => at * 1000 > Date.now() && at % (24 * 60 * 60) === 0);
  });

  it('what is there already is given beyond the limit', async () => {
    const text = newChinese();
    const first = await scene.ask(scene.anna, text);
    const person = await whoHasLeft(0);
    expect(
      await scene.paidBy(async () => expect((await scene.ask(person, text)).text).toBe(first.text)),
    ).toBe(0);
  });

  it('a request beyond the day’s rest is not begun', async () => {
    const person = await whoHasLeft(1);
    const group = groupOf([person]);
    const send = (text: string, replyTo?: Message) =>
      person.send(group, { text, ...(replyTo && { replyTo }) });
    const photo = await person.sendPhoto(group, await aJpeg());
    const [, last = photo] = await sendPhotos(person, group, 2, '', '/chinese@lotsawa_bot');
    const paid = await scene.paidBy(async () => {
      const requests = [
        send('/tibetan@lotsawa_bot', send('长'.repeat(3500))),
        last,
        send('/speak@lotsawa_bot', photo),
        send(`/speak@lotsawa_bot amdo ${newChinese()}`),
      ];
      const few = tellsLimit('person-few', { left: '1', limit: '3' });
      for (const request of requests) expect(await scene.answerTo(request)).toSatisfy(few);
    });
    expect(paid).toBe(0);
  });

  it('who waited for somebody without calls left is served on their own account', async () => {
    const [spent, other] = [await whoHasLeft(0), scene.newcomer()];
    const text = newChinese();
    const [, served] = await Promise.all([scene.ask(spent, text), scene.ask(other, text)]);
    expect(served.text).toSatisfy(hasTibetan);
  });

  it('an inline query’s limit is one result, asked by nobody’s group', async () => {
    const [spent, person] = [scene.newcomer(), scene.newcomer()];
    const group = groupOf([person], [spent]);
    await scene.answerTo(spent.send(group, { text: '/quota 0' }));
    const ask = (text: string) => person.inlineQuery(text, { chatType: 'supergroup' });
    const [kept] = (await ask(newTibetan())).results;
    expect(kept?.input_message_content?.message_text).toSatisfy(hasChinese);
    for (const text of [newChinese(), newChinese()]) await scene.ask(person, text);
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const { results, cacheTime } = await ask(text);
      expect(results).toMatchObject([
        {
          description: expect.stringContaining(says('limit-person')),
          input_message_content: { message_text: text },
        },
      ]);
      expect(cacheTime).toBeLessThanOrEqual(10);
    });
    expect(paid).toBe(0);
  });

  it('admins are not limited, and their calls are counted', async () => {
    const admin = scene.newcomer({ id: ADMIN });
    for (const text of Array.from({ length: 4 }, newChinese))
      expect((await scene.ask(admin, text)).text).toSatisfy(hasTibetan);
    const usage = await scene.ask(admin, '/usage');
    expect(usage.text).toContain('today: 4 · 1.60 yuan');
    expect(usage.text).not.toContain(says('for-free'));
    expect(usage.text).toContain(says('usage-unlimited'));
  });

  it('/usage counts a person in calls, says what is left, and that it is free', async () => {
    const person = scene.newcomer();
    const asked = newChinese();
    for (const text of [asked, asked]) await scene.ask(person, text);
    const { text } = await scene.ask(person, '/usage');
    expect(text).toContain('today: 1 of your 3');
    expect(text).toContain('this month: 1\n');
    expect(text).toContain(says('left-person', 'en', { left: '2', limit: '3' }));
    expect(text).toContain(says('for-free'));
    expect(text).not.toContain('yuan');
  });

  it('a channel, which is no person, has the calls of a group', async () => {
    const owner = scene.newcomer();
    const channel = scene.telegram.world.addChannel({ title: 'News', admins: [owner] });
    const post = (text: string) => {
      const posted = owner.send(channel, { text });
      return scene.telegram.world.waitForMessage(channel, isReplyTo(posted));
    };
    await post('/listen on');
    for (const text of [newChinese(), newChinese()]) expect((await post(text)).text).toSatisfy(hasTibetan);
    const left = says('left-group', 'en', { chat: 'channel', left: '8', limit: '10' });
    expect((await post('/usage')).text).toContain(left);
  });

  describe('/quota', () => {
    it('/quota is set by the group’s admins, and holds', async () => {
      const [owner, member] = [scene.newcomer(), scene.newcomer()];
      const group = groupOf([member], [owner]);
      const say = (person: Person, text: string) => scene.answerTo(person.send(group, { text }));
      expect((await say(member, '/quota 5')).text).toBe(says('quota-admins-only'));
      expect((await say(owner, '/quota 1')).text).toContain('has 1 call a day; 1 left today');
      expect(await say(member, `/tibetan ${'长'.repeat(3500)}`)).toSatisfy(
        tellsLimit('group-few', { left: '1', limit: '1' }),
      );
      expect((await say(member, `/tibetan ${newChinese()}`)).text).toSatisfy(hasTibetan);
      expect(await say(member, `/tibetan ${newChinese()}`)).toSatisfy(tellsLimit('group'));
      const { text: usage } = await say(member, '/usage');
      expect(usage).toContain(says('left-person', 'en', { left: '2', limit: '3' }));
      expect(usage).toContain(says('left-group', 'en', { left: '0', limit: '1' }));
      const anonymous = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/quota 2' }));
      expect(anonymous.text).toContain('has 2 calls a day');
      expect((await say(owner, '/quota off')).text).toContain('has 10 calls a day');
      // Nobody is told to wait for tomorrow.
      await say(owner, '/quota 0');
      expect((await say(member, `/tibetan ${newChinese()}`)).text).toBe(says('limit-group-none'));
    });

    it('a senseless /quota gets a clear answer, and changes nothing', async () => {
      const owner = scene.newcomer();
      const group = groupOf([], [owner]);
      const say = (text: string) => scene.answerTo(owner.send(group, { text }));
      for (const word of ['-1', 'abc', '1.5', '11', '1e3', '99999999999', '５'])
        expect((await say(`/quota ${word}`)).text).toBe(says('quota-wrong', 'en', { most: '10' }));
      expect((await say('/quota')).text).toContain('has 10 calls a day');
      expect((await scene.ask(owner, '/quota 5')).text).toBe(says('quota-groups-only'));
    });
  });

  it('/stats is for admins alone; whoever is none yet learns the number to set', async () => {
    const refusal = await scene.ask(scene.anna, '/stats');
    expect(refusal.text).toBe(says('stats-admins-only', 'en', { id: String(scene.anna.id) }));
    expect(buttonsOf(refusal)).toEqual([]);
  });
});

describe('twenty calls for the whole bot', () => {
  const scene = useScene({ env: { DAILY_BUDGET_YUAN: '8', ADMIN_IDS: String(ADMIN) } });
  let admin: Person;
  beforeAll(() => {
    admin = scene.newcomer({ id: ADMIN });
  });

  it('/stats gives admins today’s figures, and a bar a day', async () => {
    for (const text of [CHINESE, CHINESE]) await scene.ask(scene.anna, text);
    const { text = '', entities } = await scene.ask(admin, '/stats');
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
      '   1              people',
      '   0              groups',
      '▁▁▁▁▁▁▁▁▁▁▁▁▁█  14 days',
    ]);
    expect(text).toMatch(/^Lotsawa \d+\.\d+\.\d+\nToday: 0\.40 of 8\.00 yuan spent \(5 %\)\n/);
    expect(text).toContain('Requests given up: 0');
  });

  it('as many of thirty askers are served as calls are left', async () => {
    const { newcomer, ask, paidBy } = scene;
    const left = 20 - scene.service.paid().calls;
    const usage = async () => (await ask(newcomer(), '/usage')).text;
    expect(await usage()).toContain(says('left-everybody', 'en', { left }));
    const paid = await paidBy(async () => {
      const people = Array.from({ length: 30 }, () => newcomer());
      const answers = await Promise.all(people.map((person) => ask(person, newChinese())));
      expect(answers.filter(tellsLimit('bot'))).toHaveLength(30 - left);
    });
    expect(paid).toBe(left);
    const afterwards = await usage();
    expect(afterwards).toContain(says('left-person', 'en', { left: '100', limit: '100' }));
    expect(afterwards).toContain(says('left-everybody', 'en', { left: '0' }));
    expect(afterwards).toMatch(/The count starts again at 00:00 UTC, in \d+ h \d+ min\./);
    // No limit applies to admins.
    expect((await ask(admin, '/usage')).text).toContain(says('usage-unlimited'));
  });
});
