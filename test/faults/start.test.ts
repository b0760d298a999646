/** What is missing at the start is said in one line, at once, or is not missed: the bot neither hangs nor leaves a riddle. */
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startLocalService } from '../../sandbox/service/local-service.ts';
import { startLocalTelegram } from '../../sandbox/telegram/local-telegram.ts';
import { botEnvironment, makeBotFolder, startBotProcess, TOKEN } from '../bot-process.ts';
import { runCell, unbroken } from './cell.ts';
import { longPage, recognition, speech, translation } from './errands.ts';
import { startStage } from './stage.ts';

const folder = makeBotFolder();
const servers = {
  telegram: await startLocalTelegram({ token: TOKEN }),
  service: await startLocalService(),
};
let settings: Record<string, string>;
beforeAll(() => {
  settings = botEnvironment(servers.telegram, servers.service, folder);
});
afterAll(async () => {
  await servers.telegram.close();
  await servers.service.close();
  folder.remove();
});

it.each(['/proc/lotsawa/bot.db', '/dev/null'])(
  'a database at %s ends the start, and names the variable',
  async (path) => {
    const bot = startBotProcess({ ...settings, DATABASE_URL: `sqlite:${path}` }, folder);
    expect(await bot.exited).toBe(1);
    expect(bot.output()).toContain('DATABASE_URL');
    expect(bot.output()).not.toContain('    at ');
    expect(existsSync(`${path}-owner`)).toBe(false);
  },
);

it('a machine without ffmpeg is told what to install', async () => {
  symlinkSync(process.execPath, join(folder.path, 'node'));
  const bot = startBotProcess({ ...settings, PATH: folder.path }, folder);
  expect(await bot.exited).toBe(1);
  expect(bot.output()).toContain('install ffmpeg');
});

it('without a folder for temporary files, everything is done all the same', async () => {
  const stage = await startStage({ env: { TMPDIR: '/proc/nowhere' } });
  for (const errand of [translation, speech, recognition, longPage]) {
    expect((await runCell(stage, unbroken(errand))).told).toBe('answer');
  }
  await stage.close();
});

it('where no encoder can be started, speech is answered in words, and all else goes on', async () => {
  // Encoders are started by way of `nice`, which is missing here; no memory or no process left ends the same way.
  const path = join(folder.path, 'no-nice');
  mkdirSync(path);
  symlinkSync(execFileSync('which', ['ffmpeg'], { encoding: 'utf8' }).trim(), join(path, 'ffmpeg'));
  const stage = await startStage({ env: { PATH: path } });
  expect((await runCell(stage, unbroken(speech))).told).toBe('failure-audio');
  expect((await runCell(stage, unbroken(translation))).told).toBe('answer');
  await stage.close();
});
