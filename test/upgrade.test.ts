/** A database of the first release, under the present one: brought up to date, and nothing in it is lost. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { personScope } from '../src/store/money/scopes.ts';
import { utcDay } from '../src/store/money/utc-day.ts';
import { openSqlite } from '../src/store/sqlite/sqlite.ts';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import type { BotProcess } from './bot-process.ts';
import { openKeptDatabase } from './kept-database.ts';
import { isAnswer } from './phrases.ts';

const FIRST_RELEASE = readFileSync(new URL('fixtures/database-0.1.0.sql', import.meta.url), 'utf8');
/** In the fixture this person speaks Amdo and reads Chinese menus, and paid for this text and its voice note today. */
const PERSON = 1001;
const PAID_TEXT = '今天天气很好。';

let place: BotPlace;
beforeEach(async () => {
  place = await openBotPlace();
});
afterEach(() => place.close());

/** The first release's database, as if it had run until now. */
function leaveDatabase(name?: string): void {
  const now = Date.now();
  const today = utcDay(now);
  using database = openKeptDatabase(place.folder, name);
  database.run(
    FIRST_RELEASE.replaceAll('{NOW}', String(now))
      .replaceAll('{TODAY}', today)
      .replaceAll('{PERSON_SCOPE}', personScope(String(PERSON), today)),
  );
}

async function startBot(): Promise<BotProcess> {
  const bot = place.start();
  await Promise.race([bot.exited, place.telegram.botReady()]);
  return bot;
}

function ask(person: Person, text: string) {
  const sent = person.send(person.chat, { text });
  return place.telegram.world.waitForMessage(person.chat, isAnswer, { after: sent });
}

it('settings, money and results of the first release are kept', async () => {
  leaveDatabase();
  await startBot();
  const person = place.telegram.world.addPerson({ id: PERSON, firstName: 'Anna', languageCode: 'en' });
  const usage = (await ask(person, '/usage')).text;
  expect(usage).toContain('今天：2 次（0.80 元）');
  expect((await ask(person, '/settings')).text).toMatch(/安多/);
  expect((await ask(person, PAID_TEXT)).text).toMatch(/[\u0f40-\u0f6c]/);
  expect((await ask(person, `/speak ${PAID_TEXT}`)).voice).toBeDefined();
  expect(place.service.calls).toEqual([]);
  using database = openKeptDatabase(place.folder);
  expect(database.rows("select distinct cost_fen from ledger where outcome = 'charged'")).toEqual([
    { cost_fen: 40 },
  ]);
  expect(database.rows("select cost_fen from spending where scope = 'bot'")).toEqual([{ cost_fen: 80 }]);
});

it('after the upgrade it has the tables of a new database, no more and no less', async () => {
  leaveDatabase('old.db');
  for (const name of ['old.db', 'new.db']) await (await openSqlite(join(place.folder.path, name))).close();
  const tables = (name: string) => {
    using database = openKeptDatabase(place.folder, name);
    return database.rows('select type, name, sql from sqlite_master order by type, name');
  };
  expect(tables('old.db')).toEqual(tables('new.db'));
});

it('a step that cannot be taken to its end leaves nothing behind: the next start takes it', async () => {
  leaveDatabase();
  {
    using database = openKeptDatabase(place.folder);
    database.run('create index note_parts_by_kept_at on ledger (day)');
  }
  const cut = await startBot();
  expect(await cut.exited).toBe(1);
  {
    using database = openKeptDatabase(place.folder);
    database.run('drop index note_parts_by_kept_at');
  }
  await startBot();
  const person = place.telegram.world.addPerson({ id: PERSON, firstName: 'Anna', languageCode: 'en' });
  expect((await ask(person, PAID_TEXT)).text).toMatch(/[\u0f40-\u0f6c]/);
});

it('a database that a newer release has changed is refused in one line, and left as it is', async () => {
  leaveDatabase();
  const future = '999-of-a-newer-release';
  {
    using database = openKeptDatabase(place.folder);
    database.run(`insert into kysely_migration (name, timestamp) values ('${future}', '2099')`);
  }
  const refused = await startBot();
  expect(await refused.exited).toBe(1);
  expect(refused.output().trim()).toMatch(
    /^DATABASE_URL names a database that was changed by a newer release: start that release/m,
  );
  // Without it, restore leaves the database that is there.
  expect(refused.output()).toContain('npm run restore FILE -- --force');
  using database = openKeptDatabase(place.folder);
  expect(database.rows('select name from kysely_migration where name = ?', future)).toHaveLength(1);
});
