/** One person who sends hundreds of messages at once: others are served meanwhile, and it costs no more than the limit. */
import { afterEach, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import { peakMemoryMb } from '../hostile/meddled-scene.ts';
import { hasTibetan, newChinese, numberOf, says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { useScene } from '../shared-scene.ts';

/** The process at rest takes some 200 MB; what hundreds of updates hold is kilobytes, and pictures are fetched one by one. */
const MAX_MEMORY_MB = 500;

/** Calls of a person. */
const DAILY = 5;
const scene = useScene({ env: { DAILY_CALLS_PER_USER: String(DAILY), SERVICE_CONCURRENCY: '4' } });
afterEach(() => scene.service.faults.clear());

const LIMIT = says('limit-person', 'en', { hours: '…', minutes: '…' }).split('…')[0] ?? '';
const tellsLimit = ({ text }: Message) => text?.startsWith(LIMIT) === true;

it('others are answered long before the flood has passed, and the flooder pays no more than the limit', async () => {
  const { anna, newcomer, answerTo, paidBy, telegram, service, bot, everythingAfter } = scene;
  service.faults.latency.translation = 30;
  const others = Array.from({ length: 5 }, () => newcomer());
  let answers: Message[] = [];
  const paid = await paidBy(async () => {
    const flood = Array.from({ length: 500 }, () => anna.send(anna.chat, { text: newChinese() }));
    const asked = others.map((other) => other.send(other.chat, { text: newChinese() }));
    const served = await Promise.all(asked.map((message) => answerTo(message)));
    expect(served.map(({ text }) => numberOf(text))).toEqual(asked.map(({ text }) => numberOf(text)));
    const translated = () => telegram.world.messages(anna.chat).filter(({ text }) => hasTibetan(text));
    expect(translated().length).toBeLessThan(DAILY);
    answers = await everythingAfter(flood[0] ?? never(), anna);
  });
  expect(paid).toBe(DAILY + others.length);
  expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(DAILY);
  // Said to everything that was refused, it would be what gets the bot refused by Telegram.
  const notices = answers.filter(tellsLimit);
  expect(notices.length).toBeGreaterThanOrEqual(1);
  expect(notices.length).toBeLessThanOrEqual(20);
  expect(peakMemoryMb(bot().pid)).toBeLessThan(MAX_MEMORY_MB);
});

it('whoever asks at the pace of people hears of the limit each time', async () => {
  const person = scene.newcomer();
  for (let times = 0; times < DAILY; times += 1) await scene.ask(person, newChinese());
  for (let times = 0; times < 10; times += 1)
    expect(await scene.ask(person, newChinese())).toSatisfy(tellsLimit);
});

it('a flood of photos is read one after another, within the limit and little memory', async () => {
  const { newcomer, answerTo, paidBy, bot, everythingAfter } = scene;
  const person = newcomer();
  const paid = await paidBy(async () => {
    const jpegs = await Promise.all(Array.from({ length: 60 }, aJpeg));
    const sent = await Promise.all(jpegs.map((jpeg) => person.sendPhoto(person.chat, jpeg)));
    const other = newcomer();
    expect(hasTibetan((await answerTo(other.send(other.chat, { text: newChinese() }))).text)).toBe(true);
    const first = sent.reduce((one, two) => (one.message_id < two.message_id ? one : two));
    const answers = await everythingAfter(first, person);
    expect(answers.filter(({ text }) => hasTibetan(text))).toHaveLength(DAILY);
  });
  expect(paid).toBe(DAILY + 1);
  expect(peakMemoryMb(bot().pid)).toBeLessThan(MAX_MEMORY_MB);
});

function never(): never {
  throw new Error('a flood is not empty');
}
