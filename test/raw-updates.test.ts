/** The webhook, and what only Telegram itself can send (newer fields, other bots, old presses), given to the bot as it would come there. */
import type * as Telegram from '@grammyjs/types';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { TOKEN } from './bot-process.ts';
import { freePort } from './free-port.ts';
import { hasChinese, isReplyTo, isVoice, labelsOf, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const SECRET = 'webhook-secret_123';
let url: string;
const scene = useScene({
  between: async ({ faults }) => {
    faults.next('setWebhook', { status: 502, times: 2 });
    const port = await freePort();
    url = `http://127.0.0.1:${port}/telegram`;
    return { WEBHOOK_URL: url, WEBHOOK_SECRET: SECRET, PORT: String(port) };
  },
});
let anna: Person;
let group: Group;
beforeAll(() => {
  ({ anna } = scene);
  group = scene.telegram.world.addGroup({ title: 'Readers', members: [anna], privacyMode: false });
});

const calls = (method: string) => scene.telegram.calls.filter((call) => call.method === method);

it('Telegram is told the webhook, again after a failure', () => {
  expect(calls('setWebhook').map(({ ok }) => ok)).toEqual([false, false, true]);
  expect(calls('setWebhook').at(-1)?.payload).toEqual({
    url,
    secret_token: SECRET,
    max_connections: 100,
    allowed_updates: expect.arrayContaining(['message', 'callback_query']),
  });
  expect(calls('getUpdates')).toEqual([]);
});

let updateId = 900_000_000;

/** Sends an update to the bot; gives the HTTP status. */
async function post(content: Record<string, unknown>, secret = SECRET): Promise<number> {
  updateId += 1;
  const { status } = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-telegram-bot-api-secret-token': secret },
    body: JSON.stringify({ update_id: updateId, ...content }),
  });
  return status;
}

/** Delivers an update to the bot. */
async function deliver(content: Record<string, unknown>): Promise<void> {
  expect(await post(content)).toBe(200);
}

/** A message that the local Telegram has, so that it can be replied to; the bot has answered it. */
async function aMessage(chat: Group | Person['chat'] = anna.chat): Promise<Message> {
  const message = anna.send(chat, { text: '/help' });
  await scene.answerTo(message);
  return message;
}

const A_FILE = { file_id: 'x', file_unique_id: 'y' };

type Words = 'text' | 'entities' | 'poll' | 'checklist' | 'rich_message';
type Files =
  | ('animation' | 'audio' | 'document' | 'live_photo' | 'paid_media' | 'photo' | 'sticker' | 'story')
  | ('video' | 'video_note' | 'voice');
type Things = 'contact' | 'dice' | 'game' | 'location' | 'venue';
/** The kinds of service messages. A group's upgrade is told by two of them, which have tests of their own. */
type Reported = Exclude<
  keyof Telegram.Message,
  keyof Telegram.Message.MediaMessage | Words | Files | Things | 'migrate_to_chat_id' | 'migrate_from_chat_id'
>;

/** What each says, as far as it could be taken for something that a person wrote. */
const REPORTS: Record<Reported, unknown> = {
  checklist_tasks_done: {},
  checklist_tasks_added: { tasks: [{ id: 1, text: 'བོད་སྐད།' }] },
  community_chat_added: {},
  community_chat_removed: {},
  suggested_post_info: {},
  suggested_post_approved: {},
  suggested_post_approval_failed: {},
  suggested_post_declined: {},
  suggested_post_paid: {},
  suggested_post_refunded: {},
  chat_owner_left: {},
  chat_owner_changed: {},
  new_chat_members: [{ id: 1, is_bot: false, first_name: 'Pema' }],
  community_chat_joined: {},
  left_chat_member: { id: 1, is_bot: false, first_name: 'Pema' },
  new_chat_title: 'བོད་སྐད།',
  new_chat_photo: [A_FILE],
  delete_chat_photo: true,
  group_chat_created: true,
  supergroup_chat_created: true,
  channel_chat_created: true,
  managed_bot_created: {},
  poll_option_added: { option_text: 'བོད་སྐད།' },
  poll_option_deleted: {},
  message_auto_delete_timer_changed: {},
  pinned_message: { message_id: 1, date: 1, text: 'བོད་སྐད།' },
  invoice: { title: 'བོད་སྐད།', description: '' },
  successful_payment: {},
  refunded_payment: {},
  users_shared: { request_id: 1, users: [{ user_id: 1, photo: [A_FILE] }] },
  chat_shared: {},
  connected_website: 'example.com',
  write_access_allowed: {},
  passport_data: {},
  proximity_alert_triggered: {},
  boost_added: {},
  chat_background_set: { type: { type: 'wallpaper', document: A_FILE } },
  forum_topic_created: { name: 'བོད་སྐད།' },
  forum_topic_edited: {},
  forum_topic_closed: {},
  forum_topic_reopened: {},
  general_forum_topic_hidden: {},
  general_forum_topic_unhidden: {},
  giveaway_created: {},
  giveaway: {},
  giveaway_winners: {},
  giveaway_completed: {},
  gift: { text: 'བོད་སྐད།', gift: { id: '1', sticker: A_FILE } },
  gift_upgrade_sent: {},
  unique_gift: {},
  paid_message_price_changed: {},
  direct_message_price_changed: {},
  video_chat_scheduled: {},
  video_chat_started: {},
  video_chat_ended: {},
  video_chat_participants_invited: {},
  web_app_data: { data: 'བོད་སྐད།', button_text: 'x' },
};

