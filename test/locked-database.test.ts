/** A database that cannot be written: those who run the bot are alerted, nothing is paid for, and nothing is lost. */
import Sqlite from 'better-sqlite3';
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { hasTibetan, newChinese, says } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const ADMIN = 42;
const scene = useScene({ env: { ADMIN_IDS: String(ADMIN) } });
let admin: Person;
let anna: Person;
beforeAll(() => {
  admin = scene.newcomer({ id: ADMIN });
});
beforeEach(() => {
  scene.service.faults.clear();
  anna = scene.newcomer();
});

const failures = () => scene.log().split('a request failed').length;

/** Waits for its turn beside the bot. */
function openPatiently(file: string): Sqlite.Database {
  const database = new Sqlite(file);
  database.pragma('busy_timeout = 30000');
  return database;
}

it('while it is locked nothing is paid for, and the admins hear of it; afterwards all is answered', async () => {
  const { ask, paidBy, databaseFile, telegram } = scene;
  await ask(anna, '/help');
  const other = openPatiently(databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const paid = await paidBy(async () => {
    anna.send(anna.chat, { text: newChinese() });
    await telegram.world.waitForMessage(admin.chat, ({ text }) => text === says('alert-database'));
  });
  expect(paid).toBe(0);
  other.exec('ROLLBACK');
  other.close();
  // What could not be written waited at Telegram, and is not lost.
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text));
  expect(hasTibetan((await ask(anna, newChinese())).text)).toBe(true);
});

it('who has been answered is not told that nothing can be written down', async () => {
  const { ask, answerTo, databaseFile, everythingAfter, service, telegram } = scene;
  await ask(anna, '/help');
  const endCall = service.faults.hold('translation');
  const asked = anna.send(anna.chat, { text: newChinese() });
  await telegram.world.waitUntil(() => service.calls.at(-1)?.outcome === 'running');
  const other = openPatiently(databaseFile);
  const before = failures();
  other.exec('alter table "telegraf-sessions" rename to away');
  endCall();
  const answer = await answerTo(asked, ({ text }) => hasTibetan(text));
  await expect.poll(failures).toBeGreaterThan(before);
  other.exec('alter table away rename to "telegraf-sessions"');
  other.close();
  expect(await everythingAfter(asked, anna)).toEqual([answer]);
});

it('a person whose settings could not be read once is not left alone for it', async () => {
  const { ask, databaseFile, telegram } = scene;
  await ask(anna, '/help');
  const other = openPatiently(databaseFile);
  const waiting = other.prepare("select id from requests where state = 'waiting'");
  // What followed the answer is written, too: the next to fail is a read.
  await expect.poll(() => waiting.all()).toEqual([]);
  other.exec('alter table "telegraf-sessions" rename to away');
  anna.send(anna.chat, { text: newChinese() });
  await telegram.world.waitForMessage(anna.chat, ({ text }) => text === says('failure-database'));
  other.exec('alter table away rename to "telegraf-sessions"');
  other.close();
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text));
});

it('a blocked person does not even hear that it fails', async () => {
  const { ask, databaseFile, telegram } = scene;
  await ask(anna, '/help');
  await ask(admin, `/block ${anna.id}`);
  const other = openPatiently(databaseFile);
  const waiting = other.prepare("select id from requests where state = 'waiting'");
  await expect.poll(() => waiting.all()).toEqual([]);
  other.exec('alter table "telegraf-sessions" rename to away');
  const asked = anna.send(anna.chat, { text: newChinese() });
  const before = failures();
  // Everybody else gets the second.
  await expect.poll(failures).toBeGreaterThan(before + 2);
  other.exec('alter table away rename to "telegraf-sessions"');
  await expect.poll(() => waiting.all()).toEqual([]);
  other.close();
  expect(
    telegram.world.messages(anna.chat).filter(({ message_id }) => message_id > asked.message_id),
  ).toEqual([]);
});
