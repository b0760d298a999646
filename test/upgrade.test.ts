/** The tables are made all or not at all, and those of a newer release are left alone. */
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import type { BotProcess } from './bot-process.ts';
import { openKeptDatabase } from './kept-database.ts';
import { isAnswer } from './phrases.ts';

let place: BotPlace;
beforeEach(async () => {
  place = await openBotPlace();
});
afterEach(() => place.close());

async function startBot(): Promise<BotProcess> {
  const bot = place.start();
  await Promise.race([bot.exited, place.telegram.botReady()]);
  return bot;
}

it('a step that cannot be taken to its end leaves nothing behind: the next start takes it', async () => {
  {
    using database = openKeptDatabase(place.folder);
    database.run(`create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
      create table seen_names (name text)`);
  }
  const cut = await startBot();
  expect(await cut.exited).toBe(1);
  {
    using database = openKeptDatabase(place.folder);
    expect(database.rows("select name from sqlite_master where name = 'ledger'")).toEqual([]);
    database.run('drop table seen_names');
  }
  await startBot();
  const person = place.telegram.world.addPerson({ firstName: 'Anna', languageCode: 'en' });
  const sent = person.send(person.chat, { text: '今天天气很好。' });
  const answer = await place.telegram.world.waitForMessage(person.chat, isAnswer, { after: sent });
  expect(answer.text).toMatch(/[\u0f40-\u0f6c]/);
});

it('a database that a newer release has changed is refused in one line, and left as it is', async () => {
  const first = await startBot();
  await first.stop();
  const future = '999-of-a-newer-release';
  {
    using database = openKeptDatabase(place.folder);
    database.run(`insert into kysely_migration (name, timestamp) values ('${future}', '2099')`);
  }
  const refused = place.start();
  expect(await refused.exited).toBe(78);
  expect(refused.output()).toContain(
    'DATABASE_URL names a database that was changed by a newer release: start that release',
  );
  // Without it, restore leaves the database that is there.
  expect(refused.output()).toContain('npm run restore FILE -- --force');
  using database = openKeptDatabase(place.folder);
  expect(database.rows('select name from kysely_migration where name = ?', future)).toHaveLength(1);
});
