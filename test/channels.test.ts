/** Channels: where an admin posts /listen on, every post in Tibetan or Chinese is answered there with its translation. */
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { NewChannel } from '../sandbox/telegram/new-group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isReplyTo,
  isVoice,
  newChinese,
  newTibetan,
  numberOf,
  says,
} from './phrases.ts';
import { aJpeg, scans, sendPage, sendPdf } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let owner: Person;
beforeAll(async () => {
  owner = scene.newcomer();
});

function newChannel(options: Partial<NewChannel> = {}): Group {
  return scene.telegram.world.addChannel({ title: 'News', admins: [owner], ...options });
}

const post = (channel: { id: number }, text: string) => owner.send(channel, { text });

/** What the bot has posted in reply to a post, once it is there. */
function replyTo(post: Message): Promise<Message> {
  return scene.telegram.world.waitForMessage(post.chat, isReplyTo(post));
}

async function listening(options: Partial<NewChannel> = {}): Promise<Group> {
  const channel = newChannel(options);
  expect((await replyTo(post(channel, '/listen on'))).text).toBe(says('listen-on'));
  return channel;
}

/** All replies to a post, once the bot has answered what was posted after it: it answers a channel in order. */
async function repliesTo(message: Message): Promise<Message[]> {
  await replyTo(post(message.chat, '/quota'));
  return scene.telegram.world.messages(message.chat).filter(isReplyTo(message));
}

// The first here: it has the next deletions fail, and other channels have orders that go as well.
it('orders and their confirmations go from among the posts', async () => {
  const { world, faults } = scene.telegram;
  const tenzin = scene.newcomer({ languageCode: 'bo' });
  const channel = newChannel({ admins: [tenzin] });
  const say = (text: string) => tenzin.send(channel, { text });
  const before = say(newTibetan());
  expect((await replyTo(say('/listen on'))).text).toBe(says('listen-on', 'bo'));
  const heard = say(newTibetan());
  const answer = await replyTo(heard);
  expect(JSON.stringify(answer.reply_markup)).toContain(says('button-copy', 'bo'));
  faults.next('deleteMessage', {
    status: 400,
    description: "Bad Request: message can't be deleted",
    times: 2,
  });
  for (const text of ['/quota', '/listen']) await replyTo(say(text));
  const ids = () => world.messages(channel).map(({ message_id }) => message_id);
  const posts = [before, heard, answer].map(({ message_id }) => message_id);
  await world.waitUntil(() => ids().length === posts.length + 2);
  expect(ids()).toEqual(expect.arrayContaining(posts));
  expect((await replyTo(say(newTibetan()))).text).toSatisfy(hasChinese);
});

describe('a channel that the bot listens to', () => {
  let channel: Group;
  beforeAll(async () => {
    channel = await listening();
  });

  it('a listening channel has each post translated, as a plain reply', async () => {
    const before = scene.telegram.calls.length;
    const answer = await replyTo(post(channel, newTibetan()));
    expect(answer.text).toSatisfy(hasChinese);
    expect(buttonsOf(answer)).toEqual(['copy']);
    expect((await replyTo(post(channel, newChinese()))).text).toSatisfy(hasTibetan);
    const methods = scene.telegram.calls.slice(before).map(({ method }) => method);
    expect(methods).not.toContain('sendChatAction');
  });

  it('has the caption of a photo translated, and the photo not read', async () => {
    const paid = await scene.paidBy(async () => {
      const sent = await owner.sendPhoto(channel, await aJpeg(), { caption: newTibetan() });
      expect((await replyTo(sent)).text).toSatisfy(hasChinese);
    });
    expect(paid).toBe(1);
  });

  it('hears nothing about posts in other languages, mentions of the bot, and other bots’ commands', async () => {
    const { username } = scene.telegram.bot;
    const paid = await scene.paidBy(async () => {
      for (const text of ['good morning', `write to @${username}`, `/say@other_bot ${newTibetan()}`])
        expect(await repliesTo(post(channel, text))).toEqual([]);
    });
    expect(paid).toBe(0);
  });

  describe('and where another bot translates, too', () => {
    let heard: Message;
    let answer: Message;
    beforeAll(async () => {
      heard = post(channel, newTibetan());
      answer = await replyTo(heard);
    });

    it.each<[string, () => Message]>([
      ['a reply to an answer', () => owner.send(channel, { text: newTibetan(), replyTo: answer })],
      [
        'the caption of a reply to an answer',
        () => owner.sendOther(channel, 'video', { caption: newChinese(), replyTo: answer }),
      ],
      ['an answer that is forwarded', () => owner.forward(answer, channel)],
      ['the text of an answer', () => post(channel, answer.text ?? '')],
      ['the text of an answer in other spaces', () => post(channel, `\u200b${answer.text}\n`)],
    ])('%s is not translated', async (_, send) => {
      const paid = await scene.paidBy(async () => expect(await repliesTo(send())).toEqual([]));
      expect(paid).toBe(0);
    });

    it('a reply to a post of somebody else is translated', async () => {
      const reply = owner.send(channel, { text: newChinese(), replyTo: heard });
      expect((await replyTo(reply)).text).toSatisfy(hasTibetan);
    });

    it('a command in reply to an answer is carried out', async () => {
      const command = owner.send(channel, { text: '/speak', replyTo: answer });
      await scene.telegram.world.waitForMessage(channel, isVoice, { after: command });
    });
  });

  it('is listened to after a restart, and no more after /listen off', async () => {
    await scene.restart();
    expect((await replyTo(post(channel, newTibetan()))).text).toSatisfy(hasChinese);
    expect((await replyTo(post(channel, '/listen off'))).text).toBe(says('listen-off'));
    expect(await repliesTo(post(channel, newTibetan()))).toEqual([]);
  });
});