/** A message without its words. */
function bare({ text: _, entities: __, ...message }: Message) {
  return message;
}

/** The same in another message, which the local Telegram has not. */
const later = <T extends { message_id: number }>(message: T): T => ({
  ...message,
  message_id: message.message_id + 1000,
});

/** The words of a command, as Telegram marks them. */
const command = (name: string, rest = '') => ({
  text: `${name} ${rest}`.trim(),
  entities: [{ type: 'bot_command', offset: 0, length: name.length }],
});

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
    ['a sticker', { sticker: A_FILE }],
    ['a voice message', { voice: { ...A_FILE, duration: 2 } }],
    ['a sound', { audio: { ...A_FILE, duration: 2 } }],
    ['a live photo', { live_photo: { ...A_FILE, duration: 2 } }],
    ['a file of a kind not known yet', { hologram: A_FILE }],
    ['a contact', { contact: { phone_number: '+12025550123', first_name: 'Pema' } }],
    ['a place', { location: { latitude: 29.6, longitude: 91.1 } }],
    ['dice', { dice: { emoji: '🎲', value: 4 } }],
    ['a game', { game: { title: 'Chess', description: '', photo: [] } }],
  ])('%s', async (_, content) => {
    const message = await aMessage();
    await deliver({ message: { ...bare(message), ...content } });
    expect((await heardAfter(message)).map(({ text }) => text)).toEqual([says('anything-else')]);
  });
});

it("the discussion group's copy of a post in reply to an answer is not translated", async () => {
  const { world } = scene.telegram;
  const discussion = world.addGroup({ title: 'Talk', members: [anna], admins: [anna], privacyMode: false });
  await scene.answerTo(anna.send(discussion, { text: '/listen on' }));
  const channel = world.addChannel({ title: 'News', admins: [anna], discussion });
  const listens = anna.send(channel, { text: '/listen on' });
  await world.waitForMessage(channel, isReplyTo(listens));
  const heard = anna.send(channel, { text: newTibetan() });
  const answer = await world.waitForMessage(channel, isReplyTo(heard));
  const isCopyOf = (post: Message) => (now: Message) =>
    now.is_automatic_forward === true && now.text === post.text;
  const [copy, own] = await Promise.all(
    [heard, answer].map((post) => world.waitForMessage(discussion, isCopyOf(post))),
  );
  const copyOf = (id: number, content: object) => ({
    ...(copy && later(copy)),
    message_id: 5000 + id,
    text: newTibetan(),
    forward_origin: { type: 'channel', chat: channel.chat, message_id: 5000 + id, date: heard.date },
    ...content,
  });
  const origin = { type: 'channel', chat: channel.chat, message_id: answer.message_id, date: 1 };
  const external_reply = { origin, chat: channel.chat, message_id: answer.message_id };
  const paid = await scene.paidBy(async () => {
    await deliver({ message: copyOf(1, { reply_to_message: own }) });
    await deliver({ message: copyOf(2, { external_reply }) });
    await deliver({ message: copyOf(3, {}) });
    await scene.atRest();
  });
  expect(paid).toBe(1);
});

it('a guest query that comes again under another update id is not answered again', async () => {
  const { telegram, service } = scene;
  const asker = scene.newcomer();
  const chat = telegram.world.addGroup({ title: 'There', members: [asker], botIsMember: false });
  const answers = () => calls('answerGuestQuery').map(({ payload }) => payload.guest_query_id);
  const paid = await scene.paidBy(async () => {
    const endCall = service.faults.hold('translation');
    const mention = asker.send(chat, { text: `@lotsawa_bot ${newTibetan()}` });
    await scene.underWay();
    const again = { guest_message: { ...mention, guest_query_id: answers().at(-1) } };
    await deliver(again);
    endCall();
    await telegram.world.waitForMessage(chat, ({ text }) => hasChinese(text));
    await scene.atRest();
    await deliver(again);
    await scene.atRest();
  });
  expect(answers()).toHaveLength(1);
  expect(paid).toBe(1);
});

