/** The message that counts what is done goes away with the work, whatever becomes of the process. */
import { beforeEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import {
  hasChinese,
  hasTibetan,
  isProgress,
  isVoice,
  newChinese,
  newTibetan,
  PROGRESS,
  says,
} from './phrases.ts';
import { aJpeg, sendPage, sendPages } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => {
  scene.service.faults.clear();
  scene.telegram.faults.clear();
});

/** A text of two paid calls, never asked for before. */
const newLongText = () => `${newChinese()}\n${'长'.repeat(3500)}${newChinese()}`;

/** Such a text under way, and the message that counts them. */
async function beginSlowWork(): Promise<{ asked: Message; count: Message }> {
  const { anna, service, answerTo, telegram } = scene;
  service.faults.hold('translation', 2);
  const before = service.calls.length;
  const asked = anna.send(anna.chat, { text: newLongText() });
  const count = await answerTo(asked, isProgress);
  await telegram.world.waitUntil(() => service.calls.length === before + 2);
  // A kill between Telegram's receipt and our note of the count leaves it there: its id is lost.
  await expect.poll(countsNoted).toBe(1);
  return { asked, count };
}

const countsNoted = () => scene.rows(`select id from requests where sent like '%"progress"%'`).length;

const isGone = (message: Message) => scene.telegram.world.message(message) === undefined;

it('when a process was killed meanwhile, its count is removed by the next one', async () => {
  const { asked, count } = await beginSlowWork();
  await scene.restart('SIGKILL');
  await scene.telegram.world.waitUntil(() => isGone(count));
  await scene.answerTo(asked, ({ text }) => hasTibetan(text));
  const left = (await scene.everythingAfter(asked, scene.anna)).filter(isProgress);
  expect(left).toEqual([]);
});

it('when the work was cancelled while no process ran, its count is removed as well', async () => {
  const { asked, count } = await beginSlowWork();
  await scene.bot().stop('SIGKILL');
  scene.anna.send(scene.anna.chat, { text: '/cancel' });
  // Else the next one may have done the work before it hears of that.
  scene.service.faults.hold('translation', 2);
  await scene.restart();
  await scene.answerTo(asked, ({ text }) => text === says('cancelled'));
  await scene.telegram.world.waitUntil(() => isGone(count));
  expect((await scene.everythingAfter(asked, scene.anna)).filter(isProgress)).toEqual([]);
  expect(countsNoted()).toBe(0);
});

it('a person who deletes the count, or a Telegram that will not, disturbs nothing', async () => {
  const { anna, service, answerTo, telegram } = scene;
  const endPiece = service.faults.hold('translation');
  const asked = anna.send(anna.chat, { text: newLongText() });
  const count = await answerTo(asked, isProgress);
  anna.deleteMessage(count);
  endPiece();
  await answerTo(asked, ({ text }) => hasTibetan(text));
  // The bot tries to delete that count, too.
  await scene.atRest();
  telegram.faults.next('deleteMessage', { status: 400 });
  const endAnother = service.faults.hold('translation');
  const again = anna.send(anna.chat, { text: newLongText() });
  await answerTo(again, isProgress);
  endAnother();
  await answerTo(again, ({ text }) => hasTibetan(text));
  await scene.ask(anna, newChinese(), ({ text }) => hasTibetan(text));
});

/** How many messages that count were sent while this was done. */
async function countsShownBy(work: () => Promise<unknown>): Promise<number> {
  const before = scene.telegram.calls.length;
  await work();
  // A count that is on its way may be overtaken by the answer.
  await scene.atRest();
  const sent = scene.telegram.calls.slice(before).filter(({ method }) => method === 'sendMessage');
  return sent.filter(({ payload }) => String(payload.text).startsWith(PROGRESS)).length;
}

