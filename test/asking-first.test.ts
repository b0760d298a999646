/** A request of more than ten paid calls says first what it costs, and waits for a yes (spec §2, "Asking before it costs"). */
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { HASTY } from './long-speech.ts';
import { aPdf } from './media/pdfs.ts';
import {
  buttonsOf,
  hasChinese,
  hasTibetan,
  isProgress,
  isVoice,
  newChinese,
  newTibetan,
  says,
} from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '30', DAILY_BUDGET_YUAN: '100' }, speech: HASTY });

/** Ten photos, and one translation of what they say: eleven calls. */
async function sendTen(person: Person, chat = person.chat): Promise<Message> {
  const photos = await Promise.all(Array.from({ length: 10 }, aJpeg));
  const [first] = await person.sendAlbum(
    chat,
    photos.map((bytes, index) => ({ bytes, ...(index === 0 && { caption: '/chinese' }) })),
  );
  if (first === undefined) throw new Error('the album is empty');
  return first;
}

const asks = ({ text }: Message): boolean => text?.includes(says('costly-sure')) === true;
const isDone = ({ text }: Message): boolean => /^1\.\n/.test(text ?? '') && hasChinese(text);

it('asks with the price and what is left, and after a yes, restart or not, counts in the place of the question', async () => {
  const person = scene.newcomer();
  const album = await sendTen(person);
  const question = await scene.answerTo(album, asks);
  expect(question.text).toContain(says('costly-at-least', 'en', { calls: '11' }));
  expect(question.text).toContain(says('left-person', 'en', { left: '30', limit: '30' }));
  expect(question.text).toContain(says('for-free'));
  // Yuan are the operators', and the whole bot has more left than this person.
  expect(question.text).not.toMatch(/yuan|\d\.\d|everybody/);
  expect(question.reply_to_message?.message_id).toBe(album.message_id);
  expect(scene.service.paid().calls).toBe(0);
  const [yes] = question.reply_markup?.inline_keyboard.flat() ?? [];
  expect(yes?.style).toBe('success');

  expect(await scene.everythingAfter(album, person)).toEqual([question]);
  await scene.restart('SIGKILL');
  await person.press(question, says('button-go-on'));
  await scene.becomes(question, isProgress);
  await scene.answerTo(question, isDone);
  const later = await scene.everythingAfter(album, person);
  expect(later.filter(isDone)).toHaveLength(1);
  expect(later.map(({ message_id }) => message_id)).not.toContain(question.message_id);
  expect(scene.service.paid().calls).toBe(11);
});

/** How often the bot has edited a message. */
const edits = ({ message_id }: Message) =>
  scene.telegram.calls.filter(
    ({ method, payload }) => method === 'editMessageText' && payload.message_id === message_id,
  ).length;

/** Kills the bot as soon as it has asked, before the end of the attempt is written. Gives the question. */
async function killedWhen(asking: () => Promise<Message>): Promise<Message> {
  const database = new DatabaseSync(scene.databaseFile, { timeout: 5000 });
  database.exec(`create trigger stays before update of state on requests when new.state = 'asked'
    begin select raise(ignore); end`);
  const question = await asking();
  const noted = database.prepare(`select count(*) as n from requests where sent like '%"question"%'`);
  await expect.poll(() => noted.get()?.n).toBe(1);
  // Before the trigger goes: the end of the attempt may be written again.
  await scene.bot().stop('SIGKILL');
  database.exec('drop trigger stays');
  database.close();
  await scene.restart();
  return question;
}

it('killed just after it asked, asks anew', async () => {
  const { telegram, newcomer, answerTo, becomes, everythingAfter } = scene;
  const person = newcomer();
  const album = await sendTen(person);
  const question = await killedWhen(() => answerTo(album, asks));
  await telegram.world.waitUntil(() => edits(question) > 0);
  await person.press(await becomes(question, asks), says('button-go-on'));
  await answerTo(question, isDone);
  const later = await everythingAfter(album, person);
  expect(later.filter((one) => asks(one) || isDone(one))).toHaveLength(1);
});

