/** The reader of the log stalls: the bot serves and stops as usual, and says how many lines were dropped once it reads again. */
import { execFileSync } from 'node:child_process';
import { closeSync, constants, openSync, readSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { freePort } from './free-port.ts';
import { hasTibetan, newChinese } from './phrases.ts';

let place: BotPlace;
const files: number[] = [];
beforeEach(async () => {
  place = await openBotPlace();
});
afterEach(async () => {
  await place.close();
  for (const file of files.splice(0)) closeSync(file);
});

function open(path: string, flags: number): number {
  const file = openSync(path, flags | constants.O_NONBLOCK);
  files.push(file);
  return file;
}

/** A pipe that is full from the start, and its reader's end. */
function fullPipe(): { readonly reader: number; readonly writer: number } {
  const path = join(place.folder.path, 'log');
  execFileSync('mkfifo', [path]);
  const reader = open(path, constants.O_RDONLY);
  const writer = open(path, constants.O_WRONLY);
  expect(() => {
    for (;;) writeSync(writer, `${'x'.repeat(1023)}\n`);
  }).toThrow('EAGAIN');
  return { reader, writer };
}

/** All that comes through the pipe until `isDone`, or its writers are gone. */
async function readPipe(reader: number, isDone: (text: string) => boolean): Promise<string> {
  const chunk = Buffer.alloc(65_536);
  let text = '';
  while (!isDone(text)) {
    try {
      const length = readSync(reader, chunk);
      if (length === 0) break;
      text += chunk.toString('utf8', 0, length);
    } catch {
      await delay(5);
    }
  }
  return text;
}

async function isAnswered(): Promise<void> {
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const asked = person.send(person.chat, { text: newChinese() });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => hasTibetan(text), { after: asked });
}

it.each<[string, () => number]>([
  ['a pipe that nobody reads', () => fullPipe().writer],
  [
    'a pipe whose reader is gone',
    () => {
      const { reader, writer } = fullPipe();
      closeSync(reader);
      files.splice(files.indexOf(reader), 1);
      return writer;
    },
  ],
  ['a disk without room', () => open('/dev/full', constants.O_WRONLY)],
])('written to %s, it keeps nobody from an answer, and the bot from no end', async (_, stdout) => {
  const bot = place.start({ LOG_LEVEL: 'trace' }, { stdout: stdout() });
  await place.telegram.botReady();
  await isAnswered();
  await isAnswered();
  expect(await bot.stop()).toBe(0);
  expect(bot.output()).toBe('');
});

/** Each leaves a line of 80 characters in the log. */
const REFUSED_REQUESTS = 9000;

it('a log that was not read goes on with whole lines', async () => {
  const { reader, writer } = fullPipe();
  const port = await freePort();
  const WEBHOOK_URL = `http://127.0.0.1:${port}/hook`;
  const webhook = { WEBHOOK_URL, WEBHOOK_SECRET: 'secret_123', PORT: String(port) };
  const bot = place.start(webhook, { stdout: writer });
  await place.telegram.world.waitUntil(() =>
    place.telegram.calls.some(({ method }) => method === 'setWebhook'),
  );
  for (let sent = 0; sent < REFUSED_REQUESTS; sent += 100) {
    const answers = Array.from({ length: 100 }, () => fetch(WEBHOOK_URL, { method: 'POST' }));
    for (const { status } of await Promise.all(answers)) expect(status).toBe(401);
  }
  await isAnswered();
  const missing = 'log lines were dropped';
  const before = await readPipe(reader, (text) => text.includes(missing));
  const ended = bot.stop();
  closeSync(writer);
  files.splice(files.indexOf(writer), 1);
  const rest = await readPipe(reader, () => false);
  expect(await ended).toBe(0);
  const lines = `${before}${rest}`
    .trim()
    .split('\n')
    .filter((line) => !line.startsWith('x'))
    .map((line) => JSON.parse(line));
  const gap = lines.find(({ msg }) => msg.startsWith(missing));
  expect(gap.dropped).toBeGreaterThan(100);
  const refused = lines.filter(({ msg }) => msg.includes('without the secret'));
  expect(refused.length).toBeLessThan(REFUSED_REQUESTS);
  expect(refused.length + gap.dropped).toBeGreaterThanOrEqual(REFUSED_REQUESTS);
  expect(lines.at(-1).msg).toBe('stopped');
});
