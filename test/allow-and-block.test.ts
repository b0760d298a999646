/** What admins decide: who is blocked, whom /allow and /block mean, /members, and /pause. */
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import {
  ASK,
  LHAMO_ID,
  letIn,
  lhamo,
  newGroup,
  requestTo,
  said,
  scene,
  silence,
  TENZIN_ID,
  tenzin,
  useAccessScene,
  whileStopped,
} from './access-scene.ts';
import { buttonsOf, hasChinese, labelsOf, newChinese, newTibetan, says } from './phrases.ts';

useAccessScene();

describe('a blocked person', () => {
  it('is not answered, nowhere, until they are let in', async () => {
    const dorje = scene.newcomer({ firstName: 'Dorje', username: 'dorje_b' });
    await letIn(dorje);
    const group = newGroup({ members: [dorje, tenzin], botIsMember: true });
    await scene.answerTo(tenzin.send(group, { text: '/allow' }));
    const translated = await scene.ask(dorje, newTibetan());
    expect(await said(tenzin, '/block @Dorje_B')).toContain('blocked by Tenzin');
    const [button = ''] = buttonsOf(translated);
    const elsewhere = newGroup({ members: [dorje], type: 'supergroup' });
    const isSilent = await silence(() => {
      dorje.send(dorje.chat, { text: newTibetan() });
      dorje.send(elsewhere, { text: `@lotsawa_bot ${newTibetan()}` });
      dorje.send(group, { text: `/chinese ${newTibetan()}` });
      dorje.press(translated, button).catch(() => {});
      dorje.inlineQuery(newTibetan()).catch(() => {});
    });
    expect(isSilent).toBe(true);
    await scene.restart();
    expect(await silence(() => dorje.send(dorje.chat, { text: '/start' }))).toBe(true);
    expect(await said(lhamo, `/allow ${dorje.id}`)).toContain('Lhamo');
    expect(await said(dorje, newTibetan())).toSatisfy(hasChinese);
  });

  it('has queries that end at once, and that nobody typed on', async () => {
    const dorje = scene.newcomer();
    await said(tenzin, `/block ${dorje.id}`);
    await scene.restart();
    const elsewhere = newGroup({ members: [dorje], type: 'supergroup' });
    dorje.send(elsewhere, { text: `@lotsawa_bot ${newTibetan()}` });
    dorje.inlineQuery(newTibetan()).catch(() => {});
    const port = /"port":(\d+)[^}]*"HTTP server is listening"/.exec(scene.bot().output())?.[1];
    const metrics = async () => (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
    await expect.poll(metrics).toContain('lotsawa_updates_total{kind="guest_message",outcome="ok"} 1');
    await expect.poll(metrics).toContain('lotsawa_updates_total{kind="inline_query",outcome="ok"} 1');
    const [, seconds] = /handling_seconds_sum\{kind="guest_message"\} (\S+)/.exec(await metrics()) ?? [];
    // A query whose placeholder was lost waits for it for 5 s.
    expect(Number(seconds)).toBeLessThan(5);
  });

  it('stays blocked after /forget, of which nothing but a hash is left', async () => {
    const dorje = scene.newcomer({ firstName: 'Forgotten', username: 'forgotten_one' });
    await scene.ask(dorje, 'hello');
    expect(await said(tenzin, `/block ${dorje.id}`)).toContain('Forgotten');
    expect(await silence(() => dorje.send(dorje.chat, { text: '/forget' }))).toBe(true);
    const traces = () => {
      const tables = ['access', 'seen_names', 'telegraf-sessions'];
      const rows = tables.flatMap((table) => scene.rows(`select * from "${table}"`));
      return JSON.stringify(rows).match(new RegExp(`forgotten|"${dorje.id}"`, 'gi'));
    };
    await expect.poll(traces).toBeNull();
    expect(await silence(() => dorje.send(dorje.chat, { text: newTibetan() }))).toBe(true);
  });

  it('may be a group, and by an anonymous admin’s message', async () => {
    const guest = scene.newcomer();
    const group = newGroup({ members: [guest], admins: [tenzin], type: 'supergroup', botIsMember: true });
    await scene.answerTo(tenzin.send(group, { text: '/allow' }));
    const anonymous = group.sendAsAnonymousAdmin({ text: `/chinese ${newTibetan()}` });
    expect((await scene.answerTo(anonymous)).text).toSatisfy(hasChinese);
    const blocked = await scene.answerTo(tenzin.send(group, { text: '/block', replyTo: anonymous }));
    expect(blocked.text).toContain(`Readers (${group.id})`);
    expect(await silence(() => guest.send(group, { text: `/chinese ${newTibetan()}` }))).toBe(true);
    expect(await silence(() => group.sendAsAnonymousAdmin({ text: '/help' }))).toBe(true);
  });

  it('hears nothing either where a request of theirs becomes a dead letter', async () => {
    const [dorje, pema] = [scene.newcomer(), scene.newcomer()];
    scene.service.faults.hold('translation', 2);
    for (const person of [dorje, pema]) {
      await letIn(person);
      person.send(person.chat, { text: newTibetan() });
    }
    await scene.underWay(2);
    await said(tenzin, `/block ${dorje.id}`);
    // Else the answer may come again after the kill.
    const ofOthers = `lane not in ('${dorje.id}', '${pema.id}')`;
    await expect
      .poll(() => scene.rows(`select 1 from requests where state = 'waiting' and ${ofOthers}`))
      .toEqual([]);
    // As after the deaths of six processes.
    await whileStopped(`update requests set strikes = 6 where state = 'waiting'`, 'SIGKILL');
    scene.service.faults.clear();
    await scene.telegram.world.waitForMessage(pema.chat, ({ text }) => text === says('given-up'));
    await said(lhamo, '/members');
    const told = scene.telegram.world.messages(dorje.chat).filter(({ from }) => from?.is_bot);
    expect(told).toEqual([]);
  });

  it('is stopped before the next paid call of what runs', async () => {
    const busy = scene.newcomer();
    await letIn(busy);
    const endCall = scene.service.faults.hold('translation');
    const paid = await scene.paidBy(async () => {
      busy.send(busy.chat, { text: `/speak amdo ${newChinese()}` });
      await scene.underWay();
      await said(tenzin, `/block ${busy.id}`);
      endCall();
      await scene.underWay(0);
      await silence(() => {});
    });
    expect(paid).toBe(1);
  });
});

