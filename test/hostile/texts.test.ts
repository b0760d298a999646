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
  ...[
    'privacy',
    'forget',
    'wylie',
    'phonetics',
    'settings',
    'usage',
    'quota',
    'listen',
    'stats',
    'nosuchcommand',
  ],
];

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '0', DAILY_CALLS_PER_GROUP: '0' } });

/** What a message holds beside the words before it. */
function behind(words: string, text: string): string {
  return `${words} ${text}`.slice(0, 4096);
}

/** Everything that the bot has said after a message; none of it may be the words for an unforeseen error. */
async function answersAfter(message: Message, person: Person): Promise<Message[]> {
  const answers = await scene.everythingAfter(message, person);
  const unforeseen = [says('failure-unforeseen'), says('given-up')];
  expect(answers.filter(({ text }) => unforeseen.includes(text ?? ''))).toEqual([]);
  return answers;
}

/** What went to Telegram and to the service is Unicode that both can take. */
function expectSoundTraffic(): void {
  for (const { method, payload } of scene.telegram.calls) {
    expect(JSON.stringify(payload), method).not.toMatch(/\\ud[89a-f]/i);
  }
  for (const { kind, parameters } of scene.service.calls) {
    expect(JSON.stringify(parameters), kind).not.toMatch(/\\ud[89a-f]|\\u0000/i);
  }
  expect(scene.log()).not.toMatch(/an update failed|became a dead letter/);
}

it('every command takes every text, and answers', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const person = scene.newcomer();
      const [first, ...rest] = COMMANDS.map((command) =>
        person.send(person.chat, { text: behind(`/${command}`, text) }),
      );
      if (first === undefined) throw new Error('there are commands');
      const answers = await answersAfter(first, person);
      expect(answers.length).toBeGreaterThanOrEqual(rest.length);
    }),
    { numRuns: 4, endOnFailure: true },
  );
  expectSoundTraffic();
});

it('every command takes every text as the message that it replies to', async () => {
  await fc.assert(
    fc.asyncProperty(
      hostileText.filter((text) => /[\p{L}\p{N}]/u.test(text)),
      async (text) => {
        const person = scene.newcomer();
        const said = person.send(person.chat, { text });
        for (const command of COMMANDS) {
          person.send(person.chat, { text: `/${command}`, replyTo: said });
        }
        expect((await answersAfter(said, person)).length).toBeGreaterThanOrEqual(COMMANDS.length);
      },
    ),
    { numRuns: 3, endOnFailure: true },
  );
  expectSoundTraffic();
});

it('a rich message, a poll and a checklist take every text, and are answered', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (text) => {
      const person = scene.newcomer();
      const [short, shorter] = [
        [...`x${text}`].slice(0, 255).join(''),
        [...`x${text}`].slice(0, 100).join(''),
      ];
      const first = person.compose(person.chat, {
        blocks: [
          { type: 'heading', size: 1, text },
          { type: 'blockquote', blocks: [{ type: 'paragraph', text: [text, { type: 'bold', text: 'x' }] }] },
        ],
      });
      person.compose(person.chat, { question: short, options: [shorter] });
      person.compose(person.chat, { title: short, tasks: [shorter] });
      expect((await answersAfter(first, person)).length).toBeGreaterThanOrEqual(3);
    }),
    { numRuns: 3, endOnFailure: true },
  );
  expectSoundTraffic();
});

it('a photo is read whatever is written under it', async () => {
  await fc.assert(
    fc.asyncProperty(hostileText, async (caption) => {
      const person = scene.newcomer();
      const sent = await person.sendPhoto(person.chat, await aJpeg(), { caption: caption.slice(0, 1024) });
      expect((await answersAfter(sent, person)).length).toBeGreaterThanOrEqual(1);
    }),
    { numRuns: 5, endOnFailure: true },
  );
  expectSoundTraffic();
});

it('in a group, names that look like the bot’s do not call it', async () => {
  const person = scene.newcomer();
  const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
  const [first] = ['@lоtsawa_bot', '＠lotsawa_bot', '@lotsawa_bot_', '@lotsawa\u200b_bot', 'lotsawa_bot'].map(
    (name) => person.send(group, { text: `${name} ${newChinese()}` }),
  );
  if (first === undefined) throw new Error('there are names');
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
    const before = scene.telegram.calls.length;
    const sent = await sendPage(person, person.chat, text);
    await answersAfter(sent, person);
    const parts = scene.telegram.calls.slice(before).flatMap(({ method, payload }) => {
      if (method !== 'sendMessage' || !('text' in payload)) return [];
      return 'reply_parameters' in payload ? [String(payload.text)] : [];
    });
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
