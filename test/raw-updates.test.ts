/** What only Telegram itself can send (newer fields, other bots, old presses), given to the bot by webhook as it would come. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { freePort } from './free-port.ts';
import { hasChinese, isVoice, labelsOf, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { type Scene, startScene } from './scene.ts';

const SECRET = 'raw-secret';
let scene: Scene;
let url: string;
let anna: Person;
let group: Group;
beforeAll(async () => {
  const port = await freePort();
  url = `http://127.0.0.1:${port}/telegram`;
  scene = await startScene({ env: { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET, PORT: String(port) } });
  ({ anna } = scene);
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna], privacyMode: false });
});
afterAll(() => scene.close());

let updateId = 900_000_000;

/** Delivers an update to the bot. */
async function deliver(content: Record<string, unknown>): Promise<void> {
  updateId += 1;
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': SECRET },
    body: JSON.stringify({ update_id: updateId, ...content }),
  });
  expect(status).toBe(200);
}

/** A message that the local Telegram has, so that it can be replied to; the bot has answered it. */
async function aMessage(chat: Group | Person['chat'] = anna.chat): Promise<Message> {
  const message = anna.send(chat, { text: '/help' });
  await scene.answerTo(message);
  return message;
}

/** The bot's messages in the chat after `message`, once it has done all of Anna's work. */
const heardAfter = async (message: Message) =>
  (await scene.everythingAfter(message, anna)).filter(({ text }) => text !== says('help'));

describe('in a private chat it is one line for', () => {
  it.each([
    ['a poll of nothing', { poll: { id: '1', question: '', options: [] } }],
    ['a checklist of nothing', { checklist: { title: ' ', tasks: [{ id: 1, text: '' }] } }],
    ['paid media', { paid_media: { star_count: 5, paid_media: [{ type: 'preview' }] } }],
    ['a story', { story: { chat: { id: 1, type: 'private' }, id: 3 } }],
    ['a video note', { video_note: { file_id: 'x', file_unique_id: 'y', length: 240, duration: 3 } }],
    ['what is not known yet', { telepathy: {} }],
  ])('%s', async (_, content) => {
    const message = await aMessage();
    const { text: __, entities: ___, ...place } = message;
    await deliver({ message: { ...place, ...content } });
    expect((await heardAfter(message)).map(({ text }) => text)).toEqual([says('anything-else')]);
  });
});

it('what was sent from inline mode is answered when it is forwarded to the bot, and only then', async () => {
  const message = await aMessage();
  const { text: _, entities: __, ...place } = message;
  const sent = { ...place, text: newTibetan(), via_bot: scene.telegram.bot };
  await deliver({ message: sent });
  expect(await heardAfter(message)).toEqual([]);
  const forward_origin = { type: 'hidden_user', sender_user_name: 'Pema', date: 1 };
  await deliver({ message: { ...sent, forward_origin } });
  expect((await heardAfter(message)).map(({ text }) => numberOf(text))).toEqual([numberOf(sent.text)]);
});

it('a live location that moves is answered once', async () => {
  const message = await aMessage();
  const { text: _, entities: __, ...place } = message;
  const at = (longitude: number) => ({ ...place, location: { latitude: 29.6, longitude, live_period: 60 } });
  await deliver({ message: { ...at(91.1), message_id: message.message_id + 1000 } });
  for (const longitude of [91.2, 91.3]) {
    await deliver({
      edited_message: { ...at(longitude), message_id: message.message_id + 1000, edit_date: message.date },
    });
  }
  expect(await heardAfter(message)).toHaveLength(1);
});

