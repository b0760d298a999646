/** Words in any form: rich messages, polls and checklists are texts like any other. */
import type { RichBlock } from '@grammyjs/types';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import type { Composed } from '../sandbox/telegram/worded-content.ts';
import { hasChinese, isVoice, newTibetan, numberOf, says } from './phrases.ts';
import { aJpeg, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
let owner: Person;
let pema: Person;
let group: Group;
beforeAll(async () => {
  [owner, pema] = [scene.newcomer(), scene.newcomer()];
  group = scene.telegram.world.addGroup({
    title: 'Readers',
    type: 'supergroup',
    members: [pema],
    admins: [owner],
  });
  group.promote(group.bot);
  await scene.answerTo(owner.send(group, { text: '/listen on' }));
});

const paragraph = (text: string): RichBlock => ({ type: 'paragraph', text });
const cell = (text: string) => ({ text, align: 'left' as const, valign: 'top' as const });

/** Each kind with a new text in every part of it, and these texts, as a reader reads them. */
const KINDS: [string, () => [Composed, string[]]][] = [
  [
    'a rich message',
    () => {
      const [heading = '', bold = '', item = '', left = '', right = '', quote = '', author = ''] = Array.from(
        { length: 7 },
        newTibetan,
      );
      const list: RichBlock = { type: 'list', items: [{ label: '1.', blocks: [paragraph(item)] }] };
      const blocks: RichBlock[] = [
        { type: 'heading', size: 1, text: heading },
        { type: 'paragraph', text: ['', { type: 'bold', text: [bold] }] },
        list,
        { type: 'table', cells: [[cell(left), cell(right)]] },
        { type: 'blockquote', blocks: [paragraph(quote)], credit: author },
      ];
      return [{ blocks }, [heading, bold, item, left, right, quote, author]];
    },
  ],
  [
    'a poll',
    () => {
      const [question = '', ...options] = [newTibetan(), newTibetan(), newTibetan()];
      return [{ question, options }, [question, ...options]];
    },
  ],
  [
    'a checklist',
    () => {
      const [title = '', ...tasks] = [newTibetan(), newTibetan()];
      return [{ title, tasks }, [title, ...tasks]];
    },
  ],
];

/** Whether a Chinese text has the numbers of all of these, in order. */
function isOf({ text = '' }: Message, texts: readonly string[]): boolean {
  const numbers = texts.map(numberOf);
  return hasChinese(text) && JSON.stringify(text.match(/\d{4}/g)) === JSON.stringify(numbers);
}

describe.each(KINDS)('%s', (_, compose) => {
  it('a rich message is translated, private or overheard, by one call', async () => {
    for (const chat of [pema.chat, group]) {
      const [composed, texts] = compose();
      const paid = await scene.paidBy(async () => {
        const answer = await scene.answerTo(pema.compose(chat, composed));
        expect(answer).toSatisfy((one: Message) => isOf(one, texts));
      });
      expect(paid).toBe(1);
    }
  });

  it('is spoken for who replies to it with /speak', async () => {
    const [composed, texts] = compose();
    const post = scene.anna.compose(scene.anna.chat, composed);
    await scene.answerTo(post);
    const command = scene.anna.send(scene.anna.chat, { text: '/speak amdo', replyTo: post });
    const voice = await scene.answerTo(command, isVoice);
    expect(voice.caption).toContain(numberOf(texts[0]));
  });
});

it('an edited one has its answer edited', async () => {
  const [first, second, third] = [newTibetan(), newTibetan(), newTibetan()];
  const list = pema.compose(pema.chat, { title: first, tasks: [second] });
  const answer = await scene.answerTo(list);
  pema.recompose(list, { title: first, tasks: [second, third] });
  await scene.becomes(answer, (now) => isOf(now, [first, second, third]));
});

it('a channel’s rich post is translated, and a guest’s reply to one', async () => {
  const { world } = scene.telegram;
  const repliesTo = (post: Message) => (one: Message) =>
    one.reply_to_message?.message_id === post.message_id && hasChinese(one.text);
  const channel = world.addChannel({ title: 'News', admins: [owner] });
  owner.send(channel, { text: '/listen on' });
  const [question, option] = [newTibetan(), newTibetan()];
  const post = owner.compose(channel, { question, options: [option] });
  const answer = await world.waitForMessage(channel, repliesTo(post));
  expect(answer).toSatisfy((one: Message) => isOf(one, [question, option]));

  const elsewhere = world.addGroup({ title: 'Elsewhere', members: [pema], botIsMember: false });
  const text = newTibetan();
  const replyTo = pema.compose(elsewhere, { blocks: [paragraph(text)] });
  const mention = pema.send(elsewhere, { text: '@lotsawa_bot', replyTo });
  const guest = await world.waitForMessage(elsewhere, ({ from }) => from?.is_bot === true, {
    after: mention,
  });
  await scene.becomes(guest, (now) => isOf(now, [text]));
});

it('a rich message can be a command, and mention the bot', async () => {
  const text = newTibetan();
  const command: RichBlock = {
    type: 'paragraph',
    text: [{ type: 'bot_command', text: '/speak', bot_command: '/speak' }, ` amdo ${text}`],
  };
  const voice = await scene.answerTo(pema.compose(pema.chat, { blocks: [command] }), isVoice);
  expect(voice.caption).toContain(numberOf(text));
  const quiet = scene.telegram.world.addGroup({ title: 'Quiet', members: [pema] });
  const mention: RichBlock = {
    type: 'paragraph',
    text: [{ type: 'mention', text: '@lotsawa_bot', username: 'lotsawa_bot' }, ` ${text}`],
  };
  const answer = await scene.answerTo(pema.compose(quiet, { blocks: [mention] }));
  expect(answer).toSatisfy((one: Message) => isOf(one, [text]));
});

describe('of nothing but pictures, a rich message', () => {
  const composed = async (count: number): Promise<{ blocks: RichBlock[]; words: string[] }> => {
    const elsewhere = scene.telegram.world.addGroup({ title: 'Album', members: [pema], botIsMember: false });
    const sent = await Promise.all(
      Array.from({ length: count }, async () => pema.sendPhoto(elsewhere, await aJpeg())),
    );
    const blocks = sent.map(({ photo = [] }): RichBlock => ({ type: 'photo', photo }));
    return { blocks, words: await Promise.all(sent.map((one) => wordsIn(scene.telegram, one, 'bo'))) };
  };

  it('a rich message’s pictures are read as an album when asked', async () => {
    const { blocks, words } = await composed(2);
    const paid = await scene.paidBy(async () => {
      const post = pema.compose(pema.chat, { blocks: [{ type: 'collage', blocks }] });
      const answer = await scene.answerTo(post, ({ text }) => text?.includes(words[1] ?? '') === true);
      expect(answer.text).toBe(`1.\n${words[0]}\n\n2.\n${words[1]}`);
      const unread = pema.compose(group, { blocks });
      expect(await scene.everythingAfter(unread, pema)).toEqual([]);
      const command = pema.send(group, { text: '/ocr', replyTo: unread });
      expect((await scene.answerTo(command, ({ text }) => text === answer.text)).text).toBe(answer.text);
    });
    expect(paid).toBe(2);
  });

  it('of one is read by its button in the other language, too', async () => {
    const { blocks, words } = await composed(1);
    const answer = await scene.answerTo(pema.compose(pema.chat, { blocks }));
    expect(answer.text).toBe(words[0]);
    await pema.press(answer, says('button-read-chinese'));
    expect((await scene.answerTo(answer)).text).toSatisfy(hasChinese);
  });
});

describe('for nothing', () => {
  it('a rich message as deep as they go, or of nothing that can be read', async () => {
    let deep = paragraph('tea');
    for (let level = 0; level < 15; level += 1)
      deep = { type: 'list', items: [{ label: '•', blocks: [deep] }] };
    const paid = await scene.paidBy(async () => {
      const told = await scene.answerTo(pema.compose(pema.chat, { blocks: [deep] }));
      expect(told.text).toBe(says('neither-script'));
      const answer = await scene.answerTo(pema.compose(pema.chat, { blocks: [{ type: 'divider' }] }));
      expect(answer.text).toBe(says('anything-else'));
    });
    expect(paid).toBe(0);
  });

  it('one of 32,768 characters is asked about first', async () => {
    const sentences = Array.from({ length: 1500 }, () => newTibetan()).join('\n');
    const text = sentences.slice(0, 32_768);
    const asks = (one: Message) => one.text?.includes(says('costly-sure')) === true;
    const question = await scene.answerTo(pema.compose(pema.chat, { blocks: [paragraph(text)] }), asks);
    expect(question.text).toContain('11');
  });
});
