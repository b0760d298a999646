/** The bot comes into groups, leaves them, and moves with those that become supergroups. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { NewGroup } from '../sandbox/telegram/new-group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { subjectOf } from '../src/store/access/admissions.ts';
import { hasChinese, hasTibetan, isVoice, newChinese, newTibetan, says } from './phrases.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let owner: Person;
beforeAll(async () => {
  owner = scene.newcomer();
});

const WELCOME = says('welcome');
const isWelcome = ({ text }: Message) => text === WELCOME;

function newGroup(options: Partial<NewGroup> = {}): Group {
  return scene.telegram.world.addGroup({ title: 'Readers', members: [], admins: [owner], ...options });
}

const say = async (group: Group, text: string) => (await scene.answerTo(owner.send(group, { text }))).text;
const welcomesIn = (group: Group) => scene.telegram.world.messages(group).filter(isWelcome);

describe('added to a group, the bot', () => {
  it.each(['group', 'supergroup'] as const)('says one short welcome in a %s', async (type) => {
    const group = newGroup({ type, botIsMember: false });
    group.addBot();
    await scene.telegram.world.waitForMessage(group, isWelcome);
    await say(group, '/help');
    group.promote(group.bot);
    await say(group, '/help');
    expect(welcomesIn(group)).toHaveLength(1);
  });

  it('a welcome speaks its adder’s language, also at a return', async () => {
    const dolma = scene.newcomer({ languageCode: 'zh' });
    const group = newGroup({ members: [dolma], botIsMember: false });
    group.addBot(dolma);
    const { world } = scene.telegram;
    const isTheirs = ({ text }: Message) => text === says('welcome', 'zh');
    const first = await world.waitForMessage(group, isTheirs);
    group.removeBot();
    group.addBot(dolma);
    await world.waitForMessage(group, isTheirs, { after: first });
  });

  it('that may not write there is no error', async () => {
    const group = newGroup({ botIsMember: false });
    const description = 'Bad Request: not enough rights to send text messages to the chat';
    scene.telegram.faults.next('sendMessage', { status: 400, description });
    group.addBot();
    await scene.telegram.world.waitUntil(() =>
      scene.telegram.calls.some((call) => call.description === description),
    );
    expect((await scene.ask(owner, newTibetan())).text).toSatisfy(hasChinese);
    expect(scene.log()).not.toContain('an update failed');
  });
});

it('what was said before it was added is not answered', async () => {
  const group = newGroup();
  const endCall = scene.service.faults.hold('translation');
  const slow = owner.send(owner.chat, { text: newChinese() });
  await scene.underWay();
  // It waits behind the slow one, while the bot is sent away and fetched back.
  const early = owner.send(group, { text: `/chinese ${newTibetan()}` });
  const secondOf = () => Math.floor(Date.now() / 1000);
  await expect.poll(secondOf).toBeGreaterThan(early.date);
  group.removeBot();
  group.addBot();
  await scene.telegram.world.waitForMessage(group, isWelcome);
  await scene.underWay();
  endCall();
  await scene.answerTo(slow, ({ text }) => hasTibetan(text));
  expect((await scene.everythingAfter(early, owner)).filter((answer) => !isWelcome(answer))).toEqual([]);
});

it('a removal forgets the group’s settings, and keeps its spending', async () => {
  const group = newGroup({ type: 'supergroup' });
  await say(group, '/quota 3');
  await say(group, '/listen on');
  await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/dialect amdo' }));
  await say(group, `/tibetan ${newChinese()}`);
  // What ends only after it was forgotten would be written down.
  await scene.atRest();
  group.removeBot();
  for (const [table, column] of [
    ['groups', 'chat'],
    ['requests', 'chat'],
    ['ledger', 'chat_group'],
    ['telegraf-sessions', 'key'],
  ]) {
    const known = `select * from "${table}" where "${column}" = '${group.id}'`;
    await expect.poll(() => scene.rows(known)).toEqual([]);
  }
  group.addBot();
  await scene.telegram.world.waitForMessage(group, isWelcome);
  expect(await say(group, '/listen')).toBe(says('listen-is-off'));
  expect(await say(group, '/usage')).toContain(says('left-group', 'en', { left: '299', limit: '300' }));
});

describe('a group that becomes a supergroup', () => {
  it('keeps its settings, its limit, what it spent today, and what its anonymous admins chose', async () => {
    const small = newGroup({ type: 'group' });
    await say(small, '/quota 5');
    await say(small, '/listen on');
    await scene.answerTo(small.sendAsAnonymousAdmin({ text: '/dialect amdo' }));
    expect(await say(small, `/tibetan ${newChinese()}`)).toSatisfy(hasTibetan);
    await scene.atRest();
    const large = small.upgradeToSupergroup();
    expect(await say(large, '/listen')).toBe(says('listen-on-deaf'));
    expect(await say(large, '/usage')).toContain(says('left-group', 'en', { left: '4', limit: '5' }));
    const spoken = large.sendAsAnonymousAdmin({ text: `/speak ${newTibetan()}` });
    expect((await scene.answerTo(spoken, isVoice)).caption).toContain(says('amdo'));
  });

  it('is carried over once, though it is told twice and the bot restarts in between', async () => {
    const small = newGroup({ type: 'group' });
    expect(await say(small, `/tibetan ${newChinese()}`)).toSatisfy(hasTibetan);
    const large = small.upgradeToSupergroup();
    await say(large, '/quota 7');
    await scene.restart('SIGKILL');
    const left = says('left-group', 'en', { left: '6', limit: '7' });
    const usage = owner.send(large, { text: '/usage' });
    await scene.answerTo(usage, ({ text }) => text?.includes(left) === true);
  });

  it('hears no second welcome, though the bot counts as added there', async () => {
    const small = newGroup({ type: 'group', botIsMember: false });
    small.addBot();
    await scene.telegram.world.waitForMessage(small, isWelcome);
    // The upgrade is heard of only once the bot is through with its welcome.
    await scene.atRest();
    const large = small.upgradeToSupergroup();
    await say(large, '/help');
    // The bot waits to hear of an upgrade; a group that it is added to meanwhile is welcomed after as long.
    const other = newGroup({ type: 'supergroup', botIsMember: false });
    other.addBot();
    await scene.telegram.world.waitForMessage(other, isWelcome);
    expect(welcomesIn(large)).toEqual([]);
  });
});

it('a group that asked to be let in before everybody was stays served', async () => {
  const group = newGroup();
  expect(await say(group, `/chinese ${newTibetan()}`)).toSatisfy(hasChinese);
  await scene.bot().stop();
  const chat = String(group.id);
  scene.rows(`insert into access (subject, chat, standing, at)
    values ('${subjectOf(chat)}', '${chat}', 'asking', 0)`);
  await scene.restart();
  expect(await say(group, `/chinese ${newTibetan()}`)).toSatisfy(hasChinese);
  expect(group.hasBot).toBe(true);
});

it('what an anonymous admin had it ask, any admin can confirm, and nobody else', async () => {
  const pema = scene.newcomer();
  const group = newGroup({ members: [pema], type: 'supergroup' });
  await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/dialect amdo' }));
  const question = await scene.answerTo(group.sendAsAnonymousAdmin({ text: '/forget' }));
  expect((await pema.press(question, says('button-forget'))).text).toBe(says('forget-not-yours'));
  await owner.press(question, says('button-forget'));
  await scene.becomes(question, ({ text }) => text === says('forgotten'));
});