describe('nothing is said to', () => {
  const about = (message: Message) => ({ ...message, message_id: message.message_id + 1000 });
  it.each<[string, (message: Message) => Record<string, unknown>]>([
    ['a post in a channel', (message) => ({ channel_post: { ...about(message), text: newTibetan() } })],
    ['an edited post', (message) => ({ edited_channel_post: { ...about(message), text: newTibetan() } })],
    ['a business message', (message) => ({ business_message: { ...about(message), text: newTibetan() } })],
    ['a reaction', ({ chat, from }) => ({ message_reaction: { chat, user: from, message_id: 1, date: 1 } })],
    ['a poll', () => ({ poll: { id: '1', question: 'Tea?', options: [] } })],
    ['another bot', (message) => otherBot(message)],
    ['a topic made in the chat', (message) => ({ message: { ...bare(message), forum_topic_created: {} } })],
    ['a gift upgraded', (message) => ({ message: { ...bare(message), gift_upgrade_sent: {} } })],
    ['a task ticked off', (message) => ({ message: { ...bare(message), checklist_tasks_done: {} } })],
  ])('%s', async (_, update) => {
    const message = await aMessage(group);
    const inPrivate = await aMessage();
    const paid = await scene.paidBy(async () => {
      await deliver(update(message));
      expect(await heardAfter(message)).toEqual([]);
      expect(await heardAfter(inPrivate)).toEqual([]);
    });
    expect(paid).toBe(0);
  });

  function bare({ text: _, entities: __, ...message }: Message) {
    return { ...message, chat: anna.chat };
  }
  function otherBot(message: Message) {
    const from = { id: 4242, is_bot: true, first_name: 'Other', username: 'other_bot' };
    const text = `/chinese ${newTibetan()}`;
    return {
      message: { ...about(message), from, text, entities: [{ type: 'bot_command', offset: 0, length: 8 }] },
    };
  }
});

it('a /cancel that is delivered again stops nothing that was asked since', async () => {
  const { service, telegram } = scene;
  const person = scene.newcomer();
  const started = person.send(person.chat, { text: '/start' });
  await scene.answerTo(started);
  const cancel = {
    update_id: 905_000_000,
    message: {
      ...started,
      text: '/cancel',
      entities: [{ type: 'bot_command', offset: 0, length: 7 }],
    },
  };
  await deliver(cancel);
  await scene.answerTo(started, ({ text }) => text === says('nothing-to-cancel'));
  const endCall = service.faults.hold('translation');
  const asked = person.send(person.chat, { text: newTibetan() });
  await telegram.world.waitUntil(() => service.calls.some(({ outcome }) => outcome === 'running'));
  await deliver(cancel);
  endCall();
  expect((await scene.answerTo(asked)).text).toSatisfy(hasChinese);
});

it('a tap that comes as two callback queries leaves no sign of life behind its answer', async () => {
  const { service, telegram } = scene;
  const result = await scene.ask(anna, newTibetan());
  service.faults.next('speech', { type: 'slow', ms: 300 });
  const tap = { from: anna.user, message: result, chat_instance: '1', data: 'speak:chinese' };
  for (const id of ['1', '2']) await deliver({ callback_query: { ...tap, id } });
  await scene.answerTo(result, isVoice);
  // A sign that was left is shown again long before this is answered.
  service.faults.next('translation', { type: 'slow', ms: 1000 });
  await scene.ask(scene.newcomer(), newTibetan());
  const methods = telegram.calls
    .filter(({ payload }) => payload.chat_id === anna.id)
    .map(({ method }) => method);
  expect(methods.slice(methods.lastIndexOf('sendVoice'))).toEqual(['sendVoice']);
});

it('a notice stays in the topic of a private chat in which it was asked for', async () => {
  const message = await aMessage();
  const { text: _, entities: __, ...place } = message;
  const entities = [{ type: 'bot_command', offset: 0, length: 8 }];
  await deliver({
    message: { ...place, text: '/privacy', entities, is_topic_message: true, message_thread_id: 77 },
  });
  expect(await heardAfter(message)).toHaveLength(1);
  expect(scene.telegram.calls.some(({ payload }) => payload.message_thread_id === 77)).toBe(true);
});

it('a person who blocks and unblocks the bot hears nothing of it', async () => {
  const message = await aMessage();
  for (const [before, after] of [
    ['member', 'kicked'],
    ['kicked', 'member'],
  ]) {
    const change = { chat: anna.chat, from: anna.user, date: message.date };
    const member = (status: string | undefined) => ({ user: scene.telegram.bot, status });
    await deliver({
      my_chat_member: { ...change, old_chat_member: member(before), new_chat_member: member(after) },
    });
  }
  expect(await heardAfter(message)).toEqual([]);
});

it('a mention without the username counts as one, wherever it stands', async () => {
  const message = await aMessage(group);
  const text = newTibetan();
  const entity = { type: 'text_mention', offset: text.length + 1, length: 8, user: scene.telegram.bot };
  await deliver({ message: { ...message, text: `${text} Lotsawa!`, entities: [entity] } });
  const [answer] = await heardAfter(message);
  expect(answer?.text).toSatisfy(hasChinese);
  expect(numberOf(answer?.text)).toBe(numberOf(text));
});

