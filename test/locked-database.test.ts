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

/** Does this while the table of settings is out of the bot's reach. */
async function withoutSettings(work: () => unknown): Promise<void> {
  scene.rows('alter table "telegraf-sessions" rename to away');
  await work();
  scene.rows('alter table away rename to "telegraf-sessions"');
}

/** Waits until nothing is left to do: what followed an answer is written, too, and the next to fail is a read. */
const idle = () =>
  expect.poll(() => scene.rows("select id from requests where state = 'waiting'")).toEqual([]);

it('a locked database pays nothing, and tells the admins', async () => {
  const { ask, paidBy, databaseFile, telegram } = scene;
  await ask(anna, '/help');
  const other = new Sqlite(databaseFile, { timeout: 30_000 });
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
  const { ask, answerTo, everythingAfter, service, telegram } = scene;
  await ask(anna, '/help');
  const endCall = service.faults.hold('translation');
  const asked = anna.send(anna.chat, { text: newChinese() });
  await scene.underWay();
  const before = failures();
  const answered = answerTo(asked, ({ text }) => hasTibetan(text));
  await withoutSettings(async () => {
    endCall();
    await answered;
    // Whoever has no answer is told at the second.
    await expect.poll(failures).toBeGreaterThan(before + 1);
  });
  expect(await everythingAfter(asked, anna)).toEqual([await answered]);
  expect(telegram.calls.map(({ payload }) => payload.text)).not.toContain(says('failure-database'));
});

it('a person whose settings could not be read once is not left alone for it', async () => {
  const { ask, telegram } = scene;
  await ask(anna, '/help');
  await idle();
  await withoutSettings(async () => {
    anna.send(anna.chat, { text: newChinese() });
    await telegram.world.waitForMessage(anna.chat, ({ text }) => text === says('failure-database'));
  });
  await telegram.world.waitForMessage(anna.chat, ({ text }) => hasTibetan(text));
});

it('a blocked person does not even hear that it fails', async () => {
  const { ask, telegram } = scene;
  await ask(anna, '/help');
  await ask(admin, `/block ${anna.id}`);
  await idle();
  await withoutSettings(async () => {
    anna.send(anna.chat, { text: newChinese() });
    const before = failures();
    // Everybody else gets the second.
    await expect.poll(failures).toBeGreaterThan(before + 2);
  });
  await idle();
  expect(telegram.world.messages(anna.chat).at(-1)?.from?.is_bot).toBe(false);
});
