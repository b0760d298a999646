/** Starting and stopping the process, beside the one before it, and on the database that another release left. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { startLocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { type BotProcess, messagesAt, startBotProcess, TOKEN } from './bot-process.ts';
import { openKeptDatabase } from './kept-database.ts';
import { newChinese, newTibetan, numberOf, says } from './phrases.ts';

let place: BotPlace;
beforeEach(async () => {
  place = await openBotPlace();
});
afterEach(() => place.close());

const newcomer = () => place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });

/** Waits until somebody who comes now is greeted. */
async function greets(): Promise<void> {
  const person = newcomer();
  person.send(person.chat, { text: '/start' });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
}

describe('ends with exit code 78', () => {
  it('a wrong configuration gets a line a mistake, without values', async () => {
    const secret = 'hunter2-hunter2';
    const bot = startBotProcess(
      {
        PATH: process.env.PATH ?? '',
        TELEGRAM_BOT_TOKEN: secret,
        SERVICE_AUTH_URL: `ftp://${secret}`,
        SERVICE_API_KEY: secret,
        SERVICE_X_SECRET: `${secret}\u0f0b`,
        WORKERS: 'many',
      },
      place.folder,
    );
    expect(await bot.exited).toBe(78);
    const lines = messagesAt('fatal', bot.output());
    const named = lines.map((line) => line.split(' ')[0]);
    expect(named.toSorted()).toEqual([
      ...['SERVICE_AUTH_URL', 'SERVICE_BASE_URL', 'SERVICE_SECRET_KEY', 'SERVICE_X_SECRET'],
      ...['TELEGRAM_BOT_TOKEN', 'WORKERS'],
    ]);
    for (const line of lines) expect(line).toMatch(/\(for example: [A-Z_]+=\S+\)$/);
    expect(bot.output()).not.toContain(secret);
  });

  it('and one line on an older Node', async () => {
    const older =
      "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
    const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
    const bot = place.start({ NODE_OPTIONS });
    expect(await bot.exited).toBe(78);
    expect(bot.output()).toBe(
      'Lotsawa needs Node 24 or newer, and this is Node 20.20.2: start it with npm start\n',
    );
  });

  it('and says what to do about a token that Telegram does not know', async () => {
    const wrong = `${TOKEN}-wrong`;
    const bot = place.start({ TELEGRAM_BOT_TOKEN: wrong });
    expect(await bot.exited).toBe(78);
    expect(bot.output()).toContain('TELEGRAM_BOT_TOKEN');
    expect(bot.output()).toContain('BotFather');
    expect(bot.output()).not.toContain(wrong);
  });

  it('a newer database is refused in one line, and left unchanged', async () => {
    const first = place.start();
    await place.telegram.botReady();
    await first.stop();
    const future = '999-of-a-newer-release';
    using database = openKeptDatabase(place.folder);
    database.run(`insert into kysely_migration (name, timestamp) values ('${future}', '2099')`);
    expect(database.rows('select release from migrated_by')).toEqual([{ release: manifest.version }]);
    database.run("update migrated_by set release = '7.8.9'");
    const refused = place.start();
    expect(await refused.exited).toBe(78);
    expect(refused.output()).toContain(
      'DATABASE_URL names a database that was changed by a newer release (7.8.9): start that release',
    );
    // Without it, restore leaves the database that is there.
    expect(refused.output()).toContain('npm run restore FILE -- --force');
    expect(database.rows('select name from kysely_migration where name = ?', future)).toHaveLength(1);
  });
});

it('a PORT that is taken ends it with exit code 1 and says so', async () => {
  const { port: PORT } = new URL(place.telegram.apiRoot);
  const bot = place.start({ PORT });
  expect(await bot.exited).toBe(1);
  expect(bot.output()).toContain(`PORT ${PORT} on HOST 127.0.0.1 is in use`);
});

it('a migration that fails leaves nothing behind', async () => {
  using database = openKeptDatabase(place.folder);
  database.run(`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
    create table seen_names (name text)`);
  expect(await place.start().exited).toBe(1);
  expect(database.rows("select name from sqlite_master where name = 'ledger'")).toEqual([]);
  database.run('drop table seen_names');
  place.start();
  await greets();
});

it('a Telegram that is out of reach is waited for', async () => {
  const { port } = new URL(place.telegram.apiRoot);
  await place.telegram.close();
  const bot = place.start();
  await bot.says('Telegram is unreachable: retrying');
  expect(bot.output()).not.toContain(TOKEN);
  place.telegram = await startLocalTelegram({ token: TOKEN, port: Number(port) });
  await greets();
});

