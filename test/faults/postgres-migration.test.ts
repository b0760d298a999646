/** A new release changes the tables on PostgreSQL: for however long, beside whatever else works on them, and all or nothing. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { type BotPlace, openBotPlace } from '../bot-place.ts';
import type { BotProcess } from '../bot-process.ts';
import { connected } from '../connected.ts';
import { hasTibetan, newChinese } from '../phrases.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';

/** What is said of a step under way, of another process's, and of tables that cannot be changed yet. */
const CHANGES = 'migrating the tables: this takes a while';
const WAITS = 'another process of the bot is migrating the tables';
const IN_USE = 'the tables are in use and cannot be migrated yet';

const server = usePostgresServer();
let place: BotPlace;
let address: string;
beforeEach(async () => {
  [address, place] = await Promise.all([server.createDatabase(), openBotPlace()]);
});
afterEach(() => place.close());

const start = (): BotProcess => place.start({ DATABASE_URL: address });

async function startReady(): Promise<BotProcess> {
  const bot = start();
  await bot.says('"ready"');
  return bot;
}

const run = (statements: string) => connected(address, (client) => client.query(statements));

/** As if no step had been taken. */
const forgetSteps = () => run('delete from kysely_migration');

/** As a later release leaves them. */
const takeLaterStep = () => run(`insert into kysely_migration values ('999-of-a-newer-release', now())`);

/** From now on the last statement of its kind takes so long, in s, as if there were many rows. */
const slowDown = (seconds: number) =>
  run(`create function take_long() returns event_trigger language plpgsql as $$
         begin if current_query() like '%requests_by_lane%' then perform pg_sleep(${seconds}); end if; end $$;
       create event trigger take_long on ddl_command_start when tag in ('CREATE INDEX')
         execute function take_long()`);

function asks(): Person {
  const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
  person.send(person.chat, { text: newChinese() });
  return person;
}

const answersTo = ({ chat }: Person): Message[] =>
  place.telegram.world.messages(chat).filter(({ from, text }) => from?.is_bot && hasTibetan(text));

it('a step that takes longer than any other statement may is taken; another process says that it waits, and then starts', async () => {
  // Longer than the silence, too, after which another connection is given up.
  await slowDown(17);
  const bots = [start(), start()];
  await Promise.all(bots.map((bot) => bot.says('"ready"')));
  const said = (words: string) => bots.filter((bot) => bot.output().includes(words));
  expect(said(CHANGES)).toHaveLength(1);
  expect(said(WAITS)).toHaveLength(1);
  expect(said('is unreachable')).toEqual([]);
});

it('a stop in the middle of a step ends in good order, with all undone, and so does that of one that waits; the next start goes on', async () => {
  await slowDown(50);
  const bot = start();
  await bot.says(CHANGES);
  const other = start();
  await other.says(WAITS);
  expect(await Promise.all([bot.stop(), other.stop()])).toEqual([0, 0]);
  const left = () =>
    connected(address, (client) =>
      client.query(`select from pg_stat_activity where query like '%requests_by_lane%'
      and datname = current_database() and pid <> pg_backend_pid()`),
    );
  await expect.poll(async () => (await left()).rowCount).toBe(0);
  await run('drop event trigger take_long');
  await startReady();
});

it('tables that something else holds are changed once it is through', async () => {
  await run('create table kysely_migration (name varchar(255) primary key, timestamp varchar(255) not null)');
  const waiting = await connected(address, async (other) => {
    await other.query('begin; lock table kysely_migration in exclusive mode');
    const bot = start();
    await bot.says(IN_USE);
    return bot;
  });
  await waiting.says('"ready"');
});

it('a process of the release before does not start again, be it that the tables are changed as it starts', async () => {
  const refusal = /DATABASE_URL names a database that was changed by a newer release: start that release/;
  const bot = await startReady();
  expect(await bot.stop()).toBe(0);
  await forgetSteps();
  const early = await connected(address, async (newer) => {
    await newer.query('select pg_advisory_lock(3853314791062309107)');
    const waiting = start();
    await waiting.says(WAITS);
    await takeLaterStep();
    return waiting;
  });
  expect(await early.exited).toBe(78);
  expect(early.output()).toMatch(refusal);
  const late = start();
  expect(await late.exited).toBe(78);
  expect(late.output()).toMatch(refusal);
});

it("tables of another program's, in another schema, are not taken for the bot's", async () => {
  await run(`create schema bot; create schema other; create table other.kysely_migration (name text, timestamp text);
    insert into other.kysely_migration values ('2020-others', '2020-01-01')`);
  address = `${address}?options=-csearch_path%3Dbot`;
  await startReady();
  const person = asks();
  await expect.poll(() => answersTo(person).length).toBe(1);
});