it('a forwarded inline result is answered, and only then', async () => {
  const message = await aMessage();
  const sent = { ...bare(message), text: newTibetan(), via_bot: scene.telegram.bot };
  await deliver({ message: sent });
  expect(await heardAfter(message)).toEqual([]);
  const forward_origin = { type: 'hidden_user', sender_user_name: 'Pema', date: 1 };
  await deliver({ message: { ...sent, forward_origin } });
  expect((await heardAfter(message)).map(({ text }) => numberOf(text))).toEqual([numberOf(sent.text)]);
});

it('a late edit of an album’s photo reads that photo alone', async () => {
  const photos = [
    await anna.sendPhoto(anna.chat, await aJpeg()),
    await anna.sendPhoto(anna.chat, await aJpeg()),
  ];
  for (const photo of photos) await scene.answerTo(photo, isReplyTo(photo));
  const message = await aMessage();
  const { world } = scene.telegram;
  const read = async (photo: Message, language: 'bo' | 'zh') => {
    const words = await wordsIn(scene.telegram, photo, language);
    const found = await world.waitForMessage(anna.chat, ({ text }) => text === words, { after: message });
    return found.message_id;
  };
  const parts = photos.map((photo) => ({ photo, part: { ...later(photo), media_group_id: 'late' } }));
  const answers: number[] = [];
  for (const { photo, part } of parts) {
    await deliver({ message: part });
    answers.push(await read(photo, 'bo'));
  }
  for (const { photo, part } of parts.slice(1)) {
    await deliver({ edited_message: { ...part, caption: '中文', edit_date: part.date } });
    expect(await read(photo, 'zh')).toBe(answers.at(-1));
  }
  expect((await heardAfter(message)).map(({ message_id }) => message_id)).toEqual(answers);
});

it('a live location that moves is answered once', async () => {
  const message = await aMessage();
  const at = (longitude: number) => ({
    ...later(bare(message)),
    location: { latitude: 29.6, longitude, live_period: 60 },
  });
  await deliver({ message: at(91.1) });
  for (const longitude of [91.2, 91.3])
    await deliver({ edited_message: { ...at(longitude), edit_date: message.date } });
  expect(await heardAfter(message)).toHaveLength(1);
});

describe('nothing is said to', () => {
  it.each<[string, (message: Message) => Record<string, unknown>]>([
    ['a post in a channel', (message) => ({ channel_post: { ...later(message), text: newTibetan() } })],
    ['an edited post', (message) => ({ edited_channel_post: { ...later(message), text: newTibetan() } })],
    ['a business message', (message) => ({ business_message: { ...later(message), text: newTibetan() } })],
    ['a reaction', ({ chat, from }) => ({ message_reaction: { chat, user: from, message_id: 1, date: 1 } })],
    ['a poll', () => ({ poll: { id: '1', question: 'Tea?', options: [] } })],
    [
      'another bot',
      (message) => {
        const from = { id: 4242, is_bot: true, first_name: 'Other', username: 'other_bot' };
        return { message: { ...later(message), from, ...command('/chinese', newTibetan()) } };
      },
    ],
  ])('%s', async (_, update) => {
    const inGroup = await aMessage(group);
    const alone = await aMessage();
    const paid = await scene.paidBy(async () => {
      await deliver(update(inGroup));
      expect(await heardAfter(inGroup)).toEqual([]);
      expect(await heardAfter(alone)).toEqual([]);
    });
    expect(paid).toBe(0);
  });

  it('what Telegram reports by itself', async () => {
    const message = await aMessage();
    for (const [field, content] of Object.entries({ ...REPORTS, telepathy: {} }))
      await deliver({ message: { ...bare(message), chat: anna.chat, [field]: content } });
    expect(await heardAfter(message)).toEqual([]);
  });
});

it('a /cancel that is delivered again stops nothing that was asked since', async () => {
  const { service } = scene;
  const person = scene.newcomer();
  const started = person.send(person.chat, { text: '/start' });
  await scene.answerTo(started);
  const cancel = { update_id: 905_000_000, message: { ...started, ...command('/cancel') } };
  await deliver(cancel);
  await scene.answerTo(started, ({ text }) => text === says('nothing-to-cancel'));
  const endCall = service.faults.hold('translation');
  const asked = person.send(person.chat, { text: newTibetan() });
  await scene.underWay();
  await deliver(cancel);
  endCall();
  expect((await scene.answerTo(asked)).text).toSatisfy(hasChinese);
});