it('a channel without /listen on is left alone', async () => {
  const channel = newChannel({ botIsAdmin: false });
  channel.addBot(owner);
  expect(await repliesTo(post(channel, newTibetan()))).toEqual([]);
  const said = scene.telegram.world.messages(channel).map(({ text }) => text);
  expect(said).not.toContain(says('welcome'));
});

it('an admin’s reading in a channel has no buttons for readers', async () => {
  const channel = newChannel();
  const page = await replyTo(await sendPage(owner, channel, newTibetan(), `/ocr ${newChinese()}`));
  expect(page.text).toSatisfy(hasTibetan);
  const file = await replyTo(await sendPdf(owner, channel, await scans(1), '/ocr'));
  expect(file.text).toContain('📄');
  for (const answer of [page, file]) expect(buttonsOf(answer).filter((data) => data !== 'copy')).toEqual([]);
});

it('an admin’s costly reading in a channel asks for the price', async () => {
  const [channel, reader] = [newChannel(), scene.newcomer()];
  const question = await replyTo(await sendPdf(owner, channel, await scans(11), '/ocr'));
  const paid = await scene.paidBy(async () => {
    const { text } = await reader.press(question, says('button-go-on'));
    expect(text).toBe(says('costly-not-yours'));
    await owner.press(question, says('button-no'));
    await scene.becomes(question, (now) => now.text === says('costly-not-done'));
  });
  expect(paid).toBe(0);
});

it('/quota of a channel ends what is paid for there, without a word', async () => {
  const channel = await listening();
  const set = await replyTo(post(channel, '/quota 1'));
  expect(set.text).toBe(says('quota-set', 'en', { chat: 'channel', limit: 1, left: 1 }));
  const paid = await scene.paidBy(async () => {
    expect((await replyTo(post(channel, newTibetan()))).text).toSatisfy(hasChinese);
    expect(await repliesTo(post(channel, newTibetan()))).toEqual([]);
  });
  expect(paid).toBe(1);
});

