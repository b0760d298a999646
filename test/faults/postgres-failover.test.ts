/** A failover of PostgreSQL: for a while the address leads to a server that takes no writes, and the bot moves on by itself. */
import { afterAll, beforeAll, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { freePort } from '../free-port.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { useOwnPostgresServer } from '../shared-postgres-server.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const PATIENCE = { timeout: 60_000 };

const server = useOwnPostgresServer();
let proxy: StatementProxy;
let place: BotPlace;
beforeAll(async () => {
  place = await openBotPlace();
});
afterAll(async () => {
  await place.close();
  proxy.close();
});

it('a bot that is led to a standby waits, says that it is ill, and goes on where the address leads then', async () => {
  const primary = await server.createDatabase();
  proxy = await startStatementProxy(primary);
  const port = String(await freePort());
  const settings = { DATABASE_URL: proxy.url, PORT: port };
  const first = place.start(settings);
  await first.says('"ready"');
  expect(await first.stop()).toBe(0);
  const standby = new URL(primary);
  standby.port = String(await server.startStandby());

  proxy.leadTo(standby.href);
  const bot = place.start(settings);
  await bot.says('the database cannot be reached yet');
  proxy.leadTo(primary);
  await bot.says('"ready"');

  proxy.leadTo(standby.href, true);
  const { world } = place.telegram;
  const person = world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: newChinese() });
  const readiness = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).text();
  await expect.poll(readiness, PATIENCE).toContain('"database":"failing"');
  // The connections that stand go on standing.
  proxy.leadTo(primary);
  const answers = () =>
    world.messages(person.chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text));
  await expect.poll(answers, PATIENCE).toHaveLength(1);
  await expect.poll(readiness, PATIENCE).toContain('"ready":true');
  expect(place.service.paid().calls).toBe(1);
}, 150_000);
