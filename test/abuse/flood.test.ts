/** One person who sends hundreds of messages at once: others are served meanwhile, and it costs no more than the limit. */
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { peakMemoryMb } from '../faults/stage.ts';
import { hasTibetan, LIMIT, newChinese } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { useScene } from '../shared-scene.ts';

/** The process at rest takes some 200 MB; what hundreds of updates hold is kilobytes, and pictures are fetched one by one. */
const MAX_MEMORY_MB = 500;

/** Calls of a person. */
const DAILY = 5;
const scene = useScene({ env: { DAILY_CALLS_PER_USER: String(DAILY), SERVICE_CONCURRENCY: '4' } });
afterEach(() => scene.service.faults.clear());

const tellsLimit = ({ text }: Message) => text?.startsWith(LIMIT) === true;

it('a flooder pays no more than the limit while others are answered', async () => {
  const { anna, newcomer, ask, paidBy, service, everythingAfter, underWay } = scene;
  const others = Array.from({ length: 5 }, () => newcomer());
  let answers: Message[] = [];
  const paid = await paidBy(async () => {
    const endCall = service.faults.hold('translation');
    const first = anna.send(anna.chat, { text: newChinese() });
    await underWay();
    for (let sent = 1; sent < 500; sent += 1) anna.send(anna.chat, { text: newChinese() });
    const served = await Promise.all(others.map((other) => ask(other, newChinese())));
    expect(served.filter(({ text }) => hasTibetan(text))).toHaveLength(others.length);
    endCall();
    answers = await everythingAfter(first, anna);
  });
  expect(paid).toBe(DAILY + others.length);
  expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(DAILY);
  // Said to everything that was refused, it would be what gets the bot refused by Telegram.
  const notices = answers.filter(tellsLimit);
  expect(notices.length).toBeGreaterThanOrEqual(1);
  expect(notices.length).toBeLessThanOrEqual(20);
  expect(peakMemoryMb(scene)).toBeLessThan(MAX_MEMORY_MB);
});

it('whoever asks at the pace of people hears of the limit each time', async () => {
  const person = scene.newcomer();
  for (let times = 0; times < DAILY; times += 1) await scene.ask(person, newChinese());
  for (let times = 0; times < 10; times += 1)
    expect(await scene.ask(person, newChinese())).toSatisfy(tellsLimit);
});

it('a flood of photos is read one after another, within the limit and little memory', async () => {
  const { newcomer, ask, paidBy, everythingAfter } = scene;
  const person = newcomer();
  const paid = await paidBy(async () => {
    const jpegs = await Promise.all(Array.from({ length: 60 }, aJpeg));
    const sent = await Promise.all(jpegs.map((jpeg) => person.sendPhoto(person.chat, jpeg)));
    expect((await ask(newcomer(), newChinese())).text).toSatisfy(hasTibetan);
    const first = sent.reduce((one, two) => (one.message_id < two.message_id ? one : two));
    const answers = await everythingAfter(first, person);
    expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(DAILY);
  });
  expect(paid).toBe(DAILY + 1);
  expect(peakMemoryMb(scene)).toBeLessThan(MAX_MEMORY_MB);
});

it('a free file leaves one row for a day, however often it is sent', async () => {
  const person = scene.newcomer();
  const wylie = Buffer.from('bkra shis bde legs/ '.repeat(450));
  const named = { fileName: 'prayer.txt', mimeType: 'text/plain', caption: '/wylie' };
  const send = () => person.sendDocument(person.chat, wylie, named);
  const sent = [await send(), await send(), await send()];
  const answers = await scene.everythingAfter(sent[0] ?? (await send()), person);
  expect(answers.filter(({ text }) => hasTibetan(text)).length).toBeGreaterThanOrEqual(sent.length);
  const kept = scene.rows(`select kept_at from results where person = '${person.id}' and key like 'whole:%'`);
  expect(kept).toHaveLength(1);
  // Results are kept for 90 days.
  expect(Number(kept[0]?.kept_at)).toBeLessThan(Date.now() - 88 * 24 * 60 * 60 * 1000);
});
