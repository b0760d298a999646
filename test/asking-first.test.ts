/** A request of more than ten paid calls says first what it costs, and waits for a yes. */
import { expect, it } from 'vitest';
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
import { aJpeg, scans, sendPhotos } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '20', DAILY_BUDGET_YUAN: '100' }, speech: HASTY });

/** Ten photos, and one translation of what they say: eleven calls. */
async function sendTen(person: Person, chat = person.chat): Promise<Message> {
  const [first] = await sendPhotos(person, chat, 10, '/chinese');
  return first;
}

const asks = ({ text }: Message): boolean => text?.includes(says('costly-sure')) === true;
const isDone = ({ text }: Message): boolean => /^1\.\n/.test(text ?? '') && hasChinese(text);

it('a costly request asks with its price, and counts once agreed', async () => {
  const person = scene.newcomer();
  const album = await sendTen(person);
  const question = await scene.answerTo(album, asks);
  expect(question.text).toContain(says('costly-at-least', 'en', { calls: '11' }));
  expect(question.text).toContain(says('left-person', 'en', { left: '20', limit: '20' }));
  expect(question.text).toContain(says('for-free'));
  // Yuan are the operators', and the whole bot has more left than this person.
  expect(question.text).not.toMatch(/yuan|\d\.\d|everybody/);
  expect(question.reply_to_message?.message_id).toBe(album.message_id);
  expect(scene.service.paid().calls).toBe(0);
  expect(question.reply_markup?.inline_keyboard[0]?.[0]?.style).toBe('success');

  expect(await scene.everythingAfter(album, person)).toEqual([question]);
  await scene.restart('SIGKILL');
  await person.press(question, says('button-go-on'));
  await scene.becomes(question, isProgress);
  await scene.answerTo(question, isDone);
  const later = await scene.everythingAfter(album, person);
  expect(later.filter(isDone)).toHaveLength(1);
  expect(later.map(({ message_id }) => message_id)).not.toContain(question.message_id);
  expect(scene.service.paid().calls).toBe(11);

  const refused = await scene.answerTo(await sendTen(person));
  expect(refused.text).toContain('9 of 20');
  expect(buttonsOf(refused)).toEqual([]);
  expect(scene.service.paid().calls).toBe(11);
});

/** How often the bot has edited a message. */
const edits = ({ message_id }: Message) =>
  scene.telegram.calls.filter(
    ({ method, payload }) => method === 'editMessageText' && payload.message_id === message_id,
  ).length;

