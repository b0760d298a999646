/** Programs that the bot runs: their start may fail, which costs nothing that lasts. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const source = (path: string): string => JSON.stringify(new URL(`../../src/${path}`, import.meta.url).href);

/** Starts programs side by side, where most starts find no file descriptor. Ends once all descriptors are free again. */
const SHORT_OF_FILES = `
  import { execFileSync } from 'node:child_process';
  import { readdirSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  import { startProcess } from ${source('media/child-process.ts')};
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const ask = async () => {
    const child = await startProcess(['true'], process.env);
    child.stdin.end('what nobody reads');
    child.stdout.resume();
    await child.ended;
  };
  await ask();
  const before = openFiles();
  execFileSync('prlimit', ['--pid', String(process.pid), '--nofile=' + (before + 20) + ':']);
  let [started, failed] = [0, 0];
  const codes = new Set();
  let litter = [];
  const askOn = async () => {
    while (failed < 3000) {
      await ask().then(() => (started += 1), ({ code }) => {
        failed += 1;
        codes.add(code);
        return delay(1);
      });
      litter = [...litter.slice(-300), Array.from({ length: 200 }, () => ({ failed }))];
    }
  };
  await Promise.all(Array.from({ length: 12 }, askOn));
  while (openFiles() > before) await delay(10);
  process.stdout.write(JSON.stringify({ codes: [...codes], hasStarted: started > 0 }));`;

test('a shortage of file descriptors leaves none open and the process whole, however many starts it fails', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--input-type=module',
    '-e',
    SHORT_OF_FILES,
  ]);
  expect(JSON.parse(stdout)).toEqual({ codes: ['EMFILE'], hasStarted: true });
});

/** Has a program loop that may take a second, and tells its process id. */
const LOOPING = `
  import { readFileSync } from 'node:fs';
  import { setTimeout as delay } from 'node:timers/promises';
  import { runBounded } from ${source('media/child-process.ts')};
  const bounds = { dataKb: 100_000, seconds: 1, mostBytes: 1 };
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
