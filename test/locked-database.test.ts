/** A database that cannot be written: people are told, those who run the bot are alerted, and nothing is paid for. */

import Sqlite from 'better-sqlite3';
import { afterEach, expect, it } from 'vitest';
import { CHINESE, hasTibetan, says } from './phrases.ts';
import { type Scene, startScene } from './scene.ts';

let scene: Scene | undefined;
afterEach(async () => {
  await scene?.close();
  scene = undefined;
});

it('while it is locked no call is made; afterwards all is as before', async () => {
  scene = await startScene({ env: { ADMIN_IDS: '42' } });
  const { anna, ask, newcomer, paidBy, databaseFile, telegram } = scene;
  const admin = newcomer({ id: 42 });
  await ask(anna, '/help');
  const other = new Sqlite(databaseFile);
  other.exec('BEGIN IMMEDIATE');
  const paid = await paidBy(async () => {
    expect((await ask(anna, CHINESE)).text).toBe(says('failure-ledger'));
    await telegram.world.waitForMessage(admin.chat, ({ text }) => text === says('alert-ledger'));
  });
  expect(paid).toBe(0);
  other.exec('ROLLBACK');
  other.close();
  expect((await ask(anna, CHINESE, ({ text }) => hasTibetan(text))).text).toBeDefined();
});
