/** Clocks that are wrong, or are set while the bot runs: nothing is paid for that should not be, held up, or lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import type { BotProcess } from '../bot-process.ts';
import { buttonsOf, hasTibetan, isAnswer, newChinese, newTibetan, says, saysWithTime } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

const HOUR_MS = 60 * 60 * 1000;
const SHIFTED = new URL('shifted-clock.mjs', import.meta.url).href;

const server = usePostgresServer();
let place: BotPlace;
let clocks: number;
async function open(): Promise<void> {
  place = await openBotPlace();
  clocks = 0;
}
const close = (): Promise<void> => place.close();

interface Clocked {
  readonly bot: BotProcess;
  /** Sets its clock to so many hours from what it is in truth. */
  setAhead(hours: number): void;
}

/** A process whose clock is that many hours ahead. */
async function startAhead(hours: number, settings: Record<string, string>): Promise<Clocked> {
  clocks += 1;
  const file = join(place.folder.path, `clock-${clocks}`);
  const setAhead = (ahead: number) => writeFileSync(file, String(ahead * HOUR_MS));
  setAhead(hours);
  const bot = place.start({ ...settings, CLOCK_AHEAD: file, NODE_OPTIONS: `--import=${SHIFTED}` });
  await bot.says('"ready"');
  return { bot, setAhead };
}

const newcomer = (): Person => place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });

/** What the bot says to a text. */
function asking(person: Person, text = newChinese()): Promise<Message> {
  const after = person.send(person.chat, { text });
  return place.telegram.world.waitForMessage(person.chat, isAnswer, { after });
}

const translated = async (person: Person) => expect((await asking(person)).text).toSatisfy(hasTibetan);

describe.each([-26, -0.1, 0.1, 26])('of two processes one is %s hours ahead', (hours) => {
  /** What people were told, one process after another, each going on with what the last left behind. */
  const texts = { spender: [] as unknown[], paused: [] as unknown[], doubtful: [] as unknown[] };
  let calls: Readonly<Record<'translation' | 'speech', number>>;

  beforeAll(async () => {
    await open();
    const settings = {
      DATABASE_URL: await server.createDatabase(),
      DAILY_CALLS_PER_USER: '2',
      SERVICE_TIMEOUT_MS: '3000',
    };
    const { faults } = place.service;
    const [spender, doubtful] = [newcomer(), newcomer()];
    let question: Message | undefined;
    const goOn: readonly (() => Promise<void>)[] = [
      async () => {
        texts.spender.push((await asking(spender)).text, (await asking(spender)).text);
        faults.next('speech', 'quota');
        faults.next('translation', 'hang');
        question = await asking(doubtful);
        texts.doubtful.push(question.text);
      },
      async () => {
        if (question === undefined) throw new Error('nothing was asked');
        const [again = ''] = buttonsOf(question);
        await doubtful.press(question, again);
        const { world } = place.telegram;
        texts.doubtful.push((await world.waitForMessage(doubtful.chat, ({ text }) => hasTibetan(text))).text);
      },
      async () => {},
    ];
    for (const [round, ahead] of [0, hours, 0].entries()) {
      const { bot } = await startAhead(ahead, settings);
      await goOn[round]?.();
      texts.spender.push((await asking(spender)).text);
      texts.paused.push((await asking(newcomer(), `/speak amdo ${newTibetan()}`)).text);
      expect(await bot.stop()).toBe(0);
    }
    const of = (which: string) => place.service.calls.filter(({ kind }) => kind === which).length;
    calls = { translation: of('translation'), speech: of('speech') };
  });
  afterAll(close);

  it('what a person may spend in a day they may spend once', () => {
    expect(texts.spender.map((text) => hasTibetan(String(text)))).toEqual([true, true, false, false, false]);
    // Two of theirs, and two of who was in doubt.
    expect(calls.translation).toBe(4);
  });

  it('a pause that one has begun the other keeps', () => {
    expect(texts.paused).toEqual(Array(3).fill(expect.stringMatching(saysWithTime('failure-quota-until'))));
    expect(calls.speech).toBe(1);
  });

  it('a request in doubt that one keeps for its sender the other repeats', () => {
    expect(texts.doubtful).toEqual([says('failure-in-doubt'), expect.toSatisfy(hasTibetan)]);
  });
});

/** How many hours of this UTC day are over: of the day in which the test runs, not of that in which it was read. */
const hoursOfDay = (): number => (Date.now() % (24 * HOUR_MS)) / HOUR_MS;

describe.each(['sqlite', 'postgres'])('the clock of a bot on %s is set while it runs', (engine) => {
  beforeEach(open);
  afterEach(close);

  // A server's clock stays as it is; on SQLite another day has limits of its own.
  const steps = [
    { name: "this day's beginning", hours: 0 },
    ...(engine === 'postgres' ? [{ name: "yesterday's noon", hours: -12 }] : []),
  ];

  it.each(steps)(
    'back to $name: people are answered, and what they may spend stays as it is',
    async ({ hours }) => {
      const settings: Record<string, string> = { DAILY_CALLS_PER_USER: '3' };
      if (engine === 'postgres') settings.DATABASE_URL = await server.createDatabase();
      const { bot, setAhead } = await startAhead(0, settings);
      const person = newcomer();
      await translated(person);
      place.service.faults.latency.translation = 1000;
      const answer = asking(person);
      await place.telegram.world.waitUntil(() => place.service.calls.length === 2);
      setAhead(hours - hoursOfDay());
      expect((await answer).text).toSatisfy(hasTibetan);
      await translated(person);
      expect((await asking(person)).text).not.toSatisfy(hasTibetan);
      setAhead(0);
      expect((await asking(person)).text).not.toSatisfy(hasTibetan);
      expect(place.service.paid().calls).toBe(3);
      expect(await bot.stop()).toBe(0);
    },
  );

  it.runIf(engine === 'sqlite')("back to yesterday's noon: people are answered", async () => {
    const { bot, setAhead } = await startAhead(0, {});
    place.service.faults.latency.translation = 1000;
    const answer = asking(newcomer());
    await place.telegram.world.waitUntil(() => place.service.calls.length === 1);
    setAhead(-12 - hoursOfDay());
    expect((await answer).text).toSatisfy(hasTibetan);
    await translated(newcomer());
    expect(await bot.stop()).toBe(0);
  });
});
