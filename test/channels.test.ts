/** Channels: where an admin posts /listen on, every post in Tibetan or Chinese is answered there with its translation. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { NewChannel } from '../sandbox/telegram/new-group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { aPdf } from './media/pdfs.ts';
import { buttonsOf, hasChinese, hasTibetan, newChinese, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, sendPage } from './pictures.ts';
import { startScene } from './scene.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let owner: Person;
beforeAll(async () => {
  owner = scene.newcomer();
});

function newChannel(options: Partial<NewChannel> = {}): Group {
  return scene.telegram.world.addChannel({ title: 'News', admins: [owner], ...options });
}

/** What the bot has posted in reply to a post, once it is there. */
function replyTo(post: Message): Promise<Message> {
  return scene.telegram.world.waitForMessage(
    post.chat,
    ({ reply_to_message: replied }) => replied?.message_id === post.message_id,
  );
}

async function listening(options: Partial<NewChannel> = {}): Promise<Group> {
  const channel = newChannel(options);
  expect((await replyTo(owner.send(channel, { text: '/listen on' }))).text).toBe(says('listen-on'));
  return channel;
}

/** All replies to a post, once the bot has answered what was posted after it: it answers a channel in order. */
async function repliesTo(post: Message): Promise<Message[]> {
  await replyTo(owner.send(post.chat, { text: '/quota' }));
  const all = scene.telegram.world.messages(post.chat);
  return all.filter(({ reply_to_message: replied }) => replied?.message_id === post.message_id);
}

describe('a channel that the bot listens to', () => {
  let channel: Group;
  beforeAll(async () => {
    channel = await listening();
  });

  it('has each post translated, as a reply, without buttons that any reader could press', async () => {
    const answer = await replyTo(owner.send(channel, { text: newTibetan() }));
    expect(answer.text).toSatisfy(hasChinese);
    const buttons = answer.reply_markup?.inline_keyboard.flat() ?? [];
    expect(buttons.filter(({ callback_data }) => callback_data !== undefined)).toEqual([]);
    expect((await replyTo(owner.send(channel, { text: newChinese() }))).text).toSatisfy(hasTibetan);
  });

  it('has the caption of a photo translated, and the photo not read', async () => {
    const paid = await scene.paidBy(async () => {
      const post = await owner.sendPhoto(channel, await aJpeg(), { caption: newTibetan() });
      expect((await replyTo(post)).text).toSatisfy(hasChinese);
    });
    expect(paid).toBe(1);
  });

  it('has the answer follow an edit of its post', async () => {
    const post = owner.send(channel, { text: newTibetan() });
    const answer = await replyTo(post);
    const text = newTibetan();
    owner.editText(post, text);
    const edited = await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
    expect(edited.text).toSatisfy(hasChinese);
    expect(await repliesTo(post)).toHaveLength(1);
  });

  it('hears nothing about posts in other languages, mentions of the bot, and other bots’ commands', async () => {
    const { username } = scene.telegram.bot;
    const paid = await scene.paidBy(async () => {
      for (const text of ['good morning', `write to @${username}`, `/say@other_bot ${newTibetan()}`])
        expect(await repliesTo(owner.send(channel, { text }))).toEqual([]);
    });
    expect(paid).toBe(0);
  });

  it('sees no chat action and no progress', async () => {
    const before = scene.telegram.calls.length;
    await replyTo(owner.send(channel, { text: newTibetan() }));
    const methods = scene.telegram.calls.slice(before).map(({ method }) => method);
    expect(methods).not.toContain('sendChatAction');
  });

  it('is listened to after a restart, and no more after /listen off', async () => {
    await scene.restart();
    expect((await replyTo(owner.send(channel, { text: newTibetan() }))).text).toSatisfy(hasChinese);
    expect((await replyTo(owner.send(channel, { text: '/listen off' }))).text).toBe(says('listen-off'));
    expect(await repliesTo(owner.send(channel, { text: newTibetan() }))).toEqual([]);
  });
});

