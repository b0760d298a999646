/**
 * Runs four processes on one PostgreSQL under load, and at random moments kills one, stops one for a while, or cuts one's connections. Is every
 * request answered, in order, and what was paid for twice? `node bench/kills.ts [rounds] [seed] [replica]`; with `replica` the primary is
 * killed after half of the rounds, and its replica promoted.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceCall } from '../sandbox/service/call-log.ts';
import { type BotPlace, openBotPlace } from '../test/bot-place.ts';
import type { BotProcess } from '../test/bot-process.ts';
import { connected } from '../test/connected.ts';
import { type StatementProxy, startStatementProxy } from '../test/faults/statement-proxy.ts';
import { startPostgresServer } from '../test/postgres-server.ts';
import { seeded } from './load/random.ts';

const [roundsText = '10', seedText = '1', replica] = process.argv.slice(2);
const ROUNDS = Number(roundsText);
const PROCESSES = 4;
const PEOPLE = 24;
/** A person's texts that wait for an answer. */
const OPEN_EACH = 2;
const SERVICE_MS = 80;
/** Time between two faults, in ms. */
const [MIN_REST_MS, MORE_REST_MS] = [1500, 3000];
/** The others take a process for dead that stands still for more than 15 s. */
const [MIN_STILL_MS, MORE_STILL_MS] = [1000, 19_000];
const PATIENCE_MS = 180_000;
const LOOK_EVERY_MS = 50;
const FIRST_NUMBER = 100_000;

const random = seeded(Number(seedText));
const server = await startPostgresServer();
const standby = replica === undefined ? undefined : await server.startStandby();
let address = await server.createDatabase();
const place = await openBotPlace();
place.service.faults.latency.translation = SERVICE_MS;

interface Member {
  readonly proxy: StatementProxy;
  bot: BotProcess;
}

const members: Member[] = [];
for (let count = 0; count < PROCESSES; count += 1) {
  const proxy = await startStatementProxy(address);
  members.push({ proxy, bot: start(place, proxy) });
}
await Promise.all(members.map(({ bot }) => bot.says('"ready"')));

function start({ start: startBot }: BotPlace, proxy: StatementProxy): BotProcess {
  // With a budget, so that every call is checked against a limit.
  return startBot({
    DATABASE_URL: proxy.url,
    DAILY_CALLS_PER_USER: '0',
    DAILY_BUDGET_YUAN: '100000',
    LOG_LEVEL: 'info',
  });
}

const { world } = place.telegram;
let nextNumber = FIRST_NUMBER;
let isOver = false;
const crowd = Array.from({ length: PEOPLE }, () => {
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  return { person, asked: [] as number[] };
});
const numberIn = (text: string | undefined): number => Number(/\d{6}/.exec(text ?? '')?.[0]);
/** The numbers of a person's texts, in the order of their answers. */
const answersTo = ({ person }: (typeof crowd)[number]): number[] =>
  world
    .messages(person.chat)
    .filter(({ from }) => from?.is_bot)
    .map(({ text }) => numberIn(text))
    .filter((number) => !Number.isNaN(number));
const openOf = (one: (typeof crowd)[number]): number => one.asked.length - new Set(answersTo(one)).size;
const openAll = (): number => crowd.reduce((sum, one) => sum + openOf(one), 0);

/** The numbers of the texts that the service was asked to translate, and of those that were charged. */
const sentToService = (isMeant: (call: ServiceCall) => boolean = () => true): number[] =>
  place.service.calls
    .filter((call) => call.kind === 'translation' && isMeant(call))
    .map(({ parameters }) => numberIn(String(parameters.inputText)));

/** Everybody asks again as soon as they are answered. */
async function keepAsking(): Promise<void> {
  while (!isOver) {
    for (const one of crowd) {
      while (openOf(one) < OPEN_EACH) {
        nextNumber += 1;
        one.asked.push(nextNumber);
        one.person.send(one.person.chat, { text: `今天天气很好。 ${nextNumber}` });
      }
    }
    await delay(LOOK_EVERY_MS);
  }
}

