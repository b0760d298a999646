/** `npm run backup` and `npm run restore`: a copy made while the bot works, and put back with all that was in it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  copyFileSync,
  existsSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type BotFolder, makeBotFolder } from './bot-process.ts';
import { openKeptDatabase } from './kept-database.ts';
import { labelsOf, newChinese } from './phrases.ts';
import { useScene } from './shared-scene.ts';

const scene = useScene();
let folder: BotFolder;
beforeEach(() => {
  folder = makeBotFolder();
});
afterEach(() => folder.remove());

/** Runs one of the two scripts as npm does, with nothing set but where the database is. */
async function run(
  script: 'backup' | 'restore',
  args: string[],
  databaseUrl = `sqlite:${scene.databaseFile}`,
) {
  const path = fileURLToPath(new URL(`../scripts/${script}.ts`, import.meta.url));
  const env = { PATH: process.env.PATH, DATABASE_URL: databaseUrl };
  const child = spawn(process.execPath, [path, ...args], { env, cwd: folder.path });
  const [said, problems] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { exitCode: child.exitCode, said, problems };
}

/** What is said of a run that refuses its work. */
async function refused(...whatever: Parameters<typeof run>): Promise<string> {
  const { exitCode, problems } = await run(...whatever);
  expect(exitCode).toBe(1);
  return problems;
}

const fileCalled = (name: string) => join(folder.path, name);

describe('a backup', () => {
  it('is whole, for its owner alone, and may be made while people are answered', async () => {
    const people = Array.from({ length: 5 }, () => scene.newcomer());
    const answers = people.map((person) => scene.ask(person, newChinese()));
    const { exitCode, said } = await run('backup', [fileCalled('copy.db')]);
    await Promise.all(answers);
    expect(exitCode).toBe(0);
    expect(said).toContain('copy.db');
    expect(statSync(fileCalled('copy.db')).mode & 0o777).toBe(0o600);
    using copy = openKeptDatabase(folder, 'copy.db');
    expect(copy.rows('pragma integrity_check')).toEqual([{ integrity_check: 'ok' }]);
    expect(scene.log()).not.toContain('"level":"error"');
  });

  it('without a name gets one with the time in it, beside the database', async () => {
    const { said } = await run('backup', []);
    const [path = ''] = said.split(' ');
    expect(path).toMatch(/lotsawa-\d{8}-\d{6}\.db$/);
    expect(existsSync(path)).toBe(true);
  });

  it('overwrites nothing', async () => {
    writeFileSync(fileCalled('copy.db'), 'something dear');
    const problems = await refused('backup', [fileCalled('copy.db')]);
    expect(problems).toContain('already exists');
    expect(readFileSync(fileCalled('copy.db'), 'utf8')).toBe('something dear');
  });

  it('of a database that is not there is refused, and leaves nothing behind', async () => {
    const problems = await refused('backup', [fileCalled('copy.db')], 'sqlite:nowhere.db');
    expect(problems).toContain('DATABASE_URL');
    expect(readdirSync(folder.path)).toEqual([]);
  });

  it("of PostgreSQL is left to PostgreSQL's own tool, which is named", async () => {
    const url = 'postgres://bot:hunter2@127.0.0.1/bot';
    const backup = await refused('backup', ['copy.dump'], url);
    expect(backup).toMatch(/pg_dump .*--file=copy\.dump "\$DATABASE_URL"/);
    const restore = await refused('restore', ['copy.dump'], url);
    expect(restore).toMatch(/pg_restore .*copy\.dump/);
    expect(backup + restore).not.toContain('hunter2');
  });
});

it('files that cannot be read or written end both in one line that names them', async () => {
  writeFileSync(fileCalled('file'), '');
  const below = fileCalled('file/lotsawa.db');
  const line = (what: string) => new RegExp(`^${what}: \\S+: .*lotsawa\\.db.*may read and write there.*\\n$`);
  expect((await run('backup', [below])).problems).toMatch(line('No backup was made'));
  expect((await run('restore', [scene.databaseFile], `sqlite:${below}`)).problems).toMatch(
    line('Nothing was restored'),
  );
});