it("another bot's database drops none of this bot's updates, and has none of its messages", async () => {
  const isAnswerTo = (text: string) => (now: Message) =>
    now.from?.is_bot === true && numberOf(now.text) === numberOf(text);
  const ask = async (person: Person, text: string) => {
    const asked = person.send(person.chat, { text });
    await place.telegram.world.waitForMessage(person.chat, isAnswerTo(text));
    return asked;
  };
  const bot = place.start();
  await bot.says('"ready"');
  for (const text of [newTibetan(), newTibetan(), newTibetan()]) await ask(newcomer(), text);
  await bot.stop();
  const token = '1000000002:another-secret';
  const { port } = new URL(place.telegram.apiRoot);
  await place.telegram.close();
  place.telegram = await startLocalTelegram({ token, port: Number(port) });
  // Both count their updates and messages from the same number.
  const person = newcomer();
  const other = place.start({ TELEGRAM_BOT_TOKEN: token });
  const asked = await ask(person, newTibetan());
  const edited = newTibetan();
  person.editText(asked, edited);
  await place.telegram.world.waitForMessage(person.chat, isAnswerTo(edited));
  await other.stop();
  // Its own updates it knows again.
  place.start({ TELEGRAM_BOT_TOKEN: token });
  await ask(person, newTibetan());
  const answers = place.telegram.world.messages(person.chat).filter(({ from }) => from?.is_bot);
  expect(answers).toHaveLength(2);
});

it('a faultless start logs one line, and opens no debugger', async () => {
  const limits = { DAILY_CALLS_PER_USER: '7', DAILY_CALLS_PER_GROUP: '0', DAILY_BUDGET_YUAN: '12.5' };
  const bot = place.start({ ...limits, LOG_LEVEL: 'info' });
  await bot.says('"ready"');
  process.kill(bot.pid ?? 0, 'SIGUSR1');
  await greets();
  expect(await bot.stop('SIGINT')).toBe(0);
  expect(bot.output()).not.toContain('Debugger');
  const lines = bot
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const worse = ['warn', 'error', 'fatal'];
  expect(lines.filter(({ level }) => worse.includes(level))).toEqual([]);
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  expect(lines.find(({ event }) => event === 'ready')).toMatchObject({
    ...{ msg: '@lotsawa_bot is ready', version: manifest.version, intake: 'polling', database: 'sqlite' },
    limits: { callsPerUser: 7, callsPerGroup: null, budgetYuan: 12.5 },
    access: 'open',
  });
});

it.each([
  ['as the process begins', async () => {}],
  ['as the first line is logged', async (begun: BotProcess) => begun.says('{')],
])('SIGTERM %s ends it without a word of trouble, and the next start is well', async (_, moment) => {
  const bot = place.start();
  await moment(bot);
  // Before the bot listens for it, the signal itself ends the process.
  expect([0, 'SIGTERM']).toContain(await bot.stop());
  expect(bot.output()).not.toMatch(/^[^{\n]/m);
  const next = place.start();
  // The one before may have asked for updates, too.
  await next.says('is ready');
  expect(await next.stop()).toBe(0);
});

it.each<[NodeJS.Signals, number]>([
  ['SIGTERM', 2],
  // What was in flight in the process that was killed is paid for again.
  ['SIGKILL', 3],
])(
  'a process takes over from one that ends by %s: nothing is lost, said twice or paid twice',
  async (signal, paid) => {
    const { service, telegram } = place;
    const { world } = telegram;
    const before = place.start();
    const endCall = service.faults.hold('translation');
    const person = newcomer();
    const asked = [newChinese(), newTibetan()].map((text) => person.send(person.chat, { text }));
    await world.waitUntil(() => service.calls.some(({ outcome }) => outcome === 'running'));
    const stopping = signal === 'SIGTERM' && before.stop();
    const after = place.start();
    await after.says('waiting for it to end');
    if (!stopping) await before.stop(signal);
    endCall();
    await stopping;
    await after.says('is ready');

    const numbers = () =>
      world.messages(person.chat).flatMap(({ from, text }) => (from?.is_bot ? [numberOf(text)] : []));
    const [, last] = asked.map(({ text }) => numberOf(text));
    await world.waitUntil(() => numbers().includes(last));
    expect(numbers()).toEqual(asked.map(({ text }) => numberOf(text)));
    expect(service.paid().calls).toBeLessThanOrEqual(paid);
  },
);
