/** Guest mode: a mention in a chat without the bot is answered there, in one message that is edited. */
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Group } from '../sandbox/telegram/group.ts';
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
import { aJpeg, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const AT = '@lotsawa_bot';
const PLACEHOLDER = says('guest-wait');

const scene = useSharedScene();
let pema: Person;
let chat: Group;
beforeAll(async () => {
  pema = scene.newcomer();
  chat = chatWithoutBot(pema);
});

function chatWithoutBot(member: Person): Group {
  const title = 'Elsewhere';
  return scene.telegram.world.addGroup({ title, type: 'supergroup', members: [member], botIsMember: false });
}

/** What the bot has to say to a mention, in the end. */
async function finalAnswer(mention: Message): Promise<Message> {
  const isReply = isReplyTo(mention);
  const isFinal = (message: Message) => isReply(message) && message.text !== PLACEHOLDER;
  return scene.telegram.world.waitForMessage(mention.chat, isFinal);
}

/** All Bot API calls about a chat, or a message in it, but for those that get files. */
function callsAbout(group: Group, since: number) {
  return scene.telegram.calls
    .slice(since)
    .filter(({ payload }) => String(payload.chat_id) === String(group.id))
    .map(({ method }) => method);
}

function linksUnder({ reply_markup }: Message): string[] {
  return (reply_markup?.inline_keyboard ?? []).flat().flatMap(({ url }) => url ?? []);
}

/** What a person sends who follows a link. */
function follow(person: Person, link: string): Message {
  const payload = new URL(link).searchParams.get('start');
  return person.send(person.chat, { text: `/start ${payload}` });
}

describe('a mention in a chat without the bot', () => {
  it('before a text has that translated, in one message, and nothing else is sent there', async () => {
    const since = scene.telegram.calls.length;
    const text = newTibetan();
    const paid = await scene.paidBy(async () => {
      const mention = pema.send(chat, { text: `${AT} ${text}` });
      const answer = await finalAnswer(mention);
      expect(answer.text).toSatisfy(hasChinese);
      expect(numberOf(answer.text)).toBe(numberOf(text));
      expect(buttonsOf(answer).filter((data) => !['copy', 'other'].includes(data))).toEqual([]);
    });
    expect(paid).toBe(1);
    expect(callsAbout(chat, since)).toEqual([]);
  });

  it('in a reply to a text has that translated, or the part that is quoted', async () => {
    const [first, second] = [newChinese(), newChinese()];
    const original = pema.send(chat, { text: `${first}\n${second}` });
    const answer = await finalAnswer(pema.send(chat, { text: AT, replyTo: original, quote: second }));
    expect(answer.text).toSatisfy(hasTibetan);
    expect(numberOf(answer.text)).toBe(numberOf(second));
    // Telegram quotes by itself, too: that means no part.
    const shown = { replyTo: original, quote: second, isQuotedByTelegram: true };
    expect(numberOf((await finalAnswer(pema.send(chat, { text: AT, ...shown }))).text)).toBe(numberOf(first));
  });

  it('a guest’s words choose the language of a photo in reply', async () => {
    const photo = await pema.sendPhoto(chat, await aJpeg(), { caption: 'zh' });
    const read = async (words: string) =>
      (await finalAnswer(pema.send(chat, { text: `${AT} ${words}`, replyTo: photo }))).text ?? '';
    const chinese = await wordsIn(scene.telegram, photo, 'zh');
    const tibetan = await wordsIn(scene.telegram, photo, 'bo');
    const paid = await scene.paidBy(async () => {
      const answer = await read('what does this say?');
      expect(answer.startsWith(chinese)).toBe(true);
      expect(answer).toSatisfy(hasTibetan);
    });
    expect(paid).toBe(2);
    expect((await read('བོད་ཡིག')).startsWith(tibetan)).toBe(true);
    expect((await read('中文')).startsWith(chinese)).toBe(true);
  });

  it.each([
    ['a sticker', () => pema.sendOther(chat, 'sticker')],
    ['a text in another language', () => pema.send(chat, { text: 'good morning' })],
  ])('in a reply to %s is told what can be asked, for nothing', async (_, send) => {
    const paid = await scene.paidBy(async () => {
      const answer = await finalAnswer(pema.send(chat, { text: AT, replyTo: send() }));
      expect(answer.text).toBe(says('guest-how'));
      expect(linksUnder(answer)).toEqual([]);
    });
    expect(paid).toBe(0);
  });

  it('is answered at once by a placeholder, though the asker’s other work is slow', async () => {
    const endCall = scene.service.faults.hold('translation');
    const slow = pema.send(pema.chat, { text: newTibetan() });
    await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(pema.chat) === 'typing');
    const mention = pema.send(chat, { text: `${AT} ${newTibetan()}` });
    const answer = await scene.telegram.world.waitForMessage(chat, isReplyTo(mention));
    expect(answer.text).toBe(PLACEHOLDER);
    endCall();
    await scene.answerTo(slow);
    expect((await scene.becomes(answer, ({ text }) => text !== PLACEHOLDER)).text).toSatisfy(hasChinese);
  });

  it('has a failing service told in words', async () => {
    scene.service.faults.next('translation', 'undocumented-error');
    const answer = await finalAnswer(pema.send(chat, { text: `${AT} ${newTibetan()}` }));
    expect(answer.text).toBe(says('failure-unavailable'));
  });

  it('speaks in the bot’s own chat, by a link that anybody there can follow', async () => {
    const answer = await finalAnswer(pema.send(chat, { text: `${AT} ${newChinese()}` }));
    const [link = ''] = linksUnder(answer);
    expect(link).toMatch(/^https:\/\/t\.me\/lotsawa_bot\?start=say-[\w-]{22}$/);
    const voice = await scene.answerTo(follow(scene.anna, link), isVoice);
    expect(voice.chat.id).toBe(scene.anna.id);
    expect(voice.caption).toContain(says('utsang'));
  });

  it('/speak there costs nothing, and its link speaks that text in that dialect', async () => {
    const text = newTibetan();
    let link = '';
    const paid = await scene.paidBy(async () => {
      const answer = await finalAnswer(pema.send(chat, { text: `${AT} /speak amdo ${text}` }));
      expect(answer.text).toBe(text);
      [link = ''] = linksUnder(answer);
    });
    expect(paid).toBe(0);
    const voice = await scene.answerTo(follow(pema, link), isVoice);
    expect(voice.caption).toBe(`🔊 ${says('amdo')}\n${text}`);
  });

  it('shows the rest of a long answer in the bot’s own chat', async () => {
    const original = pema.send(chat, { text: '很长的一句话，说不完。'.repeat(372) });
    const answer = await finalAnswer(pema.send(chat, { text: AT, replyTo: original }));
    expect(answer.text?.length).toBeLessThanOrEqual(4096);
    const link = linksUnder(answer).find((one) => one.includes('start=all-')) ?? '';
    const whole = await scene.answerTo(follow(pema, link));
    expect(whole.text?.length).toBeGreaterThan(1000);
  });
});