it('what has a shape that the bot does not know stands in the log, by its kind alone', async () => {
  const { from, chat, message_id, date } = await aMessage();
  const before = scene.log().length;
  const log = () => scene.log().slice(before);
  await deliver({ message: { from, chat, message_id, date: 'today', text: 'hidden' } });
  await deliver({ channel_post: { message_id, date: 'today', chat, text: 'hidden' } });
  await deliver({ inline_query: { id: '1', query: 'hidden' } });
  const warnings = () =>
    [...log().matchAll(/"level":"warn",.*"kind":"(\w+)".*skipped an update/gu)].map(([, kind]) => kind);
  await expect.poll(warnings).toEqual(['message', 'channel_post', 'inline_query']);
  // Another bot's mention is not for the bot to answer.
  const other = { ...from, is_bot: true };
  await deliver({ guest_message: { from: other, chat, message_id, date, guest_query_id: '1' } });
  await aMessage();
  expect(warnings()).toHaveLength(3);
  expect(log()).not.toContain('hidden');
});

describe('a reply to a message in another chat', () => {
  const command = (text: string) => ({
    text,
    entities: [{ type: 'bot_command', offset: 0, length: text.length }],
  });

  it('means its photo, which can be read in the other language, too', async () => {
    const { photo } = await anna.sendPhoto(anna.chat, await aJpeg());
    const message = await aMessage(group);
    const external_reply = { origin: { type: 'hidden_user' }, photo };
    await deliver({ message: { ...message, ...command('/ocr'), external_reply } });
    const [answer] = await heardAfter(message);
    const words = (language: 'bo' | 'zh') =>
      wordsIn(scene.telegram, { ...message, ...(photo && { photo }) }, language);
    expect(answer?.text).toBe(await words('bo'));
    for (const language of ['zh', 'bo'] as const) {
      const last = scene.telegram.world.messages(group).at(-1);
      if (last === undefined) throw new Error('there is no answer');
      await anna.press(last, says(`button-read-${language === 'zh' ? 'chinese' : 'tibetan'}`));
      expect((await scene.answerTo(last)).text).toBe(await words(language));
    }
  });

  it('means the text that Telegram quotes of it', async () => {
    const message = await aMessage(group);
    const text = newTibetan();
    const external_reply = { origin: { type: 'hidden_user' } };
    await deliver({
      message: { ...message, ...command('/chinese'), external_reply, quote: { text, position: 0 } },
    });
    const [answer] = await heardAfter(message);
    expect(numberOf(answer?.text)).toBe(numberOf(text));
    expect(answer?.text).toSatisfy(hasChinese);
  });
});

describe('a press on a button that is years old', () => {
  async function press(message: Message, data: string, old: boolean): Promise<void> {
    const { chat, message_id } = message;
    const pressed = old ? { chat, message_id, date: 0 } : message;
    await deliver({
      callback_query: { id: '1', from: anna.user, message: pressed, chat_instance: '1', data },
    });
  }

  /** The text of the answer to the callback query. */
  async function toldAfter(work: () => Promise<void>): Promise<unknown> {
    const { calls, world } = scene.telegram;
    const before = calls.length;
    await work();
    const answered = await world.waitUntil(() =>
      calls.slice(before).find(({ method }) => method === 'answerCallbackQuery'),
    );
    return answered.payload.text;
  }

  it.each(['speak:amdo', 'translate'])(
    '%s, whose message Telegram no longer shows, is told so',
    async (data) => {
      const result = await scene.ask(anna, newTibetan());
      const paid = await scene.paidBy(async () => {
        expect(await toldAfter(() => press(result, data, true))).toBe(says('callback-too-old'));
      });
      expect(paid).toBe(0);
    },
  );

  it('a setting is changed all the same, in place', async () => {
    const panel = await scene.ask(anna, '/settings');
    const { chat, message_id } = panel;
    const data = `set:${anna.id}:dialect:amdo`;
    const message = { chat, message_id, date: 0 };
    await deliver({ callback_query: { id: '1', from: anna.user, message, chat_instance: '1', data } });
    await scene.becomes(panel, (now) => labelsOf(now).some((label) => label.includes(says('amdo'))));
  });

  it('one that the bot no longer knows is told to be old', async () => {
    const result = await scene.ask(anna, newTibetan());
    expect(await toldAfter(() => press(result, 'from:another:time', false))).toBe(says('callback-too-old'));
  });
});
