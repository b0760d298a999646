/** Starting and stopping the process. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { startLocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { type BotProcess, messagesAt, startBotProcess, TOKEN } from './bot-process.ts';
import { says } from './phrases.ts';

let place: BotPlace;
beforeEach(async () => {
  place = await openBotPlace();
});
afterEach(() => place.close());

describe('a wrong configuration', () => {
  it('ends the start with exit code 78 and one line of the log for each mistake, with an example, without the values', async () => {
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
});

it('an older Node ends the start with exit code 78 and one line', async () => {
  const older =
    "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(older)}`;
  const bot = place.start({ NODE_OPTIONS });
  expect(await bot.exited).toBe(78);
  expect(bot.output()).toBe(
    'Lotsawa needs Node 24 or newer, and this is Node 20.20.2: start it with npm start\n',
  );
});

it('a token that Telegram does not know ends the start with exit code 78 and says what to do', async () => {
  const wrong = `${TOKEN}-wrong`;
  const bot = place.start({ TELEGRAM_BOT_TOKEN: wrong });
  expect(await bot.exited).toBe(78);
  expect(bot.output()).toContain('TELEGRAM_BOT_TOKEN');
  expect(bot.output()).toContain('BotFather');
  expect(bot.output()).not.toContain(wrong);
});

it('a Telegram that is out of reach is waited for', async () => {
  const { port } = new URL(place.telegram.apiRoot);
  await place.telegram.close();
  const bot = place.start();
  await bot.says('Telegram is unreachable: retrying');
  expect(bot.output()).not.toContain(TOKEN);
  const telegram = await startLocalTelegram({ token: TOKEN, port: Number(port) });
  place.telegram = telegram;
  await telegram.botReady();
  const person = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '/start' });
  await telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
});

it('SIGUSR1 does not open a debugger, through which others on the machine could read the secrets', async () => {
  const bot = place.start();
  await place.telegram.botReady();
  process.kill(bot.pid ?? 0, 'SIGUSR1');
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '/start' });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
  expect(await bot.stop('SIGINT')).toBe(0);
  expect(bot.output()).not.toContain('Debugger');
});

describe('SIGTERM in the first moments', () => {
  it.each([
    ['as the process begins', async () => {}],
    ['as the first line is logged', async (begun: BotProcess) => begun.says('{')],
  ])('%s ends it without a word of trouble, and the next start is well', async (_, moment) => {
    const bot = place.start();
    await moment(bot);
    // Before the bot listens for it, the signal itself ends the process.
    expect([0, 'SIGTERM']).toContain(await bot.stop());
    expect(bot.output()).not.toMatch(/^[^{\n]/m);
    const next = place.start();
    await place.telegram.botReady();
    expect(await next.stop()).toBe(0);
  });
});

it('a bot that starts without faults says so in one line, and nothing worse', async () => {
  const limits = { DAILY_CALLS_PER_USER: '7', DAILY_CALLS_PER_GROUP: '0', DAILY_BUDGET_YUAN: '12.5' };
  const bot = place.start({ ...limits, LOG_LEVEL: 'info' });
  await place.telegram.botReady();
  await bot.says('"ready"');
  expect(await bot.stop()).toBe(0);
  const lines = bot
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const worse = ['warn', 'error', 'fatal'];
  expect(lines.filter(({ level }) => worse.includes(level))).toEqual([]);
  for (const { time } of lines) expect(new Date(time).toISOString()).toBe(time);
  expect(lines.find(({ event }) => event === 'ready').msg).toBe(
    `@lotsawa_bot is ready · Lotsawa ${manifest.version} · long polling · SQLite · ` +
      'a day: 7 calls a person, no limit a group, 12.5 yuan in all · open to all of Telegram · ' +
      'SANDBOX: Telegram and the service are on this machine',
  );
});
