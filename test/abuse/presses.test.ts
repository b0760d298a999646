/** Buttons pressed by the wrong person, in the wrong chat, or with data that the bot never wrote. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type MeddledScene, startMeddledScene } from '../hostile/meddled-scene.ts';
import { buttonsOf, hasTibetan, labelsOf, newChinese, says } from '../phrases.ts';

let scene: MeddledScene;
let anna: Person;
let eve: Person;
let nextId = 1;
beforeAll(async () => {
  scene = await startMeddledScene({ SERVICE_TIMEOUT_MS: '3000' });
});
afterAll(() => scene.close());
beforeEach(() => {
  anna = scene.newcomer();
  eve = scene.newcomer();
});

/** Presses with any data: a client that was tampered with can. */
async function press(who: Person, data: unknown, place: object): Promise<void> {
  const query = { id: String(nextId), from: who.user, chat_instance: '1', data, ...place };
  await scene.givesUpdates(
    JSON.stringify({ ok: true, result: [{ update_id: nextId++, callback_query: query }] }),
  );
  await scene.idle();
  // It is acknowledged beside the lanes.
  await scene.telegram.world.waitUntil(() =>
    scene.telegram.calls.some(({ payload }) => payload.callback_query_id === query.id),
  );
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

async function ask(who: Person, text: string): Promise<Message> {
  return scene.answerTo(who.send(who.chat, { text }));
}

const FORGED: readonly unknown[] = [
  ...['', ' ', 'speak:', 'speak:klingon', 'speak:amdo\nx', 'SPEAK:AMDO', 'translate ', 'read:en', 'lang:xx'],
  ...[
    'dialect:__proto__',
    'voice:constructor',
    'set:1:language:zh',
    'set::language:zh',
    'set:x',
    'set:1',
    'set:1:toString',
  ],
  ...['set:1:__proto__:x', 'set:1:toString:x', 'forget:', 'forget:0', 'forget:-1', 'again:x:1', 'again::'],
  ...[`speak:${'a'.repeat(100_000)}`, '\ud800', '\0', 'forget:99999999999999999999', '/stats', 'delete:all'],
  ...[7, null, {}, ['translate']],
];

it('data that no button has does nothing, and costs nothing', async () => {
  const panel = await ask(anna, '/settings');
  const result = await ask(anna, newChinese());
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

  it.each([
    ...[
      'cancel:OWN',
      'set:OWN:language:zh',
      'forget:OWN',
      'access:ask',
      'translate:TEXT',
      'pages:chinese:TEXT',
    ],
  ])('%s is an old button, and changes nothing', async (data) => {
    const result = await ask(anna, newChinese());
    const asked = scene.service.paid().calls;
    const before = scene.telegram.calls.length;
    await press(anna, data.replace('OWN', String(anna.id)).replace('TEXT', kept), {
      message: result,
    });
    await toldSince(before, [says('callback-too-old')]);
    // One for the text that brings the press along.
    expect(scene.service.paid().calls).toBe(asked + 1);
    expect(saidAfter(result)).toEqual([]);
    expect((await ask(anna, '/help')).text).toBe(says('help'));
  });

  it.each(['read:chinese:TEXT', 'pages:chinese:TEXT'])(
    '%s, where Telegram no longer shows the buttons, is told to be gone',
    async (data) => {
      const result = await ask(anna, newChinese());
      const before = scene.telegram.calls.length;
      const message = noLongerShown(result);
      await press(anna, data.replace('TEXT', kept), { message });
      await toldSince(before, [says(data.startsWith('read') ? 'photo-gone' : 'document-gone')]);
      expect(saidAfter(result)).toEqual([]);
      expect(scene.log()).not.toMatch(/an update failed|became a dead letter/);
    },
  );

  it('stops no work', async () => {
    const result = await ask(anna, newChinese());
    const endCall = scene.service.faults.hold('translation');
    const asked = anna.send(anna.chat, { text: newChinese() });
    await expect.poll(() => scene.service.calls.at(-1)?.outcome).toBe('running');
    const before = scene.telegram.calls.length;
    const pressed = press(anna, `cancel:${anna.id}`, { message: result });
    await scene.telegram.world.waitUntil(() =>
      scene.telegram.calls.slice(before).some(({ method }) => method === 'answerCallbackQuery'),
    );
    endCall();
    await pressed;
    expect((await scene.answerTo(asked)).text).toSatisfy(hasTibetan);
  });
});

describe('of another person', () => {
  it('a settings panel changes nothing for either', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, eve] });
    const panel = await scene.answerTo(anna.send(group, { text: '/settings' }));
    const toOpen = `set:${anna.id}:language`;
    expect((await eve.press(panel, toOpen)).text).toBe(says('settings-not-yours'));
    await anna.press(panel, toOpen);
    const choices = await scene.telegram.world.waitUntil(() => {
      const now = scene.telegram.world.message(panel);
      return now !== undefined && buttonsOf(now).includes(`${toOpen}:zh`) && now;
    });
    const told = await eve.press(choices, `${toOpen}:zh`);
    expect(told.text).toBe(says('settings-not-yours'));
    await scene.idle();
    expect(saidAfter(panel)).toEqual([]);
    expect(scene.telegram.world.message(panel)).toEqual(choices);
    for (const person of [anna, eve]) expect((await ask(person, '/help')).text).toBe(says('help'));
  });

  it('what is kept about them cannot be erased', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, eve] });
    const hers = await scene.answerTo(anna.send(group, { text: '/forget' }));
    await ask(anna, '/lang zh');
    expect((await eve.press(hers, `forget:${anna.id}`)).text).toBe(says('forget-not-yours'));
    expect((await ask(anna, '/help')).text).toBe(says('help', 'zh'));
  });

  it('a group of which one is no admin cannot be forgotten, nor another group than the one it is asked in', async () => {
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

  it('a choice that was offered to them sets nothing of theirs', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, eve] });
    const before = labelsOf(await ask(anna, '/settings'));
    const offer = await scene.answerTo(anna.send(group, { text: '/dialect' }));
    const amdo = buttonsOf(offer).find((data) => data.startsWith('dialect:amdo')) ?? '';
    await eve.press(offer, amdo);
    await scene.idle();
    expect(labelsOf(await ask(anna, '/settings'))).toEqual(before);
  });

  it('a setting of the whole chat is not changed by whoever is no admin of it', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Hers', members: [anna, eve], admins: [anna] });
    const offer = await scene.answerTo(eve.send(group, { text: '/dialect' }));
    const { id } = group.chat;
    const before = scene.telegram.calls.length;
    for (const data of [`dialect:amdo:${id}`, `set:${id}:language:zh`, `lang:zh:${id}`, `forget:${id}`]) {
      await press(eve, data, { message: noLongerShown(offer) });
    }
    await toldSince(before, [
      ...Array.from({ length: 3 }, () => says('settings-of-group')),
      says('forget-not-yours'),
    ]);
    expect(saidAfter(offer)).toEqual([]);
    expect(scene.telegram.world.message(offer)?.text).toBe(offer.text);
  });

  it('a request in doubt is not repeated', async () => {
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna, eve] });
    const asked = scene.beforeService.next('/translation', () => {});
    const told = await scene.answerTo(anna.send(group, { text: `/tibetan ${newChinese()}` }));
    await asked;
    const data = told.reply_markup?.inline_keyboard[0]?.[0]?.callback_data ?? '';
    expect(data).toMatch(/^again:/);
    const before = scene.service.paid().calls;
    await eve.press(told, data);
    await press(eve, data.replace(/[^:]*$/, String(eve.id)), { message: told });
    // One for the text that brings the forged press along.
    expect(scene.service.paid().calls).toBe(before + 1);
  });
});