it('killed just after it asked in the place of a failure, asks anew there', async () => {
  const { telegram, newcomer, answerTo, becomes } = scene;
  const person = newcomer();
  telegram.faults.next('downloadFile', { status: 500, times: 3 });
  const bytes = Buffer.from(Array.from({ length: 5000 }, (_, line) => `第${line}句话。`).join('\n'));
  const file = await person.sendDocument(person.chat, bytes, {
    fileName: 'long.txt',
    mimeType: 'text/plain',
  });
  const told = await answerTo(file, ({ text }) => text === says('failure-file-unfetched'));
  const question = await killedWhen(async () => {
    await person.press(told, says('button-try-again'));
    return becomes(told, asks);
  });
  await telegram.world.waitUntil(() => edits(question) > 1);
  await person.press(await becomes(question, asks), says('button-no'));
  await becomes(question, ({ text }) => text === says('costly-not-done'));
});

it('says at once what is above what is left today', async () => {
  const person = scene.newcomer();
  for (const _ of [1, 2]) {
    const question = await scene.answerTo(await sendTen(person), asks);
    await person.press(question, says('button-go-on'));
    await scene.answerTo(question, isDone);
  }
  const paid = await scene.paidBy(async () => {
    const answer = await scene.answerTo(await sendTen(person));
    expect(answer.text).toContain('8 of 30');
    expect(buttonsOf(answer)).toEqual([]);
  });
  expect(paid).toBe(0);
});

it('leaves it after a no, an edit, or /cancel', async () => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const refused = await scene.answerTo(await sendTen(person), asks);
    await person.press(refused, says('button-no'));
    await scene.becomes(refused, ({ text }) => text === says('costly-not-done'));

    const cancelled = await scene.answerTo(await sendTen(person), asks);
    expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
    const now = await scene.becomes(cancelled, ({ text }) => text === says('costly-not-done'));
    expect(buttonsOf(now)).toEqual([]);
  });
  expect(paid).toBe(0);

  const album = await sendTen(person);
  const question = await scene.answerTo(album, asks);
  person.editCaption(album, '/tibetan');
  await scene.telegram.world.waitUntil(() => edits(question) > 0);
  await person.press(await scene.becomes(question, asks), says('button-go-on'));
  await scene.answerTo(question, ({ text }) => /^1\.\n/.test(text ?? '') && hasTibetan(text));
});

/** The yes takes its time: it takes its buttons away first. */
const slowYes = () => scene.telegram.faults.next('editMessageReplyMarkup', { mode: 'delay', delayMs: 4000 });

it('/cancel while the yes is handled: nothing of it is paid', async () => {
  const person = scene.newcomer();
  const question = await scene.answerTo(await sendTen(person), asks);
  slowYes();
  const paid = await scene.paidBy(async () => {
    const pressed = person.press(question, says('button-go-on'));
    expect((await scene.ask(person, '/cancel')).text).toBe(says('cancelled'));
    await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
    await pressed;
    await scene.ask(person, '/help');
  });
  expect(paid).toBe(0);
});

it('an edit to less while the yes is handled: only the lesser is paid', async () => {
  const person = scene.newcomer();
  const album = await sendTen(person);
  const question = await scene.answerTo(album, asks);
  slowYes();
  const paid = await scene.paidBy(async () => {
    const pressed = person.press(question, says('button-go-on'));
    person.editCaption(album, 'བོད།');
    await scene.becomes(question, ({ text = '' }) => /^1\.\n/.test(text) && hasTibetan(text));
    await pressed;
    await scene.ask(person, '/help');
  });
  expect(paid).toBe(10);
});

it('counts what a request has spent unasked: the speech of a long translation is asked about', async () => {
  const person = scene.newcomer();
  const lines = Array.from({ length: 600 }, (_, line) => `${line}今天的天气非常好。`);
  const bytes = Buffer.from([newChinese(), ...lines].join('\n'));
  const paid = await scene.paidBy(async () => {
    const sent = { fileName: 'long.txt', mimeType: 'text/plain', caption: '/speak amdo' };
    const question = await scene.answerTo(await person.sendDocument(person.chat, bytes, sent), asks);
    expect(question.text).toContain(says('costly', 'en', { calls: '8' }));
    await person.press(question, says('button-no'));
    const left = await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
    // Something was.
    expect(left.text).not.toContain('Nothing was paid');
  });
  expect(paid).toBe(3);
});