describe('a mention in reply to a text whose translation no message holds', () => {
  const SIGNS = 32_000;
  /** No two of its pieces are the same, which would be paid for once. */
  const sentences = (sentence: (index: number) => string): string => {
    const text = [newChinese(), ...Array.from({ length: 3000 }, (_, index) => sentence(index))].join('');
    return text.slice(0, SIGNS);
  };
  const compose = (text: string) => pema.compose(chat, { blocks: [{ type: 'paragraph', text }] });

  it.each<[string, (index: number) => string]>([
    ['tibetan', (index) => `今天${index}我们去拉萨看朋友。`],
    ['chinese', (index) => `ང་ཚོ་${index} ལྷ་སར་འགྲོ་གི་ཡིན། `],
  ])('into %s pays for what it shows; a link leads to the rest', async (to, sentence) => {
    const original = compose(sentences(sentence));
    let link = '';
    const paid = await scene.paidBy(async () => {
      const answer = await finalAnswer(pema.send(chat, { text: AT, replyTo: original }));
      expect(answer.text?.length).toBeGreaterThan(3500);
      link = linksUnder(answer).find((one) => one.includes(`start=all-${to}-`)) ?? '';
    });
    expect(paid).toBeGreaterThan(0);
    expect(paid).toBeLessThanOrEqual(4);
    const rest = await scene.paidBy(async () => {
      await scene.answerTo(follow(pema, link), (answer) => answer.document !== undefined);
    });
    expect(paid + rest).toBe(Math.ceil(SIGNS / 3000));
  });

  it('is spoken behind a link, for nothing until somebody follows it', async () => {
    const original = compose(sentences((index) => `今天${index}我们去拉萨看朋友。`));
    const paid = await scene.paidBy(async () => {
      const answer = await finalAnswer(pema.send(chat, { text: `${AT} /speak`, replyTo: original }));
      expect(linksUnder(answer).some((link) => link.includes('start=say-'))).toBe(true);
    });
    expect(paid).toBe(0);
  });
});

it('a guest’s link cannot be guessed, and an expired one says so', async () => {
  const text = `/speak chinese ${newChinese()}\n${newChinese()}`;
  // Its caption shows only the beginning, so all of the text is kept.
  const note = await scene.answerTo(pema.send(pema.chat, { text }), isVoice);
  const { text: translation } = await finalAnswer(pema.send(chat, { text: `${AT} ${newChinese()}` }));
  for (const known of [note.voice?.file_unique_id, translation]) {
    const guess = hash('sha256', known ?? '', 'buffer')
      .subarray(0, 16)
      .toString('base64url');
    for (const target of ['say', 'all']) {
      const link = `https://t.me/lotsawa_bot?start=${target}-${guess}`;
      expect((await scene.answerTo(follow(scene.anna, link))).text).toBe(says('callback-too-old'));
    }
  }
});

it('a guest’s query killed on its way is answered once', async () => {
  const asker = scene.newcomer();
  const group = chatWithoutBot(asker);
  const paid = await scene.paidBy(async () => {
    scene.telegram.faults.next('editMessageText', { mode: 'hang' });
    const since = scene.telegram.calls.length;
    const mention = asker.send(group, { text: `${AT} ${newTibetan()}` });
    const { world } = scene.telegram;
    const first = await world.waitForMessage(group, ({ text }) => text === PLACEHOLDER);
    await world.waitUntil(() =>
      scene.telegram.calls.slice(since).some(({ method }) => method === 'editMessageText'),
    );
    await scene.restart('SIGKILL');
    const answer = await finalAnswer(mention);
    expect(answer.message_id).toBe(first.message_id);
  });
  expect(paid).toBe(1);
});

it('a query that comes when Telegram takes no answer any more costs nothing', async () => {
  const since = scene.telegram.calls.length;
  scene.telegram.faults.next('answerGuestQuery', {
    times: 2,
    status: 400,
    description: 'Bad Request: query is too old and response timeout expired or query ID is invalid',
  });
  const paid = await scene.paidBy(async () => {
    const asker = scene.newcomer();
    asker.send(chatWithoutBot(asker), { text: `${AT} ${newTibetan()}` });
    await scene.telegram.world.waitUntil(() =>
      scene.telegram.calls
        .slice(since)
        .some(({ method, answered }) => method === 'answerGuestQuery' && answered),
    );
    await scene.ask(asker, '/help');
  });
  expect(paid).toBe(0);
});
