/** The SQLite file itself meets with something: it is said what to do, and no ledger is silently begun anew. */
import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import {
  copyFileSync,
  existsSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { beforeAll, expect, it } from 'vitest';
import { messagesAt } from '../bot-process.ts';
import { openKeptDatabase } from '../kept-database.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { useBotPlace } from '../shared-scene.ts';

const QUEUE = fileURLToPath(new URL('../../scripts/queue.ts', import.meta.url));

const place = useBotPlace();
const inFolder = (name: string) => join(place.folder.path, name);

async function isAnswered(): Promise<void> {
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  const after = person.send(person.chat, { text: newChinese() });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => hasTibetan(text), { after });
}

/** What a bot that has answered once leaves behind as it ends. */
beforeAll(async () => {
  const bot = place.start();
  await bot.says('"ready"');
  await isAnswered();
  expect(await bot.stop()).toBe(0);
});

it.each<[string, (file: string) => void, string]>([
  ['a file that was cut short', (file) => truncateSync(file, 3 * 4096), 'is damaged'],
  [
    'a file whose head is no more',
    (file) => writeFileSync(file, Buffer.alloc(40_960, 0xa5)),
    'is not a database',
  ],
  [
    'a text',
    (file) => writeFileSync(file, 'This is no database at all.\n'.repeat(1000)),
    'is not a database',
  ],
  [
    "another program's database",
    (file) => {
      rmSync(file);
      using others = openKeptDatabase(place.folder, basename(file));
      others.run('create table notes (body text)');
    },
    'belongs to another program: name a file',
  ],
])('%s is left as it is, and it is said what to do', async (_, damage, words) => {
  const file = inFolder(`${randomUUID()}.db`);
  copyFileSync(inFolder('lotsawa.db'), file);
  damage(file);
  const before = readFileSync(file);
  const bot = place.start({ DATABASE_URL: `sqlite:${file}` });
  expect(await bot.exited).toBeOneOf([1, 78]);
  expect(messagesAt('fatal', bot.output())).toEqual([
    expect.stringMatching(new RegExp(`^DATABASE_URL names a database that .*${words}`)),
  ]);
  expect(bot.output()).not.toContain('stack');
  expect(readFileSync(file).equals(before)).toBe(true);
});

it('the queue’s script makes no database where there is none', () => {
  const nowhere = inFolder('elsewhere.db');
  const env = { ...place.settings, DATABASE_URL: `sqlite:${nowhere}` };
  const look = spawnSync(process.execPath, [QUEUE], { env, encoding: 'utf8' });
  expect(look.status).toBe(1);
  expect(look.stderr).toBe(`There is no database at ${nowhere}: check DATABASE_URL.\n`);
  expect(existsSync(nowhere)).toBe(false);
});

it.each([
  ['of the file', 'lotsawa.db', 'link.db', 'lotsawa.db'],
  ['of a folder', 'new.db', 'linked/new.db', '.'],
])('a second process that names it by a symbolic link %s waits', async (_, name, byLink, target) => {
  symlinkSync(target, inFolder(byLink.split('/')[0] ?? ''));
  const before = place.start({ DATABASE_URL: `sqlite:${byLink}` });
  await before.says('"ready"');
  const after = place.start({ DATABASE_URL: `sqlite:${name}` });
  await after.says(`process ${before.pid} of the bot uses this database`);
  await isAnswered();
  expect(await before.stop()).toBe(0);
  await after.says('"ready"');
  await isAnswered();
  expect(await after.stop()).toBe(0);
});