it('*Read aloud* is not offered for what is spoken already', async () => {
  const { anna, service, answerTo, paidBy, everythingAfter } = scene;
  const long = newLongText();
  const send = () => anna.send(anna.chat, { text: long });
  const isTranslated = ({ text }: Message) => hasTibetan(text);
  // One piece takes longer than the count takes to be sent.
  const endPiece = service.faults.hold('translation');
  const ask = async () => {
    const asked = send();
    await answerTo(asked, isProgress);
    endPiece();
    await answerTo(asked, isTranslated);
  };
  expect(await countsShownBy(ask)).toBe(1);
  expect(await countsShownBy(() => answerTo(send(), isTranslated))).toBe(0);

  const photos = [{ bytes: await aJpeg() }, { bytes: await aJpeg() }];
  const isRead = ({ text }: Message) => text?.startsWith('1.\n') === true;
  const sendAlbum = async () => {
    const [first] = await anna.sendAlbum(anna.chat, photos);
    await answerTo(first, isRead);
  };
  expect(await countsShownBy(sendAlbum)).toBe(1);
  expect(await paidBy(async () => expect(await countsShownBy(sendAlbum)).toBe(0))).toBe(0);

  const photo = await anna.sendPhoto(anna.chat, photos[0]?.bytes ?? Buffer.alloc(0));
  const speak = (variety: string) => async () => {
    const asked = anna.send(anna.chat, { text: `/speak ${variety}`, replyTo: photo });
    await answerTo(asked, isVoice);
    expect((await everythingAfter(asked, anna)).filter(isProgress)).toEqual([]);
  };
  expect(await paidBy(async () => expect(await countsShownBy(speak('amdo'))).toBe(0))).toBe(1);
  expect(await paidBy(async () => expect(await countsShownBy(speak('chinese'))).toBe(1))).toBe(2);
});

it('is shown once and edited seldom, however many calls there are', async () => {
  const { anna, service, answerTo, telegram } = scene;
  // The first piece is there when an edit is due: an edit in 3 s at most.
  const shownOnce = Promise.withResolvers<void>();
  service.faults.next('translation', { type: 'slow', ms: 4000, until: shownOnce.promise });
  const before = telegram.calls.length;
  const asked = anna.send(anna.chat, { text: newLongText() });
  const counts = () =>
    telegram.calls.slice(before).filter(({ payload }) => String(payload.text).startsWith(PROGRESS));
  await telegram.world.waitUntil(() => counts().length > 0);
  shownOnce.resolve();
  await answerTo(asked, ({ text }) => hasTibetan(text));
  await scene.atRest();
  const shown = counts();
  expect(shown.length).toBeGreaterThan(1);
  expect(shown.filter(({ method }) => method === 'sendMessage')).toHaveLength(1);
  for (const { payload } of shown)
    expect(JSON.stringify(payload.reply_markup)).toContain(`cancel:${anna.id}`);
  for (const [index, { at }] of shown.slice(1).entries()) {
    // Every 3 s at most; the way to Telegram may take its time.
    expect(at - (shown[index]?.at ?? 0)).toBeGreaterThan(2000);
  }
});

it('goes away with work that fails, and with work that is cancelled', async () => {
  const { anna, service, answerTo, telegram } = scene;
  // One piece takes longer than the count takes to be sent, and the other fails.
  const endPiece = service.faults.hold('translation');
  service.faults.set('translation', 'undocumented-error');
  const failing = anna.send(anna.chat, { text: newLongText() });
  const failed = await answerTo(failing, isProgress);
  endPiece();
  await answerTo(failing, ({ text }) => text === says('failure-unavailable'));
  await telegram.world.waitUntil(() => isGone(failed));
  service.faults.clear();

  service.faults.hold('translation', 2);
  const cancelled = anna.send(anna.chat, { text: newLongText() });
  const count = await answerTo(cancelled, isProgress);
  anna.send(anna.chat, { text: '/cancel' });
  await answerTo(cancelled, ({ text }) => text === says('cancelled'));
  await telegram.world.waitUntil(() => isGone(count));
});

it('goes on to its end when the pages of an album are translated', async () => {
  const person = scene.newcomer();
  await scene.set(person, 'photo', 'translate');
  const page = (): string => `${newTibetan()} ${'བཀྲ་ཤིས། '.repeat(130)}`.trim();
  const endPieces = scene.service.faults.hold('translation', 2);
  const [asked] = await sendPages(person, person.chat, [page(), page(), page()]);
  const count = await scene.answerTo(asked, isProgress);
  endPieces();
  await scene.answerTo(asked, ({ text }) => hasChinese(text));
  await scene.telegram.world.waitUntil(() => isGone(count));
});

it('counts all that follows where a photo is translated and spoken', async () => {
  const person = scene.newcomer();
  await scene.set(person, 'photo', 'speak');
  const endSpeech = scene.service.faults.hold('speech');
  const asked = await sendPage(person, person.chat, newTibetan());
  const count = await scene.answerTo(asked, isProgress);
  expect(count.text).toMatch(/[0-2]\/3$/);
  endSpeech();
  await scene.answerTo(asked, isVoice);
});
