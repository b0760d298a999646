/** Buttons pressed by the wrong person, in the wrong chat, or with data that the bot never wrote. */
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { FAULTS } from '../faults/breakages.ts';
import { useStage } from '../faults/stage.ts';
import { buttonsOf, hasTibetan, newChinese, says } from '../phrases.ts';

const scene = useStage({ env: { SERVICE_TIMEOUT_MS: '10000' } });
let anna: Person;
let eve: Person;
let nextId = 1;
beforeEach(() => {
  anna = scene.newcomer();
  eve = scene.newcomer();
});

/** Presses with any data, as a client that was tampered with can; resolves when it is acknowledged, beside the lanes. */
async function deliver(who: Person, data: unknown, place: object): Promise<void> {
  const query = { id: String(nextId), from: who.user, chat_instance: '1', data, ...place };
  await scene.givesUpdates(
    JSON.stringify({ ok: true, result: [{ update_id: nextId++, callback_query: query }] }),
  );
  await scene.telegram.world.waitUntil(() =>
    scene.telegram.calls.some(({ payload }) => payload.callback_query_id === query.id),
  );
}

/** Resolves when nothing more is done for it. */
async function press(who: Person, data: unknown, place: object): Promise<void> {
  await deliver(who, data, place);
  await scene.idle();
}

/** Waits until pressers were told just this since, each alone, in any order: answers to callback queries go out beside the lanes. */
async function toldSince(calls: number, expected: string[]): Promise<void> {
  const told = () =>
    scene.telegram.calls
      .slice(calls)
      .filter(({ method }) => method === 'answerCallbackQuery')
      .map(({ payload }) => payload.text)
      .sort();
  await expect.poll(told).toEqual([...expected].sort());
}

/** What the bot has said in a chat after a message. */
function saidAfter({ chat, message_id }: Message): (string | undefined)[] {
  return scene.telegram.world
    .messages(chat)
    .filter((message) => message.from?.is_bot && message.message_id > message_id)
    .map(({ text }) => text);
}

const FORGED: readonly unknown[] = [
  ...['', ' ', 'speak:', 'speak:klingon', 'speak:amdo\nx', 'SPEAK:AMDO', 'translate ', 'read:en', 'lang:xx'],
  ...['dialect:__proto__', 'voice:constructor', 'set:1:language:zh', 'set::language:zh', 'set:x', 'set:1'],
  ...['set:1:__proto__:x', 'set:1:toString:x', 'forget:', 'forget:0', 'forget:-1', 'again:x:1', 'again::'],
  ...[`speak:${'a'.repeat(100_000)}`, '\ud800', '\0', 'forget:99999999999999999999', '/stats', 'delete:all'],
  ...[7, null, {}, ['translate']],
];

it('data that no button has does nothing, and costs nothing', async () => {
  const panel = await scene.ask(anna, '/settings');
  const result = await scene.ask(anna, newChinese());
  const before = scene.service.paid().calls;
  const queries = FORGED.flatMap((data) =>
    [panel, result].map((message) => ({
      update_id: nextId,
      callback_query: { id: String(nextId++), from: anna.user, chat_instance: '1', data, message },
    })),
  );
  await scene.givesUpdates(JSON.stringify({ ok: true, result: queries }));
  await scene.idle();
  // One for the text that brings the presses along.
  expect(scene.service.paid().calls - before).toBe(1);
  expect(scene.telegram.world.message(panel)?.text).toBe(panel.text);
  expect(scene.log()).not.toMatch(/an update failed|became a dead letter/);
});

/** As Telegram delivers a message that is a few days old: its buttons cannot be checked. */
const noLongerShown = ({ chat, message_id }: Message) => ({ chat, message_id, date: 0 });