/** Texts that the service has received but that are not answered: a fault may make the bot pay for these twice. */
const underWay = (): number => {
  const answered = new Set(crowd.flatMap(answersTo));
  return sentToService().filter((number) => !answered.has(number)).length;
};
const FAULTS = {
  killed: async (member: Member) => {
    await member.bot.stop('SIGKILL');
    member.bot = start(place, member.proxy);
    await member.bot.says('"ready"');
  },
  'stands still': async ({ bot: { pid } }: Member) => {
    if (pid === undefined) return;
    process.kill(pid, 'SIGSTOP');
    await delay(MIN_STILL_MS + random() * MORE_STILL_MS);
    process.kill(pid, 'SIGCONT');
  },
  'cut off': async ({ proxy }: Member) => proxy.leadTo(address, true),
} as const;
const NAMES = Object.keys(FAULTS) as (keyof typeof FAULTS)[];

const asking = keepAsking();
let inFlight = 0;
for (let round = 1; round <= ROUNDS; round += 1) {
  await delay(MIN_REST_MS + random() * MORE_REST_MS);
  const number = Math.floor(random() * PROCESSES);
  const name = NAMES[Math.floor(random() * NAMES.length)] ?? 'killed';
  const member = members[number];
  if (member === undefined) continue;
  const calls = underWay();
  inFlight += calls;
  console.log(
    `${round}: process ${number} is ${name} with ${calls} translations under way, ${openAll()} texts open`,
  );
  await FAULTS[name](member);
  if (standby !== undefined && round === Math.ceil(ROUNDS / 2)) {
    inFlight += underWay();
    console.log(`${round}: the primary is killed and its replica promoted`);
    await server.kill();
    await standby.promote();
    address = address.replace(/:\d+\//, `:${standby.port}/`);
    for (const { proxy } of members) proxy.leadTo(address, true);
  }
}
isOver = true;
await asking;
const until = performance.now() + PATIENCE_MS;
while (openAll() > 0 && performance.now() < until) await delay(LOOK_EVERY_MS);
// Waits until successful calls are settled.
await delay(2000);

const asked = crowd.flatMap((one) => one.asked);
const answered = crowd.flatMap(answersTo);
const isInOrder = (one: (typeof crowd)[number]): boolean => {
  const first = [...new Set(answersTo(one))];
  return first.every((number, index) => index === 0 || number > (first[index - 1] ?? 0));
};
const charged = sentToService((call) => call.charged);
const inLedger = await sumOf(
  "select count(*) as calls, sum(cost_fen) as cost from ledger where outcome <> 'failed'",
);
const inSpending = await sumOf(
  "select sum(calls) as calls, sum(cost_fen) as cost from spending where scope = 'bot'",
);
const figures = {
  asked: asked.length,
  lost: asked.length - new Set(answered).size,
  saidTwice: answered.length - new Set(answered).size,
  outOfOrder: crowd.filter((one) => !isInOrder(one)).length,
  paid: charged.length,
  paidTwice: charged.length - new Set(charged).size,
  inFlight,
  inLedger,
  inSpending,
};
console.log(figures);
const { lost, outOfOrder, paidTwice } = figures;
const isCounted = inLedger.calls >= charged.length && inLedger.cost === inSpending.cost;
const isWell = lost === 0 && outOfOrder === 0 && paidTwice <= inFlight && isCounted;
console.log(isWell ? 'nothing lost, nothing out of order, all that was paid is in the ledger' : 'NOT WELL');
process.exitCode = isWell ? 0 : 1;

await place.close();
for (const { proxy } of members) proxy.close();
await server.close();

async function sumOf(query: string): Promise<{ calls: number; cost: number }> {
  const { rows } = await connected(address, (client) => client.query<{ calls: string; cost: string }>(query));
  return { calls: Number(rows[0]?.calls), cost: Number(rows[0]?.cost) };
}
