/** PostgreSQL fails at one statement, whichever it is: what was asked is answered all the same, and paid for once. */
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../src/sandbox/telegram/objects.ts';
import type { Person } from '../../src/sandbox/telegram/person.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { type PostgresServer, startPostgresServer } from '../postgres-server.ts';
import { type StatementProxy, startStatementProxy } from './statement-proxy.ts';

const PATIENCE = { timeout: 60_000 };

let server: PostgresServer;
let place: BotPlace;
let proxy: StatementProxy;
let address: string;
beforeAll(async () => {
  server = await startPostgresServer();
});
afterAll(() => server.close());
beforeEach(async () => {
  address = await server.createDatabase();
  [proxy, place] = await Promise.all([startStatementProxy(address), openBotPlace()]);
});
afterEach(async () => {
  await place.close();
  proxy.close();
});

const newcomer = (): Person => place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });

/** The bot's translations in a person's chat. */
const translationsFor = ({ chat }: Person): Message[] =>
  place.telegram.world.messages(chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text));

it('a process is stopped in the middle of a transaction: another takes over what that has locked', async () => {
  const bot = place.start({ DATABASE_URL: proxy.url });
  await bot.says('"ready"');
  // It has marked the text as its own, and not said so for good.
  const taking = proxy.breakNext({ statement: /^with "untaken"/, breakage: 'hold' });
  const person = newcomer();
  person.send(person.chat, { text: newChinese() });
  await expect.poll(taking.broken, PATIENCE).toBe(1);
  if (bot.pid === undefined) throw new Error('the bot has no process');
  process.kill(bot.pid, 'SIGSTOP');
  const other = place.start({ DATABASE_URL: address });
  await other.says('"ready"');
  await expect.poll(() => translationsFor(person).length, PATIENCE).toBe(1);
  process.kill(bot.pid, 'SIGCONT');
  person.send(person.chat, { text: newChinese() });
  await expect.poll(() => translationsFor(person).length, PATIENCE).toBe(2);
  expect(place.service.paid().calls).toBe(2);
}, 120_000);
