/** Three processes on one PostgreSQL lose their connections, or their lives, again and again under load. */
import { beforeAll, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import type { BotProcess } from '../bot-process.ts';
import { connected } from '../connected.ts';
import { newChinese, numberOf } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { useBotPlace } from '../shared-scene.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const PROCESSES = 3;
const PEOPLE = 8;
const TEXTS_EACH = 8;
/** Requests that a process runs at once. */
const WORKERS = 4;
/** How many times something breaks. */
const FAULTS = 4;

interface Member {
  readonly proxy: StatementProxy;
  bot: BotProcess;
}

const server = usePostgresServer();
const place = useBotPlace();
let address: string;
const members: Member[] = [];
beforeAll(async () => {
  address = await server.createDatabase();
  place.service.faults.latency.translation = 60;
  for (let count = 0; count < PROCESSES; count += 1) {
    const proxy = await startStatementProxy(address);
    members.push({ proxy, bot: start(proxy) });
  }
  await Promise.all(members.map(({ bot }) => bot.says('"ready"')));
  return () => {
    for (const { proxy } of members) proxy.close();
  };
});

function start({ url }: StatementProxy): BotProcess {
  return place.start({ DATABASE_URL: url, DAILY_CALLS_PER_USER: '0', WORKERS: String(WORKERS) });
}

const translations = () => place.service.calls.filter(({ kind }) => kind === 'translation').length;
/** How often a process counted as dead: only then may a thing be said, or paid for, twice. */
const deaths = () =>
  members.reduce((sum, { bot }) => sum + bot.output().split('took over the requests').length - 1, 0);
/** The numbers in all that the bot has said to a person, in their order; what is no answer has none. */
const saidTo = ({ chat }: Person) =>
  place.telegram.world
    .messages(chat)
    .filter(({ from }) => from?.is_bot === true)
    .map(({ text }) => numberOf(text));

/**
 * Has everybody send all their texts, and breaks a process, one after another, as the answers come; gives how many calls were made. Claims
 * that all is answered, in order, and nothing said twice but for what was under way in a process that counted as dead.
 */
async function underLoad(fault: (member: Member) => Promise<unknown>, mostDeaths: () => number) {
  const { world } = place.telegram;
  const before = translations();
  const people = Array.from({ length: PEOPLE }, () => {
    const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    const send = (): Message => person.send(person.chat, { text: newChinese() });
    return { person, asked: Array.from({ length: TEXTS_EACH }, send).map(({ text }) => numberOf(text)) };
  });
  const answered = () => people.reduce((sum, { person }) => sum + new Set(saidTo(person)).size, 0);
  for (let time = 1; time <= FAULTS; time += 1) {
    await world.waitUntil(() => answered() >= (PEOPLE * TEXTS_EACH * time) / (FAULTS + 2));
    const member = members[time % PROCESSES];
    if (member !== undefined) await fault(member);
  }
  const isAnswered = ({ person, asked }: (typeof people)[number]) =>
    asked.every((number) => saidTo(person).includes(number));
  await world.waitUntil(() => people.every(isAnswered));
  // What was said last may be said again by whoever takes it over.
  const open = () =>
    connected(address, async (client) => {
      const { rows } = await client.query("select id from requests where state = 'waiting'");
      return rows;
    });
  await expect.poll(open).toEqual([]);
  for (const { person, asked } of people) {
    const said = saidTo(person);
    expect(said.filter((number, index) => said.indexOf(number) === index)).toEqual(asked);
    // A lane's latest answer alone has Telegram's receipt and is not recorded.
    expect(said.length - asked.length).toBeLessThanOrEqual(mostDeaths());
  }
  expect(translations() - before).toBeLessThanOrEqual(PEOPLE * TEXTS_EACH + mostDeaths() * WORKERS);
}

it('cut connections have each text answered once, in order, and paid for once', async () => {
  await underLoad(async ({ proxy }) => proxy.leadTo(address, true), deaths);
});

it('kills lose nothing, and say nothing twice more often than they come', async () => {
  const kill = async (member: Member) => {
    await member.bot.stop('SIGKILL');
    member.bot = start(member.proxy);
    await member.bot.says('"ready"');
  };
  await underLoad(kill, () => FAULTS);
});