describe('restoring', () => {
  /** Made once, of whatever is there. */
  const made = makeBotFolder();
  afterAll(() => made.remove());
  async function aBackup(): Promise<string> {
    const [path, copy] = [join(made.path, 'made.db'), fileCalled('copy.db')];
    if (!existsSync(path)) await run('backup', [path]);
    copyFileSync(path, copy);
    return copy;
  }

  it('brings back settings and what was paid for; what was there before is kept', async () => {
    const { anna, ask, service } = scene;
    const chinese = newChinese();
    await ask(anna, chinese);
    await ask(anna, '/dialect amdo');
    await run('backup', [fileCalled('copy.db')]);
    await ask(anna, '/dialect khampa');
    // Telegram gives the last update before a stop once more, if the bot had no time to confirm it.
    await ask(anna, '/help');
    await scene.bot().stop();
    const { exitCode, said } = await run('restore', [fileCalled('copy.db'), '--force']);
    expect(exitCode).toBe(0);
    const aside = /kept as (\S+)\.$/m.exec(said)?.[1] ?? '';
    expect(existsSync(aside)).toBe(true);
    const paid = service.paid().calls;
    await scene.restart();
    const settings = await ask(anna, '/settings', ({ text }) => text?.startsWith('Your settings') === true);
    expect(labelsOf(settings).join()).toContain('Amdo');
    await ask(anna, chinese);
    expect(service.paid().calls).toBe(paid);
  });

  it('works where there is no database yet, and without touching the backup', async () => {
    const backup = await aBackup();
    const before = readFileSync(backup);
    const { exitCode } = await run('restore', [backup], `sqlite:${fileCalled('new/lotsawa.db')}`);
    expect(exitCode).toBe(0);
    expect(statSync(fileCalled('new/lotsawa.db')).mode & 0o777).toBe(0o600);
    expect(readdirSync(fileCalled('new'))).toEqual(['lotsawa.db']);
    expect(readFileSync(backup).equals(before)).toBe(true);
  });

  it('puts it where a symbolic link leads', async () => {
    writeFileSync(fileCalled('old.db'), '');
    symlinkSync('old.db', fileCalled('link.db'));
    const backup = await aBackup();
    expect((await run('restore', [backup, '--force'], 'sqlite:link.db')).exitCode).toBe(0);
    expect(readFileSync(fileCalled('old.db')).equals(readFileSync(backup))).toBe(true);
    expect(readlinkSync(fileCalled('link.db'))).toBe('old.db');
  });

  it('is refused where a database is, without --force', async () => {
    const backup = await aBackup();
    const there = fileCalled('lotsawa.db');
    copyFileSync(backup, there);
    const problems = await refused('restore', [backup], `sqlite:${there}`);
    expect(problems).toContain('--force');
  });

  it('is refused while a bot uses the database, which works on', async () => {
    const backup = await aBackup();
    const problems = await refused('restore', [backup, '--force']);
    expect(problems).toContain('stop the bot first');
    await scene.ask(scene.anna, newChinese());
    expect(scene.log()).not.toContain('"level":"error"');
  });

  describe('is refused for a file that is', () => {
    const changed = (sql: string) => () => {
      using database = openKeptDatabase(folder, 'copy.db');
      database.run(sql);
    };

    it.each([
      ['damaged', 'damaged', (file: string) => writeFileSync(file, readFileSync(file).fill(7, 5000, 9000))],
      [
        'no database',
        'damaged, or not an SQLite',
        (file: string) => writeFileSync(file, 'holiday '.repeat(999)),
      ],
      ["another program's", 'not a backup of this bot', changed('drop table kysely_migration')],
      [
        'from a newer release',
        'newer release',
        changed(`insert into kysely_migration (name, timestamp) values ('999-future', '2099')`),
      ],
    ])('%s', async (_what, reason, spoil) => {
      const backup = await aBackup();
      spoil(backup);
      const problems = await refused('restore', [backup], `sqlite:${fileCalled('new.db')}`);
      expect(problems).toContain(reason);
      expect(readdirSync(folder.path).filter((name) => name.startsWith('new.db'))).toEqual([]);
    });
  });
});