it('an answer follows the edit of its post, and answers no answer', async () => {
  const channel = await listening({ isEchoed: true });
  const edited = post(channel, newTibetan());
  const answer = await replyTo(edited);
  const text = newTibetan();
  owner.editText(edited, text);
  const after = await scene.becomes(answer, (now) => numberOf(now.text) === numberOf(text));
  expect(after.text).toSatisfy(hasChinese);
  expect(await repliesTo(edited)).toHaveLength(1);
  const paid = await scene.paidBy(async () => expect(await repliesTo(answer)).toEqual([]));
  expect(paid).toBe(0);
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
    await replyTo(await copyOf(post(channel, newTibetan())));
    return copies.flatMap((copy) => scene.telegram.world.messages(group).filter(isReplyTo(copy)));
  };
  beforeAll(async () => {
    group = scene.telegram.world.addGroup({
      title: 'Discussion',
      type: 'supergroup',
      members: [],
      admins: [owner],
      privacyMode: false,
    });
    await scene.answerTo(post(group, '/listen on'));
    channel = await listening({ discussion: group });
  });

  it('a post heard in channel and group is paid for once', async () => {
    const paid = await scene.paidBy(async () => {
      const news = post(channel, newTibetan());
      const answer = await replyTo(news);
      expect((await replyTo(await copyOf(news))).text).toBe(answer.text);
      const own = await copyOf(answer);
      expect(await repliesTo(own)).toEqual([]);
    });
    expect(paid).toBe(1);
  });

  it('a comment on an answer is translated', async () => {
    const copied = await copyOf(await replyTo(post(channel, newTibetan())));
    const comment = owner.send(group, { text: newChinese(), replyTo: copied });
    expect((await replyTo(comment)).text).toSatisfy(hasTibetan);
  });

  it('an answer that a member forwards there is not translated back', async () => {
    const answer = await scene.ask(owner, newTibetan());
    const paid = await scene.paidBy(async () =>
      expect(await repliesTo(owner.forward(answer, group))).toEqual([]),
    );
    expect(paid).toBe(0);
  });

  it('a command of the channel is not carried out a second time', async () => {
    const settings = post(channel, '/dialect amdo');
    const speech = post(channel, `/speak ${newTibetan()}`);
    const page = await sendPage(owner, channel, newTibetan(), '/ocr');
    for (const command of [settings, speech, page]) await replyTo(command);
    expect(await saidAboutCopies([settings, speech, page])).toEqual([]);
  });

  it('an answer that names the bot is not taken for a mention', async () => {
    const help = await replyTo(post(channel, '/help'));
    expect(help.text).toContain('@lotsawa_bot');
    expect(await saidAboutCopies([help])).toEqual([]);
  });

  it('a long answer of the bot in a channel is not answered', async () => {
    scene.service.faults.next('translation', 'undocumented-error');
    const text = `${'今天天气很好。'.repeat(400)} ${numberOf(newChinese())}`;
    const long = post(channel, `/tibetan ${text}`);
    const failure = await replyTo(long);
    const { world, faults } = scene.telegram;
    const [postSecond, postThird] = [faults.hold('sendMessage'), faults.hold('sendMessage')];
    await owner.press(failure, says('button-try-again'));
    await scene.becomes(failure, (now) => hasTibetan(now.text));
    postSecond();
    await copyOf(await world.waitForMessage(channel, (now) => hasTibetan(now.text), { after: failure }));
    await world.waitUntil(() => scene.telegram.pendingUpdateCount === 0);
    postThird();
    const answers = await repliesTo(long);
    expect(answers).toHaveLength(3);
    // The copy of the first was the failure.
    expect(await saidAboutCopies(answers.slice(1))).toEqual([]);
  });

  it('a command is carried out where the bot is not in the channel', async () => {
    const other = newChannel({ discussion: group, botIsAdmin: false });
    const copy = await copyOf(post(other, `/chinese ${newTibetan()}`));
    expect((await replyTo(copy)).text).toSatisfy(hasChinese);
  });
});

it('a channel where the bot may not write costs nothing', async () => {
  const channel = await listening();
  channel.setBotMayPost(false);
  const before = scene.telegram.calls.length;
  const since = () => scene.telegram.calls.slice(before);
  const paid = await scene.paidBy(async () => {
    post(channel, newTibetan());
    post(channel, '/quota');
    channel.setBotMayPost(true);
    channel.setBotMayPost(false);
    const looks = () => since().filter(({ method }) => method === 'getChatMember').length;
    await scene.telegram.world.waitUntil(() => looks() >= 2);
    await scene.ask(scene.anna, '/help');
  });
  expect(paid).toBe(0);
  expect(since().filter(({ ok, answered }) => answered && !ok)).toEqual([]);
  channel.setBotMayPost(true);
  expect((await replyTo(post(channel, newTibetan()))).text).toSatisfy(hasChinese);
});

it('a channel’s direct messages answer the reader, by voice and button', async () => {
  const readers = [scene.newcomer(), scene.newcomer()];
  const people = { members: readers, admins: [owner] };
  const chat = scene.telegram.world.addGroup({ title: 'News', isDirectMessages: true, ...people });
  chat.promote(chat.bot);
  for (const person of readers) {
    const isTheirs = ({ direct_messages_topic: topic }: Message) => topic?.topic_id === person.id;
    const answer = await scene.answerTo(person.send(chat, { text: `/chinese ${newTibetan()}` }));
    expect(answer.text).toSatisfy(hasChinese);
    expect(answer).toSatisfy(isTheirs);
    await person.press(answer, 'speak:chinese');
    expect(await scene.answerTo(answer, isVoice)).toSatisfy(isTheirs);
  }
  const inChat = scene.telegram.calls.filter(({ payload }) => payload.chat_id === chat.id);
  expect(inChat.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
});
