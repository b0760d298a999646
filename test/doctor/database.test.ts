/** What the doctor says of the database, on either engine. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openDatabase } from '../../src/store/database.ts';
import { startPooler } from '../faults/pooler.ts';
import { freePort } from '../free-port.ts';
import { openKeptDatabase } from '../kept-database.ts';
import { usePostgresServer } from '../shared-postgres-server.ts';
import { type DoctorPlace, openDoctorPlace } from './doctor-place.ts';

let here: DoctorPlace;
beforeEach(async () => {
  here = await openDoctorPlace();
});
afterEach(() => here.close());

/** As the bot leaves it. */
async function makeDatabase(): Promise<void> {
  const path = join(here.place.folder.path, 'lotsawa.db');
  await (await openDatabase({ engine: 'sqlite', path })).close();
}

describe('the database', () => {
  it('a path at which nothing can be made', async () => {
    writeFileSync(join(here.place.folder.path, 'file'), '');
    const found = await here.examined({
      DATABASE_URL: `sqlite:${join(here.place.folder.path, 'file', 'lotsawa.db')}`,
    });
    expect(found.line('Database:')).toMatch(/^✗ .* → let the user that runs the bot write/);
  });

  it('a file that is no database', async () => {
    writeFileSync(join(here.place.folder.path, 'lotsawa.db'), 'no database at all '.repeat(500));
    expect((await here.examined()).line('Database:')).toMatch(
      /^✗ .*SQLITE_NOTADB.* → the file is not a database/,
    );
  });

  it('one that a newer release has changed', async () => {
    await makeDatabase();
    using database = openKeptDatabase(here.place.folder);
    database.run(`insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2099')`);
    expect((await here.examined()).line('Database:')).toMatch(
      /^✗ .*newer release \(\d+\.\d+\.\d+\) → start that release, or restore/,
    );
  });

  it('one that is damaged somewhere', async () => {
    await makeDatabase();
    {
      using database = openKeptDatabase(here.place.folder);
      database.rows('pragma wal_checkpoint(truncate)');
    }
    const path = join(here.place.folder.path, 'lotsawa.db');
    const bytes = readFileSync(path);
    writeFileSync(path, bytes.fill(0xa5, bytes.length - 4096));
    expect((await here.examined()).line('Database:')).toMatch(/^✗ .*damaged.*npm run restore/);
  });

  it('one that others on the machine may read', async () => {
    await makeDatabase();
    chmodSync(join(here.place.folder.path, 'lotsawa.db'), 0o644);
    const found = await here.examined();
    expect(found.line('other users of this machine')).toMatch(/^– .* → chmod 600/);
    expect(found.wrong).toEqual([]);
  });

  it('one that another program holds locked', async () => {
    await makeDatabase();
    using database = openKeptDatabase(here.place.folder);
    database.run('begin immediate');
    expect((await here.examined()).line('Database:')).toMatch(
      /^✗ .*SQLITE_BUSY.* → another program has locked it/,
    );
  });

  it('a PostgreSQL server that is not there is told at once, without its password', async () => {
    const found = await here.examined({
      DATABASE_URL: `postgres://bot:hunter2@127.0.0.1:${await freePort()}/bot`,
    });
    expect(found.line('Database:')).toMatch(/^✗ .*ECONNREFUSED.* → check that the server is running/);
    expect(found.all.join()).not.toContain('hunter2');
  });
});

describe('PostgreSQL', () => {
  const server = usePostgresServer();

  it('is well while it is empty, and while a bot uses it', async () => {
    here.settings = { ...here.settings, DATABASE_URL: await server.createDatabase() };
    expect((await here.examined()).line('Database:')).toBe(
      '✓ Database: PostgreSQL is empty, and gets its tables at the first start',
    );
    await here.startBot();
    const found = await here.examined();
    expect(found.line('Database:')).toBe(
      '✓ Database: PostgreSQL can be written, and its tables are up to date',
    );
    expect(found.wrong).toEqual([]);
  });

  it('a pooler that shares connections, under a bot that has its tables already', async () => {
    const address = await server.createDatabase();
    here.settings = { ...here.settings, DATABASE_URL: address };
    await (await openDatabase({ engine: 'postgres', url: address })).close();
    using pooler = await startPooler('transaction', address);
    const found = await here.examined({ DATABASE_URL: pooler.url });
    expect(found.wrong).toEqual([
      expect.stringMatching(/^✗ Database: .* through a pooler .* → name the server itself/),
    ]);
    expect(found.line('are accepted')).toMatch(/^✓/);
  });

  it('a database that does not exist there', async () => {
    const url = `${await server.createDatabase()}-elsewhere`;
    expect((await here.examined({ DATABASE_URL: url })).line('Database:')).toMatch(
      /^✗ .*3D000.* → that database does not/,
    );
  });
});
