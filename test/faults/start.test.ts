/** What is missing at the start is said in one line, at once, or is not missed: the bot neither hangs nor leaves a riddle. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { useBotPlace } from '../shared-scene.ts';
import { runCell, unbroken } from './cell.ts';
import { longPage, recognition, speech, translation } from './errands.ts';
import { startStage } from './stage.ts';

const place = useBotPlace();

it.each(['/proc/lotsawa/bot.db', '/proc'])(
  'a database at %s ends the start, and names the variable',
  async (path) => {
    const bot = place.start({ DATABASE_URL: `sqlite:${path}` });
    expect(await bot.exited).toBe(1);
    expect(bot.output()).toContain('DATABASE_URL');
    expect(bot.output()).not.toContain('    at ');
  },
);

it('a machine without ffmpeg is told what to install', async () => {
  symlinkSync(process.execPath, join(place.folder.path, 'node'));
  const bot = place.start({ PATH: place.folder.path });
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