describe('/allow and /block', () => {
  it('/allow and /block take an unknown number, a group, or a forward', async () => {
    expect(await said(tenzin, '/allow 777000111222')).toContain('777000111222');
    expect(await said(tenzin, '/block -1009998887776')).toContain('-1009998887776');
    const pema = scene.newcomer({ firstName: 'Forwarded' });
    const forwarded = tenzin.forward(pema.send(pema.chat, { text: 'hello' }), tenzin.chat);
    await scene.answerTo(forwarded);
    const allowed = await scene.answerTo(tenzin.send(tenzin.chat, { text: '/allow', replyTo: forwarded }));
    expect(allowed.text).toContain(`Forwarded (${pema.id})`);
    expect(await said(pema, newTibetan())).toSatisfy(hasChinese);
  });

  it('/allow and /block take a channel’s number, not its name', async () => {
    const owner = scene.newcomer();
    const { world } = scene.telegram;
    const channel = world.addChannel({ title: 'Evening news', admins: [owner] });
    const id = String(channel.chat.id);
    const post = tenzin.forward(owner.send(channel, { text: 'Tonight' }), tenzin.chat);
    await scene.answerTo(post);
    const asked = await scene.answerTo(tenzin.send(tenzin.chat, { text: '/allow', replyTo: post }));
    expect(asked.text).toBe(says('access-of-channel', 'en', { id }));
    expect(await said(tenzin, `/allow ${id}`)).toContain(`Evening news (${id})`);
    owner.send(channel, { text: '/listen on' });
    await world.waitForMessage(channel.chat, ({ text }) => text === says('listen-on'));
  });

  it('/allow and /block take an @name of its last owner', async () => {
    const [owner, borrower] = [scene.newcomer({ username: 'Lent_name' }), scene.newcomer()];
    scene.rows(
      "create trigger no_names before insert on seen_names begin select raise(abort, 'no names'); end",
    );
    await scene.ask(owner, 'hello');
    await expect.poll(scene.log).toContain('storing a name failed');
    scene.rows('drop trigger no_names');
    expect(await said(tenzin, '/allow @lent_name')).toBe(says('access-name-unknown'));
    await scene.ask(owner, 'hello again');
    expect(await said(tenzin, '/allow @lent_name')).toContain(String(owner.id));
    delete owner.user.username;
    borrower.user.username = 'lent_name';
    await scene.ask(borrower, 'hello');
    expect(await said(tenzin, '/block @lent_name')).toContain(String(borrower.id));
    delete borrower.user.username;
    owner.user.username = 'Lent_name';
    await scene.ask(owner, newTibetan());
    expect(await said(tenzin, '/allow @lent_name')).toContain(String(owner.id));
  });

  it('/allow and /block take the @name of an inline or guest user', async () => {
    const { world } = scene.telegram;
    const people = ['Only_inline', 'Only_guest', 'Only_adder'].map((username) =>
      scene.newcomer({ username }),
    );
    const [typist, guest, adder] = people;
    await typist?.inlineQuery(newTibetan());
    const elsewhere = newGroup({ members: people, type: 'supergroup' });
    guest?.send(elsewhere, { text: `@lotsawa_bot ${newTibetan()}` });
    await world.waitForMessage(elsewhere, ({ text }) => text === says('guest-stranger'));
    const group = newGroup({ members: people });
    group.addBot(adder);
    // Wait until the admins have heard of the group, so that it comes between no question and its answer.
    for (const admin of [tenzin, lhamo]) await requestTo(admin, group.id);
    for (const { id, user } of people)
      expect(await said(tenzin, `/block @${user.username}`)).toContain(`(${id})`);
  });

  it('are refused, in clear words, for admins, bots, and what is no id', async () => {
    expect(await said(tenzin, `/block ${TENZIN_ID}`)).toBe(says('access-of-admin'));
    expect(await said(tenzin, `/block ${LHAMO_ID}`)).toBe(says('access-of-admin'));
    expect(await said(tenzin, `/allow ${scene.telegram.bot.id}`)).toBe(says('access-of-bot'));
    expect(await said(tenzin, '/allow @nobody_at_all')).toBe(says('access-name-unknown'));
    const noIds = ['0', '12ab', '99999999999999999999', '-'];
    for (const words of ['', 'x', ...noIds])
      expect(await said(tenzin, `/block ${words}`)).toBe(says('access-how'));
    const own = await scene.ask(tenzin, '/help');
    const reply = tenzin.send(tenzin.chat, { text: '/block', replyTo: own });
    expect((await scene.answerTo(reply)).text).toBe(says('access-of-bot'));
    const group = newGroup({ members: [tenzin], type: 'supergroup', botIsMember: true });
    const { world } = scene.telegram;
    const linked = { discussion: group, botIsAdmin: false };
    const channel = world.addChannel({ title: 'News', admins: [tenzin], ...linked });
    tenzin.send(channel, { text: 'news' });
    const post = await world.waitForMessage(group, ({ text }) => text === 'news');
    const onPost = await scene.answerTo(tenzin.send(group, { text: '/allow', replyTo: post }));
    const id = String(post.sender_chat?.id);
    expect(onPost.text).toBe(says('access-of-channel', 'en', { id }));
  });
});