it('a doubled tap leaves no sign of life behind its answer', async () => {
  const { service, telegram } = scene;
  const result = await scene.ask(anna, newTibetan());
  const endSpeech = service.faults.hold('speech');
  const tap = { from: anna.user, message: result, chat_instance: '1', data: 'speak:chinese' };
  for (const id of ['1', '2']) await deliver({ callback_query: { ...tap, id } });
  await telegram.world.waitUntil(() => telegram.world.chatAction(anna.chat) !== undefined);
  endSpeech();
  await scene.answerTo(result, isVoice);
  await scene.atRest();
  const before = telegram.calls.length;
  // A sign that was left is renewed before one that somebody else gets later.
  const endCall = service.faults.hold('translation');
  const other = scene.newcomer();
  const asked = other.send(other.chat, { text: newTibetan() });
  const callsFor = ({ id }: Person) =>
    telegram.calls.slice(before).filter(({ payload }) => payload.chat_id === id);
  await telegram.world.waitUntil(() => callsFor(other).length > 1);
  endCall();
  await scene.answerTo(asked);
  expect(callsFor(anna)).toEqual([]);
});

it('a notice stays in its topic of a private chat', async () => {
  const message = await aMessage();
  const topic = { is_topic_message: true, message_thread_id: 77 };
  await deliver({ message: { ...message, ...command('/privacy'), ...topic } });
  expect(await heardAfter(message)).toHaveLength(1);
  expect(scene.telegram.calls.some(({ payload }) => payload.message_thread_id === 77)).toBe(true);
});

it('a person who blocks and unblocks the bot hears nothing of it', async () => {
  const message = await aMessage();
  const change = { chat: anna.chat, from: anna.user, date: message.date };
  const [member, kicked] = ['member', 'kicked'].map((status) => ({ user: scene.telegram.bot, status }));
  for (const [old_chat_member, new_chat_member] of [
    [member, kicked],
    [kicked, member],
  ])
    await deliver({ my_chat_member: { ...change, old_chat_member, new_chat_member } });
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

it('an update of unknown shape is logged by its kind alone', async () => {
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
      const last = scene.telegram.world.messages(group).at(-1) as Message;
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
  const press = (message: Message | Record<string, unknown>, data: string) =>
    deliver({ callback_query: { id: '1', from: anna.user, message, chat_instance: '1', data } });
  /** A message that Telegram no longer shows. */
  const old = ({ chat, message_id }: Message) => ({ chat, message_id, date: 0 });

  it.each([
    ['speak:amdo', old],
    ['translate', old],
    // The bot no longer knows it.
    ['from:another:time', (message: Message) => message],
  ])('%s is told so, unpaid', async (data, shown) => {
    const result = await scene.ask(anna, newTibetan());
    const before = calls('answerCallbackQuery').length;
    const paid = await scene.paidBy(async () => {
      await press(shown(result), data);
      const told = await scene.telegram.world.waitUntil(() => calls('answerCallbackQuery')[before]);
      expect(told.payload.text).toBe(says('callback-too-old'));
    });
    expect(paid).toBe(0);
  });

  it('a setting is changed all the same, in place', async () => {
    const panel = await scene.ask(anna, '/settings');
    await press(old(panel), `set:${anna.id}:dialect:amdo`);
    await scene.becomes(panel, (now) => labelsOf(now).some((label) => label.includes(says('amdo'))));
  });
});

it('what comes without the secret is refused, unpaid', async () => {
  const message = await aMessage();
  const paid = await scene.paidBy(async () => {
    expect(await post({ message: { ...message, text: newTibetan() } }, `${SECRET}x`)).toBe(401);
    expect(await heardAfter(message)).toEqual([]);
  });
  expect(paid).toBe(0);
});

it('updates sent while the bot is away come when it is back', async () => {
  const stopAndStart = async (signal: NodeJS.Signals, changes = {}) => {
    await scene.bot().stop(signal);
    const person = scene.newcomer();
    const missed = person.send(person.chat, { text: newTibetan() });
    await scene.restart(signal, changes);
    expect(numberOf((await scene.answerTo(missed)).text)).toBe(numberOf(missed.text));
  };
  await stopAndStart('SIGKILL');
  await stopAndStart('SIGTERM', { WEBHOOK_URL: '', WEBHOOK_SECRET: '' });
  expect(calls('deleteWebhook').map(({ payload }) => payload)).toEqual([{}]);
  const output = () => scene.bot().output();
  await expect.poll(output).toContain('a webhook is set, which forbids polling: deleting it');
  const description = 'Bad Request: bad webhook: Failed to resolve host: Name or service not known';
  scene.telegram.faults.next('setWebhook', { status: 400, description });
  await stopAndStart('SIGTERM');
  await expect.poll(output).toContain('WEBHOOK_URL');
});

it('the log of all this holds neither the secret nor the token', () => {
  for (const secret of [SECRET, TOKEN.split(':')[1]]) expect(scene.log()).not.toContain(secret);
});
