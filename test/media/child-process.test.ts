/** Programs that the bot runs end with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Has a program loop that may take a second, and tells its process id. */
const LOOPING = `
  import { readFileSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  import { runBounded } from ${source('media/child-process.ts')};
  const bounds = { dataKb: 100_000, seconds: 1, maxBytes: 1 };
  void runBounded(['sh', '-c', 'while :; do :; done'], process.env, [], bounds);
  const children = '/proc/self/task/' + process.pid + '/children';
  while (readFileSync(children, 'utf8') === '') await delay(1);
  process.stdout.write(readFileSync(children, 'utf8'));`;

function isRunning(pid: number): boolean {
  const stat = `/proc/${pid}/stat`;
  return existsSync(stat) && !readFileSync(stat, 'utf8').includes(') Z ');
}

test('a program that loops ends by itself when the bot is killed', async () => {
  const bot = spawn(process.execPath, ['--input-type=module', '-e', LOOPING]);
  const [told] = await once(bot.stdout, 'data');
  const pid = Number(String(told));
  expect(isRunning(pid)).toBe(true);
  bot.kill('SIGKILL');
  await expect.poll(() => isRunning(pid)).toBe(false);
});