it('/members pages through them all, with when and by whom', async () => {
  for (let n = 0; n < 12; n += 1) await said(tenzin, `/allow ${8_800_000 + n}`);
  const first = await scene.ask(tenzin, '/members');
  expect(first.text).toContain(`✓ 8800011 · ${new Date().toISOString().slice(0, 10)} · Tenzin`);
  expect(first.text).not.toContain('8800001 ');
  await tenzin.press(first, says('button-members-older'));
  const second = await scene.becomes(first, ({ text }) => text?.includes('8800001 ') === true);
  await tenzin.press(second, says('button-members-newer'));
  const again = await scene.becomes(first, ({ text }) => text?.includes('8800011 ') === true);
  expect(labelsOf(again)).toEqual([...'123456789', '10', says('button-members-older')]);
  const group = newGroup({ members: [tenzin], botIsMember: true });
  const answer = await scene.answerTo(tenzin.send(group, { text: '/members' }));
  expect(answer.text).toBe(says('admins-private-only'));
});

it('/members lets in, blocks and takes back with buttons', async () => {
  const pema = scene.newcomer({ firstName: 'Pema' });
  await pema.press(await scene.ask(pema, 'hello'), ASK);
  await requestTo(lhamo, pema.id);
  const request = await requestTo(tenzin, pema.id);
  const letIn = says('access-let-in-by', 'en', { name: `Pema (${pema.id})`, by: 'Lhamo' });
  const list = await scene.ask(lhamo, '/members');
  const isOpened = (sign: string) => (now: Message) =>
    now.text?.startsWith(`${sign} Pema (${pema.id})`) === true;
  const press = async (label: string, sign: string) => {
    await lhamo.press(scene.telegram.world.message(list) ?? list, label);
    return scene.becomes(list, isOpened(sign));
  };
  const asking = await press('1', '?');
  expect(labelsOf(asking)).toEqual(
    ['button-let-in', 'button-block', 'button-back'].map((id) => says(id, 'zh')),
  );
  await press(says('button-let-in', 'zh'), '✓');
  await scene.telegram.world.waitForMessage(pema.chat, ({ text }) => text === says('access-let-in'));
  await scene.becomes(request, (now) => now.text === letIn && buttonsOf(now).length === 0);
  expect(await said(pema, newTibetan())).toSatisfy(hasChinese);
  const blocked = await press(says('button-block', 'zh'), '✕');
  expect(blocked.text).toContain('Lhamo');
  expect(await silence(() => pema.send(pema.chat, { text: newTibetan() }))).toBe(true);
  await lhamo.press(blocked, says('button-take-back', 'zh'));
  await scene.becomes(list, ({ text }) => text?.includes(`(${pema.id})`) === false);
  expect(await said(pema, newTibetan())).toBe(says('access-stranger'));
});

