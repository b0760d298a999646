/** Clocks that are wrong, or are set while the bot runs: nothing is paid for that should not be, held up, or lost. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import type { BotProcess } from '../bot-process.ts';
import { hasTibetan, isAnswer, newChinese } from '../phrases.ts';
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
  /** Sets its clock this many hours from the real time. */
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

/** How many hours of this UTC day are over: of the day in which the test runs, not of that in which it was read. */
const hoursOfDay = (): number => (Date.now() % (24 * HOUR_MS)) / HOUR_MS;

describe.each(['sqlite', 'postgres'])('the clock of a bot on %s is set while it runs', (engine) => {
  beforeEach(open);
  afterEach(close);

  const settingsOf = async (): Promise<Record<string, string>> =>
    engine === 'postgres' ? { DATABASE_URL: await server.createDatabase() } : {};

  it("back to this day's beginning: people are answered, and what they may spend stays as it is", async () => {
    const { bot, setAhead } = await startAhead(0, { ...(await settingsOf()), DAILY_CALLS_PER_USER: '3' });
    const person = newcomer();
    await translated(person);
    const endCall = place.service.faults.hold('translation');
    const answer = asking(person);
    await place.telegram.world.waitUntil(() => place.service.calls.length === 2);
    setAhead(-hoursOfDay());
    endCall();
    expect((await answer).text).toSatisfy(hasTibetan);
    await translated(person);
    expect((await asking(person)).text).not.toSatisfy(hasTibetan);
    setAhead(0);
    expect((await asking(person)).text).not.toSatisfy(hasTibetan);
    expect(place.service.paid().calls).toBe(3);
    expect(await bot.stop()).toBe(0);
  });

  it("back to yesterday's noon: people are answered", async () => {
    const { bot, setAhead } = await startAhead(0, await settingsOf());
    const endCall = place.service.faults.hold('translation');
    const answer = asking(newcomer());
    await place.telegram.world.waitUntil(() => place.service.calls.length === 1);
    setAhead(-12 - hoursOfDay());
    endCall();
    expect((await answer).text).toSatisfy(hasTibetan);
    await translated(newcomer());
    expect(await bot.stop()).toBe(0);
  });
});