it('orders and what is said to them go, in the language of the owner; what Telegram does not let go, stays', async () => {
  const { world, faults } = scene.telegram;
  const tenzin = scene.newcomer({ languageCode: 'bo' });
  const channel = newChannel({ admins: [tenzin] });
  const post = tenzin.send(channel, { text: newTibetan() });
  const order = tenzin.send(channel, { text: '/listen on' });
  const confirmation = await replyTo(order);
  expect(confirmation.text).toBe(says('listen-on', 'bo'));
  const heard = tenzin.send(channel, { text: newTibetan() });
  const answer = await replyTo(heard);
  expect(JSON.stringify(answer.reply_markup)).toContain(says('button-copy', 'bo'));
  faults.next('deleteMessage', {
    status: 400,
    description: "Bad Request: message can't be deleted",
    times: 2,
  });
  for (const text of ['/quota', '/listen']) await replyTo(tenzin.send(channel, { text }));
  const ids = () => world.messages(channel).map(({ message_id }) => message_id);
  const posts = [post, heard, answer].map(({ message_id }) => message_id);
  await world.waitUntil(() => ids().length === posts.length + 2);
  expect(ids()).toEqual(expect.arrayContaining(posts));
  expect((await replyTo(tenzin.send(channel, { text: newTibetan() }))).text).toSatisfy(hasChinese);
});

it('a channel where nobody said /listen on is left alone, also when the bot is added', async () => {
  const channel = newChannel({ botIsAdmin: false });
  channel.addBot(owner);
  expect(await repliesTo(owner.send(channel, { text: newTibetan() }))).toEqual([]);
  const said = scene.telegram.world.messages(channel);
  expect(said.map(({ text }) => text)).not.toContain(
    says('welcome', 'en', { username: scene.telegram.bot.username }),
  );
});

describe('what its admins have read in a channel', () => {
  const scans = async (count: number) => {
    const pictures = await Promise.all(Array.from({ length: count }, aJpeg));
    return aPdf(
      pictures.map((bytes) => ({ jpeg: { bytes, width: 320, height: 200 }, size: [160, 100] as const })),
    );
  };
  const asPdf = { fileName: 'book.pdf', mimeType: 'application/pdf' };

  it('has no buttons by which a reader could have the bot post', async () => {
    const channel = newChannel();
    const page = await replyTo(await sendPage(owner, channel, newTibetan(), `/ocr ${newChinese()}`));
    expect(page.text).toSatisfy(hasTibetan);
    const pdf = await owner.sendDocument(channel, await scans(1), { ...asPdf, caption: '/ocr' });
    const file = await replyTo(pdf);
    expect(file.text).toContain('📄');
    for (const answer of [page, file])
      expect(buttonsOf(answer).filter((data) => data !== 'copy')).toEqual([]);
  });

  it('is paid for only when an admin says yes to its price', async () => {
    const [channel, reader] = [newChannel(), scene.newcomer()];
    const pdf = await owner.sendDocument(channel, await scans(11), { ...asPdf, caption: '/ocr' });
    const question = await replyTo(pdf);
    const paid = await scene.paidBy(async () => {
      const { text } = await reader.press(question, says('button-go-on'));
      expect(text).toBe(says('costly-not-yours'));
      await owner.press(question, says('button-no'));
      await scene.becomes(question, (now) => now.text === says('costly-not-done'));
    });
    expect(paid).toBe(0);
  });
});

it('/quota of a channel ends what is paid for there, without a word', async () => {
  const channel = await listening();
  const set = await replyTo(owner.send(channel, { text: '/quota 1' }));
  expect(set.text).toBe(says('quota-set', 'en', { chat: 'channel', limit: 1, left: 1 }));
  const paid = await scene.paidBy(async () => {
    expect((await replyTo(owner.send(channel, { text: newTibetan() }))).text).toSatisfy(hasChinese);
    expect(await repliesTo(owner.send(channel, { text: newTibetan() }))).toEqual([]);
  });
  expect(paid).toBe(1);
});