describe('asks about all of it at once', () => {
  const file = (text: string, caption?: string) => ({
    bytes: Buffer.from(text),
    fileName: 'text.txt',
    mimeType: 'text/plain',
    ...(caption !== undefined && { caption }),
  });
  /** A page as a file, or as the pages of a PDF. */
  const page = async () => ({ bytes: await aJpeg(), fileName: 'page.jpg', mimeType: 'image/jpeg' });
  const book = async () => {
    const drawn = { jpeg: { bytes: await aJpeg(), width: 320, height: 200 }, size: [160, 100] as const };
    return { bytes: aPdf([drawn, drawn]), fileName: 'book.pdf', mimeType: 'application/pdf' };
  };
  type Files = Parameters<Person['sendAlbum']>[1];
  const several = <T>(count: number, make: (index: number) => T) =>
    Promise.all(Array.from({ length: count }, (_, index) => make(index)));

  it.each<[string, () => Promise<Files>, string, (answer: Message) => boolean, number]>([
    [
      'ten texts to be translated and spoken',
      () => several(10, (index) => file(newChinese(), index === 0 ? '/speak amdo' : undefined)),
      '20',
      isVoice,
      10,
    ],
    [
      'nine pages and a book of two',
      () => several(10, (index) => (index < 9 ? page() : book())),
      '11',
      ({ text }) => /^(?:1\.|———— 1 ————)\n/.test(text ?? ''),
      2,
    ],
  ])('%s', async (_, making, calls, isPart, parts) => {
    const { service, newcomer, answerTo, everythingAfter } = scene;
    const [person, other] = [newcomer(), newcomer()];
    const files = await making();
    const send = async (whose: Person) => {
      const [first] = await whose.sendAlbum(whose.chat, files);
      if (first === undefined) throw new Error('the album is empty');
      return first;
    };
    const before = service.paid().calls;
    const album = await send(person);
    const question = await answerTo(album, asks);
    expect(question.text).toMatch(new RegExp(`\\b${calls}\\b`));
    expect(service.paid().calls).toBe(before);
    await person.press(question, says('button-go-on'));
    const given = (first: Message) =>
      scene.telegram.world
        .messages(first.chat)
        .filter((one) => one.message_id > first.message_id && one.from?.is_bot && isPart(one));
    await scene.telegram.world.waitUntil(() => given(album).length === parts);
    expect(service.paid().calls - before).toBe(Number(calls));
    // Kept results do not count.
    const again = await send(other);
    await everythingAfter(again, other);
    expect(given(again)).toHaveLength(parts);
    expect(service.paid().calls - before).toBe(Number(calls));
  });
});

it('after a yes does not give again what it gave before the question', async () => {
  const { telegram, newcomer, answerTo, everythingAfter } = scene;
  const person = newcomer();
  // How much there is to speak is known only once it is translated.
  const lines = Array.from({ length: 600 }, (_, line) => `${line}明天的天气也非常好。`);
  const files = [newTibetan(), [newChinese(), ...lines].join('\n')].map((text, index) => ({
    bytes: Buffer.from(text),
    fileName: `${index}.txt`,
    mimeType: 'text/plain',
    ...(index === 0 && { caption: '/speak amdo' }),
  }));
  const [first] = await person.sendAlbum(person.chat, files);
  if (first === undefined) throw new Error('the album is empty');
  const question = await answerTo(first, asks);
  const before = await everythingAfter(first, person);
  expect(before).toEqual([expect.toSatisfy(isVoice), question]);
  await person.press(question, says('button-go-on'));
  const voices = () => telegram.world.messages(person.chat).filter(isVoice);
  await telegram.world.waitUntil(() => voices().length > 1);
  await everythingAfter(first, person);
  expect(voices()).toEqual([before[0], expect.anything()]);
  expect(telegram.world.message(question)).toBeUndefined();
});

it('in a group only who asked may answer', async () => {
  const [person, other] = [scene.newcomer(), scene.newcomer()];
  const group = scene.telegram.world.addGroup({
    title: 'Tara',
    members: [person, other],
    privacyMode: false,
  });
  const question = await scene.answerTo(await sendTen(person, group.chat), asks);
  expect((await other.press(question, says('button-go-on')))?.text).toBe(says('costly-not-yours'));
  await person.press(question, says('button-no'));
  await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
});
