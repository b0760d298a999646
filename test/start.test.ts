/** Starting and stopping the process. */
import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import manifest from '../package.json' with { type: 'json' };
import { type LocalService, startLocalService } from '../src/sandbox/service/local-service.ts';
import { createQuickEngines } from '../src/sandbox/service/quick-engines.ts';
import { type LocalTelegram, startLocalTelegram } from '../src/sandbox/telegram/local-telegram.ts';
import {
  type BotFolder,
  type BotProcess,
  botEnvironment,
  makeBotFolder,
  startBotProcess,
  TOKEN,
} from './bot-process.ts';
import { says } from './phrases.ts';

let telegram: LocalTelegram;
let service: LocalService;
let bot: BotProcess | undefined;
let folder: BotFolder;
beforeEach(() => {
  folder = makeBotFolder();
});

async function servers(port = 0): Promise<Record<string, string>> {
  service = await startLocalService({ engines: createQuickEngines() });
  telegram = await startLocalTelegram({ token: TOKEN, port });
  return botEnvironment(telegram, service, folder);
}

const EVERY_MS = { interval: 1, timeout: 10_000 };

/** What the process was told of malloc as it began, the last time that it did. */
function mallocSettingsOf({ pid }: BotProcess): string[] {
  const variables = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return variables.filter((variable) => variable.startsWith('MALLOC_'));
}

afterEach(async () => {
  await bot?.stop('SIGKILL');
  bot = undefined;
  await telegram?.close();
  await service?.close();
  folder.remove();
});

describe('a wrong configuration', () => {
  it('ends the start with exit code 1 and one line for each mistake, with an example, without the values', async () => {
    const secret = 'hunter2-hunter2';
    bot = startBotProcess(
      {
        PATH: process.env.PATH ?? '',
        TELEGRAM_BOT_TOKEN: secret,
        SERVICE_AUTH_URL: `ftp://${secret}`,
        SERVICE_API_KEY: secret,
        SERVICE_X_SECRET: `${secret}\u0f0b`,
        WORKERS: 'many',
      },
      folder,
    );
    expect(await bot.exited).toBe(1);
    const lines = bot.output().trim().split('\n');
    const named = lines.map((line) => line.split(' ')[0]);
    expect(named.toSorted()).toEqual([
      ...['SERVICE_AUTH_URL', 'SERVICE_BASE_URL', 'SERVICE_SECRET_KEY', 'SERVICE_X_SECRET'],
      ...['TELEGRAM_BOT_TOKEN', 'WORKERS'],
    ]);
    for (const line of lines) expect(line).toMatch(/\(for example: [A-Z_]+=\S+\)$/);
    expect(bot.output()).not.toContain(secret);
  });
});

it('a token that Telegram does not know ends the start with exit code 1 and says what to do', async () => {
  const settings = await servers();
  const wrong = `${TOKEN}-wrong`;
  bot = startBotProcess({ ...settings, TELEGRAM_BOT_TOKEN: wrong }, folder);
  expect(await bot.exited).toBe(1);
  expect(bot.output()).toContain('TELEGRAM_BOT_TOKEN');
  expect(bot.output()).toContain('BotFather');
  expect(bot.output()).not.toContain(wrong);
});

it('a Telegram that is out of reach is waited for', async () => {
  const settings = await servers();
  const { port } = new URL(telegram.apiRoot);
  await telegram.close();
  bot = startBotProcess(settings, folder);
  await bot.says('Telegram cannot be reached yet');
  expect(bot.output()).not.toContain(TOKEN);
  telegram = await startLocalTelegram({ token: TOKEN, port: Number(port) });
  await telegram.botReady();
  const person = telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: '/start' });
  await telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
});

it.each(['SIGTERM', 'SIGINT'] as const)('%s ends an idle bot with exit code 0', async (signal) => {
  bot = startBotProcess(await servers(), folder);
  await telegram.botReady();
  expect(await bot.stop(signal)).toBe(0);
});

describe('what malloc is told', () => {
  it.each(['main.mjs', 'main.ts'] as const)(
    'keeps its heaps few and small with %s, under the id that was started',
    async (main) => {
      bot = startBotProcess(await servers(), folder, main);
      await telegram.botReady();
      expect(mallocSettingsOf(bot)).toEqual(['MALLOC_ARENA_MAX=2', 'MALLOC_MMAP_THRESHOLD_=262144']);
      expect(await bot.stop()).toBe(0);
      expect(bot.output()).toContain('"msg":"stopped"');
    },
  );

  it('is left to whoever has set it', async () => {
    bot = startBotProcess({ ...(await servers()), MALLOC_ARENA_MAX: '5' }, folder);
    await telegram.botReady();
    expect(mallocSettingsOf(bot)).toEqual(['MALLOC_ARENA_MAX=5']);
    expect(await bot.stop()).toBe(0);
  });
});

describe('SIGTERM in the first moments', () => {
  it.each([
    ['as the process begins', async () => {}],
    [
      'as it begins again',
      async (begun: BotProcess) => expect.poll(() => arenasOf(begun), EVERY_MS).not.toEqual([]),
    ],
    ['as the first line is logged', async (begun: BotProcess) => begun.says('{')],
  ])('%s ends it without a word of trouble, and the next start is well', async (_, moment) => {
    const settings = await servers();
    bot = startBotProcess(settings, folder);
    await moment(bot);
    // Before the bot listens for it, the signal itself ends the process.
    expect([0, null]).toContain(await bot.stop());
    expect(bot.output()).not.toMatch(/^[^{\n]/m);
    bot = startBotProcess(settings, folder);
    await telegram.botReady();
    expect(await bot.stop()).toBe(0);
  });
});

it('a bot that starts without faults says so in one line, and nothing worse', async () => {
  const limits = { DAILY_CALLS_PER_USER: '7', DAILY_CALLS_PER_GROUP: '0', DAILY_BUDGET_YUAN: '12.5' };
  bot = startBotProcess({ ...(await servers()), ...limits, LOG_LEVEL: 'info' }, folder);
  await telegram.botReady();
  await bot.says('"ready"');
  expect(await bot.stop()).toBe(0);
  const lines = bot
    .output()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.filter(({ level }) => level > 30)).toEqual([]);
  expect(lines.find(({ event }) => event === 'ready').msg).toBe(
    `@lotsawa_bot is ready · Lotsawa ${manifest.version} · long polling · SQLite · ` +
      'a day: 7 calls a person, no limit a group, 12.5 yuan in all · ' +
      'SANDBOX: Telegram and the service are on this machine',
  );
});