it('the bot does not answer itself, though Telegram tells it of its own posts, and of their edits', async () => {
  const channel = await listening({ isEchoed: true });
  const post = owner.send(channel, { text: newTibetan() });
  const answer = await replyTo(post);
  const text = newTibetan();
  owner.editText(post, text);
  await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  const paid = await scene.paidBy(async () => expect(await repliesTo(answer)).toEqual([]));
  expect(paid).toBe(0);
});

/** A discussion group and its channel, in both of which the bot listens. */
async function listeningDiscussion(): Promise<{ group: Group; channel: Group }> {
  const group = scene.telegram.world.addGroup({
    title: 'Discussion',
    type: 'supergroup',
    members: [],
    admins: [owner],
    privacyMode: false,
  });
  await scene.answerTo(owner.send(group, { text: '/listen on' }));
  return { group, channel: await listening({ discussion: group }) };
}

it('a post is paid for once though its discussion group hears it as well, and the answer is not answered there', async () => {
  const { group, channel } = await listeningDiscussion();
  const text = newTibetan();
  const paid = await scene.paidBy(async () => {
    const answer = await replyTo(owner.send(channel, { text }));
    const { world } = scene.telegram;
    const forwarded = await world.waitForMessage(group, (message) => message.text === text);
    expect((await replyTo(forwarded)).text).toBe(answer.text);
    const own = await world.waitForMessage(
      group,
      (now) => now.text === answer.text && now.is_automatic_forward === true,
    );
    expect(await repliesTo(own)).toEqual([]);
  });
  expect(paid).toBe(1);
});

describe('in the discussion group of a channel, where the bot listens as well', () => {
  let channel: Group;
  let group: Group;
  /** The copy of a post that Telegram puts into the group. */
  const copyOf = ({ text, caption }: Message) =>
    scene.telegram.world.waitForMessage(
      group,
      (now) => now.is_automatic_forward === true && now.text === text && now.caption === caption,
    );
  /** What the bot has said about the copies of these posts, once it has answered a later one: it answers them in order. */
  const saidAboutCopies = async (posts: readonly Message[]) => {
    const copies = await Promise.all(posts.map(copyOf));
    await replyTo(await copyOf(owner.send(channel, { text: newTibetan() })));
    return scene.telegram.world
      .messages(group)
      .filter(({ reply_to_message: to }) => copies.some(({ message_id }) => message_id === to?.message_id));
  };
  beforeAll(async () => {
    ({ group, channel } = await listeningDiscussion());
  });

  it('a command of the channel is not carried out a second time', async () => {
    const settings = owner.send(channel, { text: '/dialect amdo' });
    const speech = owner.send(channel, { text: `/speak ${newTibetan()}` });
    const page = await sendPage(owner, channel, newTibetan(), '/ocr');
    for (const post of [settings, speech, page]) await replyTo(post);
    expect(await saidAboutCopies([settings, speech, page])).toEqual([]);
  });

  it('a long answer of the bot is not answered, though its beginning comes before its end is posted', async () => {
    scene.service.faults.next('translation', 'undocumented-error');
    const text = `${'今天天气很好。'.repeat(400)} ${numberOf(newChinese())}`;
    const post = owner.send(channel, { text: `/tibetan ${text}` });
    const failure = await replyTo(post);
    scene.telegram.faults.next('sendMessage', { mode: 'delay', delayMs: 500, times: 2 });
    await owner.press(failure, says('button-try-again'));
    await scene.becomes(failure, (now) => hasTibetan(now.text));
    const answers = await repliesTo(post);
    expect(answers).toHaveLength(3);
    // The copy of the first was the failure.
    expect(await saidAboutCopies(answers.slice(1))).toEqual([]);
  });

  it('a command is carried out where the bot is not in the channel', async () => {
    const other = newChannel({ discussion: group, botIsAdmin: false });
    const copy = await copyOf(owner.send(other, { text: `/chinese ${newTibetan()}` }));
    expect((await replyTo(copy)).text).toSatisfy(hasChinese);
  });
});

