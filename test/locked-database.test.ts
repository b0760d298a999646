/** A database that cannot be written: those who run the bot are alerted, nothing is paid for, and nothing is lost. */
import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { CHINESE, hasTibetan, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

/** Waits for its turn beside the bot. */
function openPatiently(file: string): Sqlite.Database {
  const database = new Sqlite(file);
  database.pragma('busy_timeout = 30000');
  return database;
}

it('while it is locked nothing is paid for, and the admins hear of it; afterwards all is answered', async () => {
  scene = await startScene({ env: { ADMIN_IDS: '42' } });
  const { anna, ask, newcomer, paidBy, databaseFile, telegram } = scene;
  const admin = newcomer({ id: 42 });
  await ask(anna, '/help');
  const other = openPatiently(databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const paid = await paidBy(async () => {
    anna.send(anna.chat, { text: CHINESE });
    await telegram.world.waitForMessage(admin.chat, ({ text }) => text === says('alert-database'));
  });
  expect(paid).toBe(0);
  other.exec('ROLLBACK');
  other.close();
  // What could not be written waited at Telegram, and is not lost.
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text));
  expect(hasTibetan((await ask(anna, '还有一句。')).text)).toBe(true);
});

it('who has been answered is not told that nothing can be written down', async () => {
  scene = await startScene();
  const { anna, ask, answerTo, databaseFile, everythingAfter, log, service, telegram } = scene;
  await ask(anna, '/help');
  service.faults.latency.translation = 1500;
  const asked = anna.send(anna.chat, { text: CHINESE });
  await telegram.world.waitUntil(() => service.calls.some(({ kind }) => kind === 'translation'));
  const other = openPatiently(databaseFile);
  other.exec('alter table "telegraf-sessions" rename to away');
  const answer = await answerTo(asked, ({ text }) => hasTibetan(text));
  await expect.poll(log).toContain('a request failed');
  other.exec('alter table away rename to "telegraf-sessions"');
  other.close();
  expect(await everythingAfter(asked, anna)).toEqual([answer]);
});

it('a person whose settings could not be read once is not left alone for it', async () => {
  scene = await startScene();
  const { anna, ask, databaseFile, telegram } = scene;
  await ask(anna, '/help');
  const other = openPatiently(databaseFile);
  const waiting = other.prepare("select id from requests where state = 'waiting'");
  // What followed the answer is written, too: the next to fail is a read.
  await expect.poll(() => waiting.all()).toEqual([]);
  other.exec('alter table "telegraf-sessions" rename to away');
  anna.send(anna.chat, { text: CHINESE });
  await telegram.world.waitForMessage(anna.chat, ({ text }) => text === says('failure-database'));
  other.exec('alter table away rename to "telegraf-sessions"');
  other.close();
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text));
});

it('a blocked person does not even hear that it fails', async () => {
  scene = await startScene({ env: { ADMIN_IDS: '42' } });
  const { anna, ask, databaseFile, log, newcomer, telegram } = scene;
  const admin = newcomer({ id: 42 });
  await ask(anna, '/help');
  await ask(admin, `/block ${anna.id}`);
  const other = openPatiently(databaseFile);
  const waiting = other.prepare("select id from requests where state = 'waiting'");
  await expect.poll(() => waiting.all()).toEqual([]);
  other.exec('alter table "telegraf-sessions" rename to away');
  const asked = anna.send(anna.chat, { text: CHINESE });
  const failures = () => log().split('a request failed').length - 1;
  // The second is told to everybody else.
  await expect.poll(failures).toBeGreaterThan(2);
  other.exec('alter table away rename to "telegraf-sessions"');
  await expect.poll(() => waiting.all()).toEqual([]);
  other.close();
  expect(
    telegram.world.messages(anna.chat).filter(({ message_id }) => message_id > asked.message_id),
  ).toEqual([]);
});
