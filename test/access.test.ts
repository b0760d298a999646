/** Who may use the bot with ACCESS=members: strangers, invitations, groups. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  ASK,
  letIn,
  lhamo,
  newGroup,
  requestsTo,
  requestTo,
  STRANGER,
  said,
  scene,
  served,
  silence,
  tenzin,
  useAccessScene,
  welcomed,
  whileStopped,
} from './access-scene.ts';
import { buttonsOf, hasChinese, newChinese, newTibetan, says } from './phrases.ts';

useAccessScene();

describe('a stranger', () => {
  it('a stranger pays nothing, asks once, and is let in by a button', async () => {
    const pema = scene.newcomer({ firstName: 'Pema', username: 'pema_dolma' });
    const paid = await scene.paidBy(async () => {
      const answer = await scene.ask(pema, newTibetan());
      expect(answer.text).toBe(STRANGER);
      expect(buttonsOf(answer)).toEqual([ASK]);
      await pema.press(answer, ASK);
      await scene.becomes(answer, ({ text }) => text === says('access-asked'));
      expect(await said(pema, newChinese())).toBe(says('access-waits'));
      const { results, button } = await pema.inlineQuery(newTibetan());
      expect([results, button?.text]).toEqual([[], says('inline-stranger')]);
    });
    expect(paid).toBe(0);
    const toTenzin = await requestTo(tenzin, pema.id);
    const toLhamo = await requestTo(lhamo, pema.id);
    const name = `Pema @pema_dolma (${pema.id})`;
    expect(toTenzin.text).toBe(says('access-request', 'en', { name }));
    expect(toLhamo.text).toBe(says('access-request', 'zh', { name }));

    await tenzin.press(toTenzin, `access:let:${pema.id}`);
    await scene.telegram.world.waitForMessage(pema.chat, ({ text }) => text === says('access-let-in'));
    await scene.becomes(toTenzin, ({ text }) => text?.includes('was let in by Tenzin') === true);
    const known = await scene.becomes(toLhamo, ({ text }) => text?.includes('Tenzin') === true);
    expect(buttonsOf(known)).toEqual([]);
    expect(requestsTo(tenzin, pema.id)).toHaveLength(1);
    await scene.ask(pema, newTibetan(), ({ text }) => hasChinese(text));
  });

  it('who writes on and on hears it twice, no more', async () => {
    const pema = scene.newcomer();
    for (let number = 0; number < 20; number += 1) pema.send(pema.chat, { text: newTibetan() });
    await scene.ask(pema, '/privacy', ({ text }) => text !== STRANGER);
    const told = scene.telegram.world.messages(pema.chat).filter(({ text }) => text === STRANGER);
    expect(told).toHaveLength(2);
  });

  it('may ask what is kept, and have it erased, in their language', async () => {
    const dawa = scene.newcomer({ languageCode: 'bo' });
    expect(await said(dawa, '/privacy')).toContain('/forget');
    await scene.forget(dawa);
    expect(scene.telegram.world.messages(dawa.chat).at(-1)?.text).toBe(says('forgotten', 'bo'));
    expect(await said(dawa, 'བོད་')).toBe(says('access-stranger', 'bo'));
  });

  it('who withdraws the request by /forget is not let in by its button', async () => {
    const nyima = scene.newcomer();
    await nyima.press(await scene.ask(nyima, 'hello'), ASK);
    const request = await requestTo(tenzin, nyima.id);
    await scene.forget(nyima);
    await tenzin.press(request, `access:let:${nyima.id}`);
    const gone = says('access-request-gone', 'en', { id: String(nyima.id) });
    await scene.becomes(request, ({ text }) => text === gone);
    expect(await said(nyima, newTibetan())).toBe(STRANGER);
  });

  it('can do nothing that is the admins’', async () => {
    const sonam = scene.newcomer();
    await letIn(sonam);
    for (const command of ['/allow 5', '/block 5', '/invite', '/members', '/pause', '/resume'])
      expect(await said(sonam, command)).toBe(says('admins-only'));
    expect(await said(scene.newcomer(), '/pause')).toBe(STRANGER);
    expect(await said(sonam, newTibetan())).toSatisfy(hasChinese);
  });
});

describe('an invitation', () => {
  const linksOf = (text: string) => text.match(/in-[\w-]+/g) ?? [];
  const tokenFor = async (words: string) => linksOf(await said(tenzin, `/invite ${words}`))[0] ?? '';

  it('an invitation lets in its number of people, and members use none', async () => {
    const token = await tokenFor('2 1');
    const [one, two, three] = [scene.newcomer(), scene.newcomer(), scene.newcomer()];
    // One welcome, also for who opens the link twice.
    for (let time = 0; time < 2; time += 1) expect(await said(one, `/start ${token}`)).toBe(says('start'));
    const answers = await Promise.all([two, three].map((person) => said(person, `/start ${token}`)));
    expect(answers.toSorted()).toEqual([says('start'), says('invitation-over')].toSorted());
    const isGreeting = ({ text, from }: Message) => from?.is_bot === true && text === says('start');
    expect(scene.telegram.world.messages(one.chat).filter(isGreeting)).toHaveLength(2);
    await scene.ask(one, newTibetan(), ({ text }) => hasChinese(text));
  });

  it('an invitation is not used up by admins and members', async () => {
    const token = await tokenFor('1');
    expect(await said(tenzin, `/start ${token}`)).toBe(says('start'));
    const [member, guest] = [scene.newcomer(), scene.newcomer()];
    await letIn(member);
    const group = newGroup({ members: [member, guest], type: 'supergroup' });
    group.addBot(member);
    member.send(group, { text: `/start@lotsawa_bot ${token}` });
    await welcomed(group);
    // A group that a member adds the bot to is in, with all in it.
    await served(guest, group);
    expect(await said(guest, `/start ${token}`)).toBe(says('start'));
  });

  it('an invitation is good for one use and a week by default', async () => {
    const invitation = await scene.ask(tenzin, '/invite');
    const { text = '' } = invitation;
    expect(text).toContain('once, for 7 days');
    const [token = ''] = linksOf(text);
    // One press passes it on.
    const urls = invitation.reply_markup?.inline_keyboard.flat().map(({ url = '' }) => new URL(url)) ?? [];
    expect(urls.map(({ origin, pathname }) => origin + pathname)).toEqual(
      Array.from({ length: 2 }, () => 'https://t.me/share/url'),
    );
    expect(urls.map(({ searchParams }) => searchParams.get('url'))).toEqual(
      ['start', 'startgroup'].map((how) => `https://t.me/lotsawa_bot?${how}=${token}`),
    );
    expect(urls[0]?.searchParams.get('text')).toBe(says('invite-words'));
    const guess = `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`;
    expect(await said(scene.newcomer(), `/start ${guess}`)).toBe(says('invitation-over'));
    const late = scene.newcomer();
    await whileStopped('update invitations set expires_at = 1');
    const over = await scene.ask(late, `/start ${token}`);
    expect(over.text).toBe(says('invitation-over'));
    await late.press(over, ASK);
    await scene.becomes(over, ({ text }) => text === says('access-asked'));
    expect(await said(late, `/start ${token}`)).toBe(says('access-waits'));
    for (const words of ['x', '0', '5 0', '99999', '1 2 3'])
      expect(await said(tenzin, `/invite ${words}`)).toContain('/invite 20 7');
  });

  it('lets in a group with who has added the bot to it', async () => {
    const token = await tokenFor('1');
    const [dolma, guest] = [scene.newcomer(), scene.newcomer()];
    const group = newGroup({ members: [dolma, guest] });
    group.addBot(dolma);
    dolma.send(group, { text: `/start@lotsawa_bot ${token}` });
    await welcomed(group);
    await served(guest, group);
    expect(await said(dolma, newTibetan())).toSatisfy(hasChinese);
    expect(await said(guest, newTibetan())).toBe(STRANGER);
    expect(requestsTo(tenzin, group.id)).toEqual([]);
    const welcomes = scene.telegram.world.messages(group).filter(({ text }) => text === says('welcome'));
    expect(welcomes).toHaveLength(1);
  });

  it('opened in a group that waits already has it welcomed', async () => {
    const token = await tokenFor('1');
    const dolma = scene.newcomer();
    const group = newGroup({ members: [dolma] });
    group.addBot(dolma);
    await scene.telegram.world.waitForMessage(group, ({ text }) => text === says('access-group-waits'));
    const opened = dolma.send(group, { text: `/start@lotsawa_bot ${token}` });
    expect((await scene.answerTo(opened)).text).toBe(says('welcome'));
  });
});

it('whoever is let in hears of it, also after a kill', async () => {
  const [pema, dolma] = [scene.newcomer(), scene.newcomer()];
  for (const person of [pema, dolma]) await person.press(await scene.ask(person, 'hello'), ASK);
  const request = await requestTo(lhamo, pema.id);
  // The bot knows of all the requests that it has sent.
  await scene.atRest();
  scene.telegram.faults.next('sendMessage', { mode: 'hang', times: 2 });
  const sent = () => scene.telegram.calls.filter(({ method }) => method === 'sendMessage').length;
  const before = sent();
  await lhamo.press(request, `access:let:${pema.id}`);
  const asked = tenzin.send(tenzin.chat, { text: `/allow ${dolma.id}` });
  await scene.telegram.world.waitUntil(() => sent() === before + 2);
  await scene.restart('SIGKILL');
  for (const { chat } of [pema, dolma])
    await scene.telegram.world.waitForMessage(chat, ({ text }) => text === says('access-let-in'));
  await scene.becomes(request, ({ text }) => text?.includes('Lhamo') === true);
  await scene.answerTo(asked, ({ text }) => text?.includes('was let in by Tenzin') === true);
});

describe('a group', () => {
  it('a group added by a stranger hears so once, and can be let in', async () => {
    const stranger = scene.newcomer({ firstName: 'Tashi' });
    const group = newGroup({ members: [stranger], type: 'group' });
    group.addBot(stranger);
    const isWaiting = ({ text }: Message) => text === says('access-group-waits');
    await scene.telegram.world.waitForMessage(group, isWaiting);
    const request = await requestTo(tenzin, group.id);
    expect(request.text).toContain('Readers');
    expect(request.text).toContain('Tashi');
    const paid = await scene.paidBy(() =>
      silence(() => stranger.send(group, { text: `/tibetan ${newChinese()}` })),
    );
    expect(paid).toBe(0);
    expect(scene.telegram.world.messages(group).filter(isWaiting)).toHaveLength(1);
    await tenzin.press(request, `access:let:${group.id}`);
    await welcomed(group);
    await served(stranger, group.upgradeToSupergroup());
  });

  it('a group that is upgraded while it waits is let in', async () => {
    const stranger = scene.newcomer();
    const waiting = async () => {
      const group = newGroup({ members: [stranger], type: 'group' });
      group.addBot(stranger);
      const request = await requestTo(tenzin, group.id);
      const large = group.upgradeToSupergroup();
      const moved = `select * from access where chat = '${large.id}'`;
      await expect.poll(() => scene.rows(moved)).toHaveLength(1);
      return { group, large, request };
    };
    const [one, another] = [await waiting(), await waiting()];
    await tenzin.press(one.request, `access:let:${one.group.id}`);
    await scene.becomes(one.request, ({ text }) => text?.includes(`(${one.large.id}) was let in`) === true);
    expect(await said(tenzin, `/allow ${another.group.id}`)).toContain(`(${another.large.id}) was let in`);
    for (const { large } of [one, another]) {
      await welcomed(large);
      await served(stranger, large);
    }
  });

  it('a group that already had the bot hears so, and is left', async () => {
    const stranger = scene.newcomer();
    const groups = ['first', 'second'].map(() => newGroup({ members: [stranger], botIsMember: true }));
    const [first, second] = groups;
    for (const group of groups) {
      const asked = stranger.send(group, { text: `/tibetan ${newChinese()}` });
      expect((await scene.answerTo(asked)).text).toBe(says('access-group-waits'));
      await requestTo(tenzin, group.id);
    }
    const letInSecond = () => {
      if (first?.hasBot) return;
      scene.rows(`update access set standing = 'member' where chat = '${second?.id}'`);
    };
    // The local Telegram is in this process: it answers that the bot has left only after this.
    scene.telegram.world.events.on('chat', letInSecond);
    const day = 24 * 60 * 60 * 1000;
    await whileStopped(`update access set at = at - ${day} where standing = 'asking'`);
    await scene.telegram.world.waitUntil(() => !first?.hasBot);
    scene.telegram.world.events.off('chat', letInSecond);
    await said(lhamo, '/members');
    expect(second?.hasBot).toBe(true);
  });
});

it('a channel is let in like a group, without a word to readers', async () => {
  const [member, stranger] = [scene.newcomer(), scene.newcomer()];
  await letIn(member);
  const { world } = scene.telegram;
  const channelOf = (owner: Person) => {
    const channel = world.addChannel({ title: 'News', admins: [owner], botIsAdmin: false });
    channel.addBot(owner);
    return channel;
  };
  const [ours, theirs] = [channelOf(member), channelOf(stranger)];
  const isOn = ({ text }: Message) => text === says('listen-on');
  member.send(ours, { text: '/listen on' });
  await world.waitForMessage(ours, isOn);
  const request = await requestTo(tenzin, theirs.id);
  await requestTo(lhamo, theirs.id);
  const paid = await scene.paidBy(() =>
    silence(() => {
      for (const text of ['/listen on', newTibetan()]) stranger.send(theirs, { text });
    }),
  );
  expect(paid).toBe(0);
  await tenzin.press(request, `access:let:${theirs.id}`);
  await scene.becomes(request, (now) => buttonsOf(now).length === 0);
  stranger.send(theirs, { text: '/listen on' });
  await world.waitForMessage(theirs, isOn);
  const told = world.messages(theirs).map(({ text }) => text);
  for (const id of ['access-group-waits', 'welcome']) expect(told).not.toContain(says(id));
});