it('whoever is blocked while a call runs causes no other', async () => {
  const dorje = scene.newcomer();
  await letIn(dorje);
  const endCall = scene.service.faults.hold('translation');
  const before = scene.service.calls.length;
  dorje.send(dorje.chat, { text: `/speak amdo ${newChinese()}` });
  await scene.underWay(1);
  expect(await said(tenzin, `/block ${dorje.id}`)).toContain('blocked by Tenzin');
  endCall();
  await expect
    .poll(() => scene.rows(`select state from requests where lane = '${dorje.id}' and state = 'waiting'`))
    .toEqual([]);
  expect(scene.service.calls.slice(before).map(({ kind }) => kind)).toEqual(['translation']);
});

it('/pause tells everybody but the admins, for free, until /resume', async () => {
  const member = scene.newcomer();
  await letIn(member);
  expect(await said(tenzin, '/pause Losar! Back on Monday.')).toContain('Losar! Back on Monday.');
  const paid = await scene.paidBy(async () => {
    expect(await said(member, newTibetan())).toBe('Losar! Back on Monday.');
    const { results } = await member.inlineQuery(newTibetan());
    expect(results[0]?.description).toBe('Losar! Back on Monday.');
    const elsewhere = newGroup({ members: [member], type: 'supergroup' });
    member.send(elsewhere, { text: `@lotsawa_bot ${newTibetan()}` });
    await scene.telegram.world.waitForMessage(elsewhere, ({ text }) => text?.includes('Losar!') === true);
    await scene.restart();
    expect(await said(member, newTibetan())).toBe('Losar! Back on Monday.');
  });
  expect(paid).toBe(0);
  expect(await said(tenzin, newTibetan())).toSatisfy(hasChinese);
  const long = 'བཀྲ་ཤིས། '.repeat(450);
  await scene.ask(tenzin, `/pause ${long}`, ({ text }) => text?.includes('send /resume') === true);
  expect(await said(member, newTibetan())).toBe(long.trim());
  expect(await said(tenzin, '/pause')).toContain(says('paused'));
  expect(await said(member, newTibetan())).toBe(says('paused'));
  expect(await said(lhamo, '/resume')).toBe(says('pause-ended', 'zh'));
  expect(await said(lhamo, '/resume')).toBe(says('pause-none', 'zh'));
  expect(await said(member, newTibetan())).toSatisfy(hasChinese);
});
