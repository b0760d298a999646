/** The SQLite file itself meets with something: it is said what to do, and no ledger is silently begun anew. */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
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

/** How many calls the ledger knows, in a database that is sound. */
function callsKept(): number {
  using database = openKeptDatabase(place.folder);
  expect(database.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
  return database.rows('select id from ledger').length;
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
    [
      'nothing where a database was',
      () => rmSync(file),
      'is gone or empty, though there was one with a ledger and settings: restore it',
    ],
    [
      'an empty file where a database was',
      () => truncateSync(file, 0),
      'is gone or empty, though there was one with a ledger and settings: restore it',
    ],
  ])('%s is left as it is, and it is said what to do', async (_name, damage, words) => {
    damage();
    const before = _name.startsWith('nothing') ? undefined : hash(file);
    await isRefused(new RegExp(`^DATABASE_URL names a database that .*${words}`));
    if (before !== undefined) expect(hash(file)).toBe(before);
  });

  it('a file whose log was deleted after a crash, with all that was in it, is not begun anew', async () => {
    for (const name of [file, `${file}-owner`]) rmSync(name);
    await (await startUsed()).stop('SIGKILL');
    rmSync(`${file}-wal`);
    await isRefused(/is gone or empty, .*: restore it/);
  });

  it('a page that is damaged somewhere ends the bot, too', async () => {
    const [{ page }] = pagesOf('ledger');
    const bytes = readFileSync(file);
    bytes.fill(0xa5, (page - 1) * 4096, page * 4096);
    writeFileSync(file, bytes);
    await isRefused(/is damaged: name another in DATABASE_URL, or npm run restore/);
  });

  it.each([
    ['a folder', () => mkdirSync(`${file}-owner`)],
    ['what somebody wrote', () => writeFileSync(`${file}-owner`, 'not what the bot made there\n'.repeat(50))],
  ])('%s in the place of the lock is told, as a second process could not be kept out', async (_, put) => {
    rmSync(`${file}-owner`);
    put();
    await isRefused(/second process.*: make sure that no bot is running, delete that file, and start again/);
    rmSync(`${file}-owner`, { recursive: true });
    await startReady();
    await isAnswered();
    expect(callsKept()).toBe(2);
  });

  it('to look for dead letters makes no database where there is none', async () => {
    rmSync(file);
    const look = spawnSync(process.execPath, [QUEUE], { env: { ...place.settings }, encoding: 'utf8' });
    expect(look.status).toBe(1);
    expect(look.stderr).toMatch(/^DATABASE_URL .* is gone or empty, .*: restore it .*\n$/);
    expect(existsSync(file)).toBe(false);
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
    ['of a folder where the file is not there yet', 'new.db', 'linked', '.', '/new.db'],
    ['of a file that is not there yet', 'new/new.db', 'link.db', 'new/new.db'],
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

  it('whoever wants an empty one takes the mark of the one before away', async () => {
    for (const name of [file, `${file}-owner`]) rmSync(name);
    await startReady();
    await isAnswered();
    expect(callsKept()).toBe(1);
  });
});

function pagesOf(table: string): [{ page: number }] {
  const database = new Sqlite(file);
  const [row] = database.prepare('select rootpage as page from sqlite_schema where name = ?').all(table);
  database.close();
  return [{ page: Number(Object(row).page) }];
}

describe('under the running bot', () => {
  let bot: BotProcess;
  beforeEach(async () => {
    bot = await startUsed();
  });

  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).json();
  const saysProblem = (words: string) =>
    expect.poll(readiness).toMatchObject({ ready: false, problem: expect.stringContaining(words) });

  it('it is deleted: people are answered, it is said what to do, and a stop puts it back with all in it', async () => {
    rmSync(file);
    await isAnswered();
    await saysProblem('was deleted: stop the bot, which puts back');
    await bot.says('writes will be lost');
    expect(await bot.stop()).toBe(0);
    expect(callsKept()).toBe(2);
    await startReady();
    await isAnswered();
  });

  it('its log is deleted, though it is named by a symbolic link: it is said what to do', async () => {
    expect(await bot.stop()).toBe(0);
    symlinkSync(file, `${file}.link`);
    bot = start({ PORT: port, DATABASE_URL: `sqlite:${file}.link` });
    await bot.says('"ready"');
    await isAnswered();
    rmSync(`${file}-wal`);
    await saysProblem('was deleted: stop the bot');
    expect(await bot.stop()).toBe(0);
    expect(callsKept()).toBe(2);
  });

  it('its log is deleted: it is said what to do, and a stop saves all', async () => {
    rmSync(`${file}-wal`);
    await isAnswered();
    await saysProblem('was deleted: stop the bot');
    expect(await bot.stop()).toBe(0);
    expect(callsKept()).toBe(2);
  });

  it('it is replaced: it is said what to do, and what took its place stays as it is', async () => {
    const copy = `${file}.copy`;
    const database = new Sqlite(file);
    database.exec(`vacuum into '${copy}'`);
    database.close();
    await isAnswered();
    renameSync(copy, file);
    const before = hash(file);
    await isAnswered();
    await saysProblem('was replaced while the bot is running');
    expect(await bot.stop()).toBe(0);
    expect(hash(file)).toBe(before);
    expect(callsKept()).toBe(1);
  });
});
