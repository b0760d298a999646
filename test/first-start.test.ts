/** Starting the bot in a terminal: what a newcomer reads, and how the log looks. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openBotPlace } from './bot-place.ts';
import { type BotFolder, makeBotFolder, messagesAt, startBotProcess, TOKEN } from './bot-process.ts';
import { startInTerminal } from './terminal.ts';

const NOTHING = { PATH: process.env.PATH ?? '', HOME: '/', TERM: 'xterm' };

let folder: BotFolder;
beforeEach(() => {
  folder = makeBotFolder();
});
afterEach(() => folder.remove());

it('a missing configuration in a terminal is told in a few lines', async () => {
  const terminal = startInTerminal(NOTHING, folder);
  expect(await terminal.exited).toBe(78);
  const screen = terminal.screen();
  for (const word of ['npm run sandbox', '.env.example', 'npm run doctor', 'npm start'])
    expect(screen).toContain(word);
  expect(screen.trim().split('\n').length).toBeLessThan(5);
});

it('with some of the settings, they are told what is wrong with the others', async () => {
  const terminal = startInTerminal({ ...NOTHING, TELEGRAM_BOT_TOKEN: TOKEN, WORKERS: 'many' }, folder);
  expect(await terminal.exited).toBe(78);
  expect(terminal.screen()).toContain('WORKERS must be a whole number');
  expect(terminal.screen()).toContain('SERVICE_X_SECRET is missing');
  expect(terminal.screen()).not.toContain('npm run sandbox');
});

it('a missing configuration without a terminal gets a line a variable', async () => {
  const bot = startBotProcess(NOTHING, folder);
  expect(await bot.exited).toBe(78);
  const lines = messagesAt('fatal', bot.output());
  expect(lines).toHaveLength(6);
  for (const line of lines) expect(line).toMatch(/^[A-Z_]+ is missing \(for example: [A-Z_]+=\S+\)$/);
});

it('a .env that is a folder ends the start with a line that says so', async () => {
  mkdirSync(join(folder.path, '.env'));
  const bot = startBotProcess(NOTHING, folder);
  expect(await bot.exited).toBe(78);
  expect(messagesAt('fatal', bot.output())).toEqual([
    expect.stringMatching(/^\.env must be a regular file that this user can read \(\w+\)$/),
  ]);
});

it('in a terminal the log is for eyes, and Ctrl-C ends the bot well', async () => {
  const place = await openBotPlace();
  const env = { ...NOTHING, ...place.settings, LOG_LEVEL: 'info' };
  const terminal = startInTerminal(env, place.folder);
  await terminal.shows('is ready');
  terminal.pressCtrlC();
  expect(await terminal.exited).toBe(0);
  expect(terminal.screen()).toMatch(
    /^\[\d\d:\d\d:\d\d\] INFO: @lotsawa_bot is ready \{"version":"\d+\.\d+\.\d+",/m,
  );
  expect(terminal.screen()).not.toContain('{"level"');
  await place.close();
});
