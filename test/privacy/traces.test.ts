/** Whatever a bot writes, at every level of its log and however it ends, gives away neither people nor secrets. */
import { chmodSync, mkdirSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import Sqlite from 'better-sqlite3';
import { expect, it } from 'vitest';
import { makeBotFolder, TOKEN } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { hasChinese, hasTibetan } from '../phrases.ts';
import { startScene } from '../scene.ts';
import { liveThroughADay, MARKS } from './a-day.ts';
import { expectNone, filesBelow, formsOf, type Trace } from './traces.ts';

const FALLS_OVER = fileURLToPath(new URL('falls-over.ts', import.meta.url));
const ADMIN = 42;
const REPORT = expect.stringMatching(/report.*\.json$/);
const NAMES = Object.values(MARKS);

/** An ffmpeg that notes how it was called, and with what in its environment. */
function ffmpegThatTells(folder: string): string {
  const path = join(folder, 'ffmpeg');
  writeFileSync(
    path,
    `#!/bin/sh\n{ echo "$0 $@"; env; } >> "${folder}/children.txt"\nexec /usr/bin/env ffmpeg "$@"\n`,
  );
  chmodSync(path, 0o700);
  return path;
}

// What the levels between them let through, `trace` does, too.
it.concurrent.for(['trace', 'silent'])(
  'a day of the bot, two crashes in it, leaves nothing private behind at the level %s',
  async (level, { expect }) => {
    const port = await freePort();
    const tools = makeBotFolder();
    const temporary = join(tools.path, 'tmp');
    mkdirSync(temporary);
    const reports = `--report-on-signal --report-signal=SIGALRM --report-uncaught-exception`;
    const scene = await startScene({
      env: {
        LOG_LEVEL: level,
        PORT: String(port),
        ADMIN_IDS: String(ADMIN),
        SERVICE_TIMEOUT_MS: '3000',
        TMPDIR: temporary,
        FFMPEG_PATH: ffmpegThatTells(tools.path),
        NODE_OPTIONS: `--import ${FALLS_OVER} ${reports} --report-directory=${tools.path}`,
        FALLS_OVER_TOKEN: TOKEN,
        FALLS_OVER_MARKS: NAMES.join(' '),
      },
    });
    const { service, databaseFile, log, bot, restart, newcomer, ask } = scene;
    await liveThroughADay(scene);
    const stats = await ask(newcomer({ id: ADMIN }), '/stats');
    const pages: Trace[] = await Promise.all(
      ['/metrics', '/healthz', '/readyz', '/nowhere'].map(async (path) => ({
        where: path,
        text: await (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
      })),
    );
    const database = new Sqlite(databaseFile, { readonly: true });
    const accessToken = String(
      Reflect.get(Object(database.prepare('select token from tokens').get()), 'token'),
    );
    database.close();
    process.kill(bot().pid ?? 0, 'SIGALRM');
    await expect.poll(() => readdirSync(tools.path)).toContainEqual(REPORT);
    await restart('SIGUSR2');
    expect(await bot().stop('SIGHUP')).toBe(1);

    const isDatabase = (path: string) => path.includes('lotsawa.db') || path === join(tools.path, 'ffmpeg');
    const left = [tools.path, dirname(databaseFile)].flatMap((folder) => filesBelow(folder, isDatabase));
    expect(left.map(({ where }) => where)).toContain(join(tools.path, 'children.txt'));
    const withoutOwnEnv = left.map(({ where, text }) => ({
      where,
      // What this test itself has put into the environment for `falls-over.ts`.
      text: text.replaceAll(/.*FALLS_OVER_.*/g, ''),
    }));
    const traces = [
      { where: 'the log', text: log() },
      { where: '/stats', text: stats.text ?? '' },
      ...pages,
      ...withoutOwnEnv,
    ];
    const secrets = [TOKEN, TOKEN.split(':')[1] ?? '', accessToken, ...Object.values(service.credentials)];
    expectNone([...secrets.flatMap(formsOf), ...NAMES], traces);
    expect(log()).not.toMatch(/\/file\/bot|photos\/file|documents\/file/);
    expect(log()).not.toSatisfy(hasTibetan);
    expect(log()).not.toSatisfy(hasChinese);
    if (level === 'silent') expect(log()).not.toContain('"level"');
    else expect(log()).toContain('uncaught error: the process ends');
    await scene.close();
    tools.remove();
  },
);

it('neither the database nor its folder can be read by others on the machine', async () => {
  const folder = makeBotFolder();
  const scene = await startScene({ env: { DATABASE_URL: `sqlite:${folder.path}/new/lotsawa.db` } });
  await scene.ask(scene.anna, '/help');
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(modeOf(`${folder.path}/new`)).toBe('700');
  for (const file of ['lotsawa.db', 'lotsawa.db-wal'])
    expect(modeOf(`${folder.path}/new/${file}`)).toBe('600');
  await scene.close();
  folder.remove();
});
