/** Any Unicode, in any place where a person can put words: a sound answer, nothing lost, nothing taken for markup. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { newChinese, says } from '../phrases.ts';
import { aJpeg, aJpegSaying, sendPage } from '../pictures.ts';
import { useScene } from '../shared-scene.ts';
import { hostileText, LONG_TEXTS } from './text.ts';

/** All but /cancel, which would stop the ones before it, and /help, which is asked to see that all is answered. */
const COMMANDS = [
  ...['start', 'translate', 'tibetan', 'chinese', 'auto', 'speak', 'ocr', 'dialect', 'voice', 'lang'],
  ...['privacy', 'forget', 'wylie', 'phonetics', 'settings', 'usage', 'quota', 'listen', 'stats', 'nosuch'],
];

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '0', DAILY_CALLS_PER_GROUP: '0' } });

/** Everything that the bot has said after a message; none of it may be the words for an unforeseen error. */
async function answersAfter(message: Message, person: Person): Promise<Message[]> {
  const answers = await scene.everythingAfter(message, person);
  const unforeseen = [says('failure-unforeseen'), says('given-up')];
  expect(answers.filter(({ text }) => unforeseen.includes(text ?? ''))).toEqual([]);
  return answers;
}

/** Where a text is put, how many messages are said to it at least, and the first message of all. */
const PLACES: Record<string, [number, (person: Person, text: string) => Promise<Message> | Message]> = {
  'behind every command': [
    COMMANDS.length - 1,
    (person, text) => {
      const [first = never()] = COMMANDS.map((command) =>
        person.send(person.chat, { text: `/${command} ${text}`.slice(0, 4096) }),
      );
      return first;
    },
  ],
  'in the message that every command replies to': [
    COMMANDS.length,
    (person, text) => {
      // Without a letter or a digit nothing is there to reply to.
      const said = person.send(person.chat, { text: `x${text}`.slice(0, 4096) });
      for (const command of COMMANDS) person.send(person.chat, { text: `/${command}`, replyTo: said });
      return said;
    },
  ],
  'in a rich message, a poll and a checklist': [
    3,
    (person, text) => {
      const upTo = (length: number) => [...`x${text}`].slice(0, length).join('');
      const first = person.compose(person.chat, {
        blocks: [
          { type: 'heading', size: 1, text },
          { type: 'blockquote', blocks: [{ type: 'paragraph', text: [text, { type: 'bold', text: 'x' }] }] },
        ],
      });
      person.compose(person.chat, { question: upTo(255), options: [upTo(100)] });
      person.compose(person.chat, { title: upTo(255), tasks: [upTo(100)] });
      return first;
    },
  ],
  'under a photo': [
    1,
    async (person, text) => person.sendPhoto(person.chat, await aJpeg(), { caption: text.slice(0, 1024) }),
  ],
};

it.each(Object.entries(PLACES))('every text is answered %s', async (_, [atLeast, put]) => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const person = scene.newcomer();
      const answers = await answersAfter(await put(person, text), person);
      expect(answers.length).toBeGreaterThanOrEqual(atLeast);
    }),
    { numRuns: 4, endOnFailure: true },
  );
  // What went to Telegram and to the service is Unicode that both can take.
  for (const { method, payload } of scene.telegram.calls) {
    expect(JSON.stringify(payload), method).not.toMatch(/\\ud[89a-f]/i);
  }
  for (const { kind, parameters } of scene.service.calls) {
    expect(JSON.stringify(parameters), kind).not.toMatch(/\\ud[89a-f]|\\u0000/i);
  }
  expect(scene.log()).not.toMatch(/an update failed|became a dead letter/);
});

it('in a group, names that look like the bot’s do not call it', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  for (const name of ['@lоtsawa_bot', '＠lotsawa_bot', '@lotsawa_bot_', '@lotsawa\u200b_bot', 'lotsawa_bot'])
    person.send(group, { text: `${name} ${newChinese()}` });
  await scene.ask(person, '/help');
  const asked = person.send(group, { text: '/help@lotsawa_bot' });
  const { message_id } = await scene.answerTo(asked);
  const said = scene.telegram.world.messages(group).filter(({ from }) => from?.is_bot);
  expect(said.map((message) => message.message_id)).toEqual([message_id]);
});

describe('what was read comes out to the last character, however it has to be cut', () => {
  it.each(Object.entries(LONG_TEXTS))('%s', async (_, half) => {
    const text = `${half}${half}`.replaceAll('\n', '');
    const person = scene.newcomer();
    const answers = await answersAfter(await sendPage(person, person.chat, text), person);
    const parts = answers.flatMap(({ text, reply_to_message: to }) => (to && text) ?? []);
    expect(parts.join('')).toBe(text);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(4096);
  });
});

describe('nothing is taken for markup', () => {
  const MARKUP = [
    '<b>今天</b> &lt; &amp; <a href="tg://user?id=1">x</a>',
    '*今天* _a_ `b` [c](https://t.me/d) ||e|| ~f~ \\\\.',
    '今天 %s {0} $x {{y}} { $text } { -brand }',
  ];

  it.each(MARKUP)('in a text: %s', async (text) => {
    const person = scene.newcomer({ firstName: text });
    // A page of hardly more than signs is not believed.
    const page = `${text} ${'今天天气很好，我们去看书。'.repeat(20)}`;
    const read = person.sendDocument(person.chat, await aJpegSaying(page), {
      fileName: `${text}.jpg`,
      mimeType: 'image/jpeg',
      caption: text,
    });
    const answer = await scene.answerTo(await read);
    expect(answer.text).toBe(page);
    expect(answer.entities?.filter(({ type }) => type !== 'url' && type !== 'mention') ?? []).toEqual([]);
  });

  it('in the title of a group, or the names of its members', async () => {
    const [title = ''] = MARKUP;
    const person = scene.newcomer({ firstName: title, username: 'b_o_t' });
    const group = scene.telegram.world.addGroup({ title, members: [person] });
    const answer = await scene.answerTo(person.send(group, { text: `/tibetan ${newChinese()}` }));
    expect(answer.text).not.toContain('<b>');
    expect(scene.telegram.calls.filter(({ payload }) => 'parse_mode' in payload)).toEqual([]);
  });
});

function never(): never {
  throw new Error('there are some');
}