/** Kills the bot as soon as it has asked, before the end of the attempt is written. Gives the question. */
async function killedWhen(asking: () => Promise<Message>): Promise<Message> {
  scene.rows(`create trigger stays before update of state on requests when new.state = 'asked'
    begin select raise(ignore); end`);
  const question = await asking();
  const noted = `select * from requests where sent like '%"question"%'`;
  await expect.poll(() => scene.rows(noted)).toHaveLength(1);
  // Before the trigger goes: the end of the attempt may be written again.
  await scene.bot().stop('SIGKILL');
  scene.rows('drop trigger stays');
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

it('a /cancel or an edit during the yes holds', async () => {
  const { telegram, newcomer, answerTo, becomes, paidBy } = scene;
  const { world, faults } = telegram;
  const person = newcomer();
  /** Presses yes, and has something come before its buttons are gone. */
  const beforeYes = async (question: Message, come: () => unknown) => {
    const letGo = faults.hold('editMessageReplyMarkup');
    const pressed = person.press(question, says('button-go-on'));
    await world.waitUntil(() =>
      telegram.calls.some(({ method, answered }) => method === 'editMessageReplyMarkup' && !answered),
    );
    come();
    await world.waitUntil(() => telegram.pendingUpdateCount === 0);
    letGo();
    await pressed;
  };
  const cancelled = await answerTo(await sendTen(person), asks);
  const paid = await paidBy(async () => {
    await beforeYes(cancelled, () => person.send(person.chat, { text: '/cancel' }));
    await world.waitForMessage(person.chat, ({ text }) => text === says('cancelled'));
    await becomes(cancelled, ({ text }) => text === says('costly-not-done'));
    await scene.ask(person, '/help');
  });
  expect(paid).toBe(0);

  const album = await sendTen(person);
  const question = await answerTo(album, asks);
  const paidForLess = await paidBy(async () => {
    await beforeYes(question, () => person.editCaption(album, 'བོད།'));
    await becomes(question, ({ text = '' }) => /^1\.\n/.test(text) && hasTibetan(text));
    await scene.ask(person, '/help');
  });
  expect(paidForLess).toBe(10);
});

it('what a request spent unasked counts against its next question', async () => {
  const person = scene.newcomer();
  const lines = Array.from({ length: 600 }, (_, line) => `${line}今天的天气非常好。`);
  const paid = await scene.paidBy(async () => {
    const [sent] = await person.sendAlbum(person.chat, texts([newChinese(), ...lines].join('\n')));
    const question = await scene.answerTo(sent, asks);
    expect(question.text).toContain(says('costly', 'en', { calls: '8' }));
    await person.press(question, says('button-no'));
    const left = await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
    // Something was.
    expect(left.text).not.toContain('Nothing was paid');
  });
  expect(paid).toBe(3);
});

type Files = Parameters<Person['sendAlbum']>[1];

const texts = (...contents: readonly string[]): Files =>
  contents.map((text, index) => ({
    bytes: Buffer.from(text),
    fileName: `${index}.txt`,
    mimeType: 'text/plain',
    caption: index === 0 ? '/speak amdo' : '',
  }));

/** Nine pages as files, and two as those of a PDF. */
async function pagesAndABook(): Promise<Files> {
  const pages = await Promise.all(Array.from({ length: 9 }, aJpeg));
  const book = { bytes: aPdf(await scans(2)), fileName: 'book.pdf', mimeType: 'application/pdf' };
  return [...pages.map((bytes) => ({ bytes, fileName: 'page.jpg', mimeType: 'image/jpeg' })), book];
}

it.each<[string, () => Promise<Files>, string, (answer: Message) => boolean, number]>([
  [
    'ten texts to be translated and spoken',
    async () => texts(...Array.from({ length: 10 }, newChinese)),
    '20',
    isVoice,
    10,
  ],
  [
    'nine pages and a book of two',
    pagesAndABook,
    '11',
    ({ text }) => /^(?:1\.|———— 1 ————)\n/.test(text ?? ''),
    2,
  ],
])('asks about all of it at once: %s', async (_, making, calls, isPart, parts) => {
  const { telegram, service, newcomer, answerTo, everythingAfter } = scene;
  const [person, other] = [newcomer(), newcomer()];
  const files = await making();
  const before = service.paid().calls;
  const [album] = await person.sendAlbum(person.chat, files);
  const question = await answerTo(album, asks);
  expect(question.text).toMatch(new RegExp(`\\b${calls}\\b`));
  expect(service.paid().calls).toBe(before);
  await person.press(question, says('button-go-on'));
  const given = ({ chat }: Person) => telegram.world.messages(chat).filter(isPart);
  await telegram.world.waitUntil(() => given(person).length === parts);
  expect(service.paid().calls - before).toBe(Number(calls));
  // Kept results do not count.
  const [again] = await other.sendAlbum(other.chat, files);
  await everythingAfter(again, other);
  expect(given(other)).toHaveLength(parts);
  expect(service.paid().calls - before).toBe(Number(calls));
});

it('after a yes does not give again what it gave before the question', async () => {
  const { telegram, newcomer, answerTo, everythingAfter } = scene;
  const person = newcomer();
  // How much there is to speak is known only once it is translated.
  const lines = Array.from({ length: 600 }, (_, line) => `${line}明天的天气也非常好。`);
  const files = texts(newTibetan(), [newChinese(), ...lines].join('\n'));
  const [first] = await person.sendAlbum(person.chat, files);
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
  const people = { members: [person, other], privacyMode: false };
  const group = scene.telegram.world.addGroup({ title: 'Tara', ...people });
  const question = await scene.answerTo(await sendTen(person, group.chat), asks);
  expect((await other.press(question, says('button-go-on')))?.text).toBe(says('costly-not-yours'));
  await person.press(question, says('button-no'));
  await scene.becomes(question, ({ text }) => text === says('costly-not-done'));
});
