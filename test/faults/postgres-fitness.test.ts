/** A PostgreSQL on which the bot cannot work is found out at the start, in one line that says what to do. */
import { beforeAll, expect, it } from 'vitest';
import { messagesAt } from '../bot-process.ts';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { useBotPlace } from '../shared-scene.ts';
import { startPooler } from './pooler.ts';

const server = usePostgresServer();
const place = useBotPlace();
let address: string;
beforeAll(async () => {
  address = await server.createDatabase();
});

const run = (statement: string) => connected(address, (client) => client.query(statement));

/** The same server's address, with something else in it. */
const changed = (changes: Partial<URL>) => Object.assign(new URL(address), changes).href;

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

/** The address of a database of this encoding. */
async function encoded(encoding: string): Promise<string> {
  const name = `in_${encoding.toLowerCase()}`;
  await run(`create database ${name} encoding '${encoding}' locale 'C' template template0`);
  return changed({ pathname: `/${name}` });
}

it.each<[string, () => Promise<string> | string, RegExp]>([
  ['a database in LATIN1', () => encoded('LATIN1'), / cannot hold Tibetan and Chinese: create one/],
  ['a database in SQL_ASCII', () => encoded('SQL_ASCII'), / cannot hold Tibetan and Chinese: create one/],
  [
    'a database that is not there',
    () => changed({ pathname: '/nowhere' }),
    /\(3D000\): that database does not exist/,
  ],
  [
    'a wrong password',
    () => changed({ password: 'wrong' }),
    /\(28P01\): user or password in DATABASE_URL is wrong/,
  ],
])('%s', async (_, url, words) => {
  await isRefused(await url(), new RegExp(`^DATABASE_URL .*${words.source}`));
});

it('a transaction pooler is refused before any table is made', async () => {
  using pooler = await startPooler('transaction', address);
  await isRefused(pooler.url, /^DATABASE_URL .* through a pooler .*: name the server itself/);
  const { rows } = await run("select relname from pg_class where relname in ('ledger', 'kysely_migration')");
  expect(rows).toEqual([]);
});

it('a user who may not create tables, until they may', async () => {
  await run("create role reader login password 'password'");
  const url = changed({ username: 'reader' });
  await isRefused(url, /^DATABASE_URL .*\(42501\): .*grant create on schema public/);
  await run('grant create on schema public to reader');
  await isOfUse(url);
});

it('a session pooler serves, and says why it refuses', async () => {
  using pooler = await startPooler('session', await server.createDatabase());
  const url = new URL(pooler.url);
  url.searchParams.set('options', '-c statement_timeout=1000');
  await isRefused(url.href, /^DATABASE_URL .*\(08P01\): .* whose log says why .*default_pool_size/);
  await isOfUse(pooler.url);
});
