/** The SQLite file itself meets with something: it is said what to do, and no ledger is silently begun anew. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { type BotFolder, type BotProcess, makeBotFolder, messagesAt } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { openKeptDatabase } from '../kept-database.ts';
import { hasTibetan, newChinese } from '../phrases.ts';

const QUEUE = fileURLToPath(new URL('../../scripts/queue.ts', import.meta.url));

let place: BotPlace;
let file: string;
let port: string;
const running: BotProcess[] = [];
beforeAll(async () => {
  place = await openBotPlace();
  file = join(place.folder.path, 'lotsawa.db');
  port = String(await freePort());
});
afterEach(async () => {
  await Promise.all(running.splice(0).map((bot) => bot.stop('SIGKILL')));
  for (const name of readdirSync(place.folder.path)) {
    rmSync(join(place.folder.path, name), { recursive: true });
  }
});
afterAll(() => place.close());

function start(changes?: Record<string, string>): BotProcess {
  const bot = place.start(changes);
  running.push(bot);
  return bot;
}

async function startReady(): Promise<BotProcess> {
  const started = start({ PORT: port });
  await started.says('"ready"');
  return started;
}

async function isAnswered(): Promise<void> {
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const after = person.send(person.chat, { text: newChinese() });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => hasTibetan(text), { after });
}

const hash = (path: string): string => createHash('sha256').update(readFileSync(path)).digest('hex');

/** The start ends, with one line that says what is wrong and what to do. */
async function isRefused(words: RegExp): Promise<void> {
  const refused = start();
  expect(await refused.exited).toBeOneOf([1, 78]);
  expect(messagesAt('fatal', refused.output())).toEqual([expect.stringMatching(words)]);
  expect(refused.output()).not.toContain('stack');
}

/** Starts a bot, and has it answer once. */
async function startUsed(): Promise<BotProcess> {
  const bot = await startReady();
  await isAnswered();
  return bot;
}

describe('at the start', () => {
  /** What a bot that has answered once left behind as it ended. */
  let left: BotFolder | undefined;
  beforeEach(async () => {
    if (left === undefined) {
      expect(await (await startUsed()).stop()).toBe(0);
      left = makeBotFolder();
      cpSync(place.folder.path, left.path, { recursive: true });
    } else cpSync(left.path, place.folder.path, { recursive: true });
  });
  afterAll(() => left?.remove());

  const overwrite = (bytes: Buffer | string) => () => writeFileSync(file, bytes);

  it.each([
    ['a file that was cut short', () => truncateSync(file, 3 * 4096), 'is damaged'],
    ['a file whose head is no more', overwrite(Buffer.alloc(40_960, 0xa5)), 'is not a database'],
    ['a text', overwrite('This is no database at all.\n'.repeat(1000)), 'is not a database'],
    [
      "another program's database",
      () => {
        rmSync(file);
        using others = openKeptDatabase(place.folder);
        others.run('create table notes (body text)');
      },
      'belongs to another program: name a file',
    ],
  ])('%s is left as it is, and it is said what to do', async (_name, damage, words) => {
    damage();
    const before = hash(file);
    await isRefused(new RegExp(`^DATABASE_URL names a database that .*${words}`));
    expect(hash(file)).toBe(before);
  });

  it('to look for dead letters where no bot has run says that there is no database, and makes none', () => {
    const nowhere = join(place.folder.path, 'elsewhere.db');
    const env = { ...place.settings, DATABASE_URL: `sqlite:${nowhere}` };
    const look = spawnSync(process.execPath, [QUEUE], { env, encoding: 'utf8' });
    expect(look.status).toBe(1);
    expect(look.stderr).toBe(`There is no database at ${nowhere}: check DATABASE_URL.\n`);
    expect(existsSync(nowhere)).toBe(false);
  });

  it.each([
    ['of the file', 'lotsawa.db', 'link.db', 'lotsawa.db'],
    ['of a folder', 'new.db', 'linked', '.', '/new.db'],
  ])(
    'a second process that names it by a symbolic link %s waits',
    async (_, name, link, target, rest = '') => {
      symlinkSync(target, join(place.folder.path, link));
      const [first, second] = [`${link}${rest}`, name].map((path) => ({ DATABASE_URL: `sqlite:${path}` }));
      const before = start(first);
      await before.says('"ready"');
      const after = start(second);
      await after.says('another process of the bot uses this database');
      await isAnswered();
      expect(await before.stop()).toBe(0);
      await after.says('"ready"');
      await isAnswered();
    },
  );
});
