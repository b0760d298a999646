/** What is finished of a document, an album or a long text is handed over when the rest does not come, which one button asks for. */
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { pdfFile, sendFile, textFile } from './files.ts';
import { hasChinese, isProgress, newChinese, newTibetan, says } from './phrases.ts';
import { scans, sendPhotos } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene({ env: { DAILY_CALLS_PER_USER: '60' } });
afterEach(() => scene.service.faults.clear());

const pagesIn = ({ text = '' }: Message): number[] =>
  [...text.matchAll(/^———— (\d+) ————\n\p{Script=Tibetan}/gmu)].map(([, number]) => Number(number));
const showsPages = (message: Message): boolean => pagesIn(message).length > 0;
const labelOf = ({ reply_markup }: Message): string => reply_markup?.inline_keyboard[0]?.[0]?.text ?? '';
const callsOfRest = (message: Message): number => Number(/\d+/.exec(labelOf(message))?.[0]);
const offersRest = ({ text }: Message): boolean => text === says('stopped');
const paidSince = (before: number) => scene.service.paid().calls - before;

/** Waits until the bot has this many results of a person: the service counts a call before its answer arrives. */
const untilKept = (person: Person, count: number) =>
  expect
    .poll(() => scene.rows(`select key from results where person = '${person.id}' and text is not null`))
    .toHaveLength(count);

it('a stopped document gives its pages, and a button for the rest', async () => {
  const person = scene.newcomer();
  scene.service.faults.spare('recognition', 3);
  scene.service.faults.hold('recognition', 8);
  const message = await sendFile(person, pdfFile(await scans(11)));
  const question = await scene.answerTo(message, ({ text }) => text?.includes(says('costly-sure')) === true);
  const before = scene.service.paid().calls;
  await person.press(question, says('button-go-on'));
  const count = await scene.answerTo(message, isProgress);
  expect(count.text).toMatch(/\/11$/);
  await untilKept(person, 3);
  await person.press(count, says('button-cancel'));

  const part = await scene.answerTo(question, showsPages);
  const offer = await scene.answerTo(part, offersRest);
  // Of pages that are read side by side, any may be the last.
  expect(pagesIn(part)).toHaveLength(3);
  expect(part.text).toContain(says('document-read', 'en', { count: 3 }));
  expect(part.text).toContain(says('document-left', 'en', { count: 8 }));
  expect(callsOfRest(offer)).toBe(8);

  scene.service.faults.clear();
  await person.press(offer, labelOf(offer));
  const whole = await scene.becomes(part, (now) => pagesIn(now).length === 11);
  expect(paidSince(before)).toBe(11);
  expect(await scene.everythingAfter(message, person)).toEqual([whole]);
});

it('of an album, with the count of its translation, which has not begun', async () => {
  const person = scene.newcomer();
  scene.service.faults.spare('recognition', 3);
  const endCall = scene.service.faults.hold('recognition');
  const before = scene.service.paid().calls;
  const [first] = await sendPhotos(person, person.chat, 4, '/chinese');
  const count = await scene.answerTo(first, isProgress);
  // The translation is counted from the beginning.
  expect(count.text).toMatch(/\/5$/);
  await untilKept(person, 3);
  await person.press(count, says('button-cancel'));
  const offer = await scene.answerTo(first, offersRest);
  const [part] = await scene.everythingAfter(first, person);
  expect(part?.text?.match(/^\d\.\n\p{Script=Tibetan}/gmu)).toHaveLength(3);
  expect(callsOfRest(offer)).toBe(2);
  // The call that was sent is charged.
  endCall();
  await scene.telegram.world.waitUntil(() => paidSince(before) === 4);
});

it('of a long text: its beginning', async () => {
  const person = scene.newcomer();
  const pieces = Array.from({ length: 3 }, () => newChinese() + '好'.repeat(2900));
  scene.service.faults.spare('translation', 2);
  const endCall = scene.service.faults.hold('translation');
  const before = scene.service.paid().calls;
  const sent = await sendFile(person, textFile(pieces.join('\n\n')));
  await untilKept(person, 2);
  person.send(person.chat, { text: '/cancel' });
  const offer = await scene.answerTo(sent, offersRest);
  const shown = (await scene.everythingAfter(sent, person)).flatMap(({ document }) => document ?? []);
  expect(shown.map(({ file_name }) => file_name)).toEqual(['letter · བོད་ཡིག.txt']);
  expect(callsOfRest(offer)).toBe(1);
  endCall();
  await person.press(offer, labelOf(offer));
  await scene.telegram.world.waitUntil(() => scene.telegram.world.message(offer) === undefined);
  // The call that was under way is not paid for again.
  expect(paidSince(before)).toBe(3);
});

it('a failed translation gives the pages, the reason and a button', async () => {
  const person = scene.newcomer();
  scene.service.faults.set('translation', 'undocumented-error');
  const pages = [...(await scans(1)), { lines: [newTibetan()] }];
  const message = await sendFile(person, pdfFile(pages, '/chinese'));
  const part = await scene.answerTo(message, showsPages);
  const told = await scene.answerTo(part, ({ text }) => text === says('failure-unavailable'));
  expect(pagesIn(part)).toEqual([1, 2]);
  expect(callsOfRest(told)).toBe(1);
  expect((await scene.everythingAfter(message, person)).map(({ message_id }) => message_id)).toEqual([
    part.message_id,
    told.message_id,
  ]);
});

it('of several files: those that are done, and all others in the count', async () => {
  const person = scene.newcomer();
  scene.service.faults.spare('translation');
  scene.service.faults.hold('translation');
  const [first] = await person.sendAlbum(
    person.chat,
    [1, 2, 3].map(() => textFile(newTibetan())),
  );
  expect((await scene.answerTo(first, isProgress)).text).toMatch(/\/3$/);
  await untilKept(person, 1);
  person.send(person.chat, { text: '/cancel' });
  const offer = await scene.answerTo(first, offersRest);
  expect(callsOfRest(offer)).toBe(2);
  expect((await scene.everythingAfter(first, person)).filter(({ text }) => hasChinese(text))).toHaveLength(1);
});