describe('data that is on another message than the one pressed', () => {
  /** The id of a text that is kept for a button. */
  let kept: string;
  beforeAll(async () => {
    const reader = scene.newcomer();
    const id = (message: Message) => buttonsOf(message).map((data) => /^speak:\w+:([\w-]+)$/.exec(data)?.[1]);
    const long = reader.send(reader.chat, { text: '今天天气很好。'.repeat(400) });
    const answer = await scene.telegram.world.waitForMessage(reader.chat, (now) => id(now).some(Boolean), {
      after: long,
    });
    kept = id(answer).find(Boolean) ?? '';
  });

  const OLD = ['cancel:OWN', 'set:OWN:language:zh', 'forget:OWN', 'access:ask'];
  it.each([...OLD, 'translate:TEXT', 'read:chinese:TEXT'])(
    '%s is an old button, and changes nothing',
    async (data) => {
      const result = await scene.ask(anna, newChinese());
      const asked = scene.service.paid().calls;
      const before = scene.telegram.calls.length;
      await press(anna, data.replace('OWN', String(anna.id)).replace('TEXT', kept), {
        message: result,
      });
      await toldSince(before, [says('callback-too-old')]);
      // One for the text that brings the press along.
      expect(scene.service.paid().calls).toBe(asked + 1);
      expect(saidAfter(result)).toEqual([]);
      expect((await scene.ask(anna, '/help')).text).toBe(says('help'));
    },
  );

  it('a reading button that Telegram no longer shows has expired', async () => {
    const result = await scene.ask(anna, newChinese());
    const before = scene.telegram.calls.length;
    const message = noLongerShown(result);
    await press(anna, `read:chinese:${kept}`, { message });
    await toldSince(before, [says('callback-too-old')]);
    expect(saidAfter(result)).toEqual([]);
    expect(scene.log()).not.toMatch(/an update failed|became a dead letter/);
  });

  it('stops no work', async () => {
    const result = await scene.ask(anna, newChinese());
    const endCall = scene.service.faults.hold('translation');
    const asked = anna.send(anna.chat, { text: newChinese() });
    await scene.underWay();
    await deliver(anna, `cancel:${anna.id}`, { message: result });
    endCall();
    expect((await scene.answerTo(asked)).text).toSatisfy(hasTibetan);
  });
});

describe('of another person', () => {
  it('a member cannot erase what is kept about a group', async () => {
    const hers = scene.telegram.world.addGroup({ title: 'Hers', members: [anna, eve], admins: [eve] });
    const other = scene.telegram.world.addGroup({ title: 'Other', members: [anna, eve], admins: [anna] });
    const inOther = await scene.answerTo(eve.send(other, { text: '/forget' }));
    const inHers = await scene.answerTo(eve.send(hers, { text: '/forget' }));
    const before = scene.telegram.calls.length;
    for (const message of [inOther, inHers])
      await press(eve, `forget:${other.chat.id}`, { message: noLongerShown(message) });
    await toldSince(before, [says('forget-not-yours'), says('forget-not-yours')]);
    expect([...saidAfter(inOther), ...saidAfter(inHers)]).toEqual([]);
  });

  it('a chat’s setting is changed by its admins alone', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Hers', members: [anna, eve], admins: [anna] });
    const offer = await scene.answerTo(eve.send(group, { text: '/dialect' }));
    const { id } = group.chat;
    const before = scene.telegram.calls.length;
    const ofChat = [`dialect:amdo:${id}`, `set:${id}:language:zh`, `lang:zh:${id}`];
    for (const data of ofChat) await press(eve, data, { message: noLongerShown(offer) });
    await toldSince(
      before,
      ofChat.map(() => says('settings-of-group')),
    );
    expect(saidAfter(offer)).toEqual([]);
    expect(scene.telegram.world.message(offer)?.text).toBe(offer.text);
  });

  it('a request in doubt is not repeated, though its data is forged to be theirs', async () => {
    scene.toBase.breakNext({ call: 'translation', breakage: FAULTS['silent, and the work not done'] });
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, eve] });
    const told = await scene.answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    const data = buttonsOf(told)[0] ?? '';
    expect(data).toMatch(/^again:/);
    const before = scene.service.paid().calls;
    await press(eve, data.replace(/[^:]*$/, String(eve.id)), { message: told });
    // One for the text that brings the forged press along.
    expect(scene.service.paid().calls).toBe(before + 1);
  });
});