describe('a channel where the bot may not write', () => {
  it('costs nothing, is tried no more, and hinders nobody', async () => {
    const channel = await listening();
    channel.setBotMayPost(false);
    const before = scene.telegram.calls.length;
    const paid = await scene.paidBy(async () => {
      owner.send(channel, { text: newTibetan() });
      owner.send(channel, { text: '/quota' });
      channel.setBotMayPost(true);
      channel.setBotMayPost(false);
      await scene.telegram.world.waitUntil(
        () =>
          scene.telegram.calls.slice(before).filter(({ method }) => method === 'getChatMember').length >= 2,
      );
      await scene.ask(scene.anna, '/help');
    });
    expect(paid).toBe(0);
    const refused = scene.telegram.calls.slice(before).filter(({ ok, answered }) => answered && !ok);
    expect(refused).toEqual([]);
    channel.setBotMayPost(true);
    expect((await replyTo(owner.send(channel, { text: newTibetan() }))).text).toSatisfy(hasChinese);
  });
});

it('/listen skip leaves a member’s texts alone where the bot listens, until /listen me', async () => {
  const pema = scene.newcomer();
  const group = scene.telegram.world.addGroup({
    title: 'Readers',
    type: 'supergroup',
    members: [pema],
    admins: [owner],
    privacyMode: false,
  });
  const say = async (person: Person, text: string) =>
    (await scene.answerTo(person.send(group, { text }))).text;
  await say(owner, '/listen on');
  expect(await say(pema, '/listen skip')).toBe(says('listen-skip'));
  expect(await scene.everythingAfter(pema.send(group, { text: newTibetan() }), pema)).toEqual([]);
  expect(await say(owner, newTibetan())).toSatisfy(hasChinese);
  expect(await say(pema, `@${scene.telegram.bot.username} ${newTibetan()}`)).toSatisfy(hasChinese);
  expect(await say(pema, '/listen me')).toBe(says('listen-me'));
  expect(await say(pema, newTibetan())).toSatisfy(hasChinese);
});

const NEWS_OF_ACCESS = new Set([says('access-group-waits'), says('welcome')]);

it('a channel is let in as a group is', async () => {
  const strict = await startScene({ env: { ACCESS: 'members', ADMIN_IDS: '42' } });
  const [member, stranger] = [strict.newcomer({ id: 42 }), strict.newcomer()];
  const { world } = strict.telegram;
  const say = (person: Person, channel: Group, text: string) => person.send(channel, { text });
  const reply = (post: Message, text?: string) =>
    world.waitForMessage(
      post.chat,
      (answer) => answer.message_id > post.message_id && (text === undefined || answer.text === text),
    );

  const ours = world.addChannel({ title: 'Ours', admins: [member], botIsAdmin: false });
  ours.addBot(member);
  await reply(say(member, ours, '/listen on'), says('listen-on'));
  expect((await reply(say(member, ours, newTibetan()))).text).toSatisfy(hasChinese);

  const theirs = world.addChannel({ title: 'Theirs', admins: [stranger], botIsAdmin: false });
  theirs.addBot(stranger);
  const asked = await world.waitForMessage(member.chat, ({ text = '' }) => text.includes('Theirs'));
  expect(asked.reply_markup?.inline_keyboard.flat()).not.toEqual([]);
  const paid = await strict.paidBy(async () => {
    say(stranger, theirs, '/listen on');
    say(stranger, theirs, newTibetan());
    await strict.ask(member, '/help');
  });
  expect(paid).toBe(0);

  await member.press(asked, says('button-let-in'));
  await strict.becomes(asked, (now) => now.reply_markup === undefined);
  const heard = await reply(say(stranger, theirs, '/listen on'), says('listen-on'));
  // Its readers were told nothing of all this.
  const byBot = world.messages(theirs).filter(({ text }) => text !== undefined && NEWS_OF_ACCESS.has(text));
  expect(byBot).toEqual([]);
  expect(heard.reply_to_message).toBeDefined();
  await strict.close();
});
