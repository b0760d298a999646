/** A PostgreSQL on which the bot cannot work is found out at the start, in one line that says what to do. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import { messagesAt } from '../bot-process.ts';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { startPooler } from './pooler.ts';

const server = usePostgresServer();
let place: BotPlace;
let address: string;
beforeEach(async () => {
  [address, place] = await Promise.all([server.createDatabase(), openBotPlace()]);
});
afterEach(() => place.close());

const run = (statement: string) => connected(address, (client) => client.query(statement));

/** The same server's address, with something else in it. */
function changed(change: (url: URL) => void): string {
  const url = new URL(address);
  change(url);
  return url.href;
}

async function isRefused(url: string, words: RegExp): Promise<void> {
  const bot = place.start({ DATABASE_URL: url });
  expect(await bot.exited).toBeOneOf([1, 78]);
  expect(messagesAt('fatal', bot.output())).toEqual([expect.stringMatching(words)]);
  expect(bot.output()).not.toContain('stack');
}

async function isOfUse(url: string): Promise<void> {
  const bot = place.start({ DATABASE_URL: url });
  await bot.says('"ready"');
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: newChinese() });
  await place.telegram.world.waitForMessage(person.chat, ({ text }) => hasTibetan(text));
  expect(await bot.stop()).toBe(0);
}

/** A database of this encoding. */
async function encoded(encoding: string): Promise<string> {
  const name = `in_${encoding.toLowerCase()}`;
  await run(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
  return changed((url) => {
    url.pathname = `/${name}`;
  });
}

it.each(['LATIN1', 'SQL_ASCII'])('a database in %s, which is not UTF8', async (encoding) => {
  await isRefused(await encoded(encoding), /^DATABASE_URL .* cannot hold Tibetan and Chinese: create one/);
});

it('a user who may not create tables, until they may', async () => {
  await run("create role reader login password 'password'");
  const url = changed((theirs) => {
    theirs.username = 'reader';
  });
  await isRefused(url, /^DATABASE_URL .*\(42501\): .*grant create on schema public/);
  await run('grant create on schema public to reader');
  await isOfUse(url);
});

it('a password that is wrong, and a database that is not there', async () => {
  const elsewhere = changed((url) => {
    url.pathname = '/nowhere';
  });
  await isRefused(elsewhere, /^DATABASE_URL .*\(3D000\): that database does not exist/);
  const unknown = changed((url) => {
    url.password = 'wrong';
  });
  await isRefused(unknown, /^DATABASE_URL .*\(28P01\): user or password in DATABASE_URL is wrong/);
});

it('a pooler that gives its connections out by the transaction, so that no lock is held by one: no table is made', async () => {
  const pooler = await startPooler('transaction', address);
  try {
    await isRefused(pooler.url, /^DATABASE_URL .* through a pooler .*: name the server itself/);
  } finally {
    pooler.close();
  }
  const { rows } = await run("select relname from pg_class where relname in ('ledger', 'kysely_migration')");
  expect(rows).toEqual([]);
});

it('a pooler that keeps to sessions is of use, though it takes no settings with a connection', async () => {
  const pooler = await startPooler('session', address);
  try {
    await isOfUse(pooler.url);
  } finally {
    pooler.close();
  }
});

it('a pooler that refuses for a reason of its own, as for a user that it does not know: its log says which', async () => {
  const pooler = await startPooler('session', address);
  const url = new URL(pooler.url);
  url.searchParams.set('options', '-c statement_timeout=1000');
  try {
    await isRefused(url.href, /^DATABASE_URL .*\(08P01\): .* whose log says why .*default_pool_size/);
  } finally {
    pooler.close();
  }
});
