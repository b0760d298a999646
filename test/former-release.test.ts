/** A database of a release before 1.0.0, or of a newer one: every command says which, and leaves it as it is. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { connected } from './connected.ts';
import { openKeptDatabase } from './kept-database.ts';
import { usePostgresServer } from './shared-postgres-server.ts';
import { useBotPlace } from './shared-scene.ts';

/** The steps by which these databases were made. */
const STEPS_0_1 = [
  ...['001-first-tables', '002-money', '003-queue', '004-several-processes', '005-groups-edits-cancel'],
  ...['006-find-what-was-set-aside', '007-albums-follow-edits'],
];
const STEPS_0_2 = [
  ...[...STEPS_0_1, '008-pieces-of-speech', '009-long-notes-in-parts', '010-cost-of-each-call', '011-access'],
  ...['012-daily-sums', '013-heads-of-lanes', '014-find-what-is-old', '015-guest-answers'],
];
const FORMER = 'which 1.0.0 does not carry over';

const RELEASES = [
  { release: '0.1.0', steps: STEPS_0_1, said: `is of 0.1.0, ${FORMER}` },
  { release: '0.2.0', steps: STEPS_0_2, said: `is of 0.2.0, ${FORMER}` },
  {
    release: '9.8.7',
    steps: ['001-baseline', '002-unheard-of'],
    said: 'was changed by a newer release (9.8.7)',
  },
];

const place = useBotPlace();
const server = usePostgresServer();

/** What makes such a database, on either engine. */
function made(release: string, steps: readonly string[]): string {
  return `
    create table kysely_migration (name varchar(255) not null primary key, timestamp varchar(255) not null);
    insert into kysely_migration (name, timestamp) values ${steps.map((name) => `('${name}', '2026')`).join(', ')};
    create table ledger (id integer primary key, person varchar(32));
    ${release.startsWith('0') ? '' : `create table migrated_by (release varchar(32) not null); insert into migrated_by (release) values ('${release}');`}`;
}

let databases = 0;

function databaseOf({ release, steps }: (typeof RELEASES)[number]): string {
  databases += 1;
  const name = `of-${release}-${databases}.db`;
  using database = openKeptDatabase(place.folder, name);
  database.run(made(release, steps));
  return join(place.folder.path, name);
}

async function run(script: string, path: string, ...args: string[]) {
  const program = fileURLToPath(new URL(`../${script}`, import.meta.url));
  const env = { ...place.settings, DATABASE_URL: `sqlite:${path}` };
  const child = spawn(process.execPath, [program, ...args], { env, cwd: place.folder.path });
  const [said, problems] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { code: child.exitCode, said: said + problems };
}

describe.each(RELEASES)('a database of $release', ({ release, steps, said }) => {
  const remedy = said.includes(FORMER) ? 'name a new file in DATABASE_URL' : 'start that release';
  const path = () => databaseOf({ release, steps, said });

  it.each([
    ['src/main.mjs', 78, ': '],
    ['scripts/doctor.ts', 1, ' → '],
    ['scripts/queue.ts', 1, ': '],
  ])('is told apart by %s', async (script, code, then) => {
    const file = path();
    const before = readFileSync(file);
    const ended = await run(script, file);
    expect(ended.said).toContain(`${said}${then}${remedy}`);
    expect(ended.code).toBe(code);
    expect(readFileSync(file)).toEqual(before);
  });

  it('is not restored', async () => {
    const ended = await run('scripts/restore.ts', join(place.folder.path, `new-${release}.db`), path());
    expect(ended.said).toContain(`Nothing was restored: that backup ${said}`);
    expect(ended.code).toBe(1);
  });

  it('is told apart on PostgreSQL', async () => {
    const DATABASE_URL = await server.createDatabase();
    await connected(DATABASE_URL, async (client) => void (await client.query(made(release, steps))));
    const bot = place.start({ DATABASE_URL });
    expect(await bot.exited).toBe(78);
    expect(bot.output()).toContain(`${said}: ${remedy}`);
  });
});
