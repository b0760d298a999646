/** Whatever a bot writes, at the most talkative level of its log and however it ends, gives away neither people nor secrets. */
import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import type { Message } from '../../sandbox/telegram/objects.ts';
import type { Person } from '../../sandbox/telegram/person.ts';
import { makeBotFolder, TOKEN } from '../bot-process.ts';
import { freePort } from '../free-port.ts';
import { openKeptDatabase } from '../kept-database.ts';
import { hasChinese, hasTibetan, isVoice } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { type Scene, startScene } from '../scene.ts';

const FALLS_OVER = fileURLToPath(new URL('falls-over.ts', import.meta.url));
const ADMIN = 42;

/** Told apart from everything else that may stand in a log. */
const MARKS = {
  text: 'zqxtextzqx',
  first: 'Zqxfirstzqx',
  last: 'Zqxlastzqx',
  username: 'zqxusernamezqx',
  file: 'zqxfilezqx',
  caption: 'zqxcaptionzqx',
  group: 'Zqxgroupzqx',
};

let number = 0;

function chinese(): string {
  number += 1;
  return `今天天气很好 ${MARKS.text} ${number}。`;
}

function tibetan(): string {
  number += 1;
  return `བཀྲ་ཤིས་བདེ་ལེགས། ${MARKS.text} ${number}`;
}

/** Everything that people ask for, and much of what can go wrong with it; resolves when the last request is answered. */
async function liveThroughADay(scene: Scene, lock: () => Disposable): Promise<void> {
  const { newcomer, ask, answerTo, service, telegram } = scene;
  const { first: firstName, last: lastName, username } = MARKS;
  const person = newcomer({ firstName, lastName, username });

  // All goes well.
  const translation = await ask(person, chinese(), ({ text }) => hasTibetan(text));
  await person.press(translation, 'speak:utsang');
  await answerTo(await person.sendPhoto(person.chat, await aJpeg(), { caption: MARKS.caption }));
  await ask(person, `/speak amdo ${tibetan()}`, isVoice);
  await ask(person, '/settings');
  await ask(person, '/privacy');
  await person.inlineQuery(chinese());
  const group = telegram.world.addGroup({ title: MARKS.group, members: [person] });
  group.addBot(person);
  await answerTo(person.send(group.chat, { text: `@lotsawa_bot ${chinese()}` }), ({ text }) =>
    hasTibetan(text),
  );

  // The service fails.
  const answers = ['undocumented-error', 'not-json', 'missing-fields', 'bad-parameter'] as const;
  for (const fault of [...answers, 'reset', 'status-503', 'hang'] as const) {
    service.faults.next('translation', fault);
    await ask(newcomer({ firstName }), chinese());
  }
  service.faults.next('recognition', 'token-expired');
  await answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  service.faults.set('speech', 'break-off');
  await ask(person, `/speak amdo ${tibetan()}`);
  service.faults.clear();

  // Telegram fails.
  const page = `<html>${MARKS.text}</html>`;
  for (const fault of [{ status: 502, body: page }, { mode: 'reset' }, { retryAfter: 1 }] as const) {
    telegram.faults.next('sendMessage', fault);
    await ask(person, chinese(), ({ text }) => hasTibetan(text));
  }
  telegram.faults.next('sendMessage', {
    status: 400,
    description: `Bad Request: can't parse entities: Unsupported start tag "${MARKS.text}"`,
  });
  await ask(person, tibetan());
  telegram.faults.next('getUpdates', { mode: 'reset' });
  telegram.faults.next('getUpdates', { status: 200, body: `{"ok":true,"result":[{"text":${MARKS.text}` });
  telegram.faults.next('downloadFile', { status: 500, times: 5 });
  await answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  telegram.faults.clear();
  await answerTo(await sendFile(person, Buffer.from(`not a picture ${MARKS.text}`)));
  await answerTo(await sendFile(person, (await aJpeg()).subarray(0, 300)));

  // The database is locked for longer than anybody waits for it.
  let late: Message;
  {
    using _locked = lock();
    late = person.send(person.chat, { text: chinese() });
    await scene.bot().says('"kind":"unwritten"');
  }
  await answerTo(late, ({ text }) => hasTibetan(text) || hasChinese(text));
  expect((await ask(person, '/help')).text).toBeDefined();
}

function sendFile(person: Person, bytes: Buffer): Promise<Message> {
  return person.sendDocument(person.chat, bytes, { fileName: `${MARKS.file}.jpg`, mimeType: 'image/jpeg' });
}

/** A secret as it may come to light: whole, its telling half, and as addresses and basic authentication spell it. */
function formsOf(secret: string): string[] {
  const half = secret.slice(Math.ceil(secret.length / 2));
  return [secret, half, encodeURIComponent(secret), Buffer.from(secret).toString('base64')];
}

/** The files below a folder, but for the database, which is meant to hold what people wrote, and the ffmpeg. */
function filesBelow(folder: string): Record<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));
  const others = paths.filter((path) => statSync(path).isFile() && !/lotsawa\.db|\/ffmpeg$/.test(path));
  return Object.fromEntries(others.map((path) => [path, readFileSync(path, 'latin1')]));
}

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

it('a day with two crashes leaves nothing private behind', async () => {
  const port = await freePort();
  const tools = makeBotFolder();
  const temporary = join(tools.path, 'tmp');
  mkdirSync(temporary);
  const reports = `--report-on-signal --report-signal=SIGALRM --report-uncaught-exception`;
  const scene = await startScene({
    env: {
      LOG_LEVEL: 'trace',
      PORT: String(port),
      ADMIN_IDS: String(ADMIN),
      SERVICE_TIMEOUT_MS: '3000',
      TMPDIR: temporary,
      DATABASE_URL: `sqlite:${tools.path}/new/lotsawa.db`,
      FFMPEG_PATH: ffmpegThatTells(tools.path),
      NODE_OPTIONS: `--import ${FALLS_OVER} ${reports} --report-directory=${tools.path}`,
      FALLS_OVER_TOKEN: TOKEN,
      FALLS_OVER_MARKS: Object.values(MARKS).join(' '),
    },
  });
  const { service, databaseFile, log, bot, restart, newcomer, ask } = scene;
  const folder = join(tools.path, 'new');
  await liveThroughADay(scene, () => {
    const database = openKeptDatabase({ path: folder });
    // The bot may write just now.
    database.run('pragma busy_timeout = 5000');
    database.run('begin immediate');
    return database;
  });
  const stats = await ask(newcomer({ id: ADMIN }), '/stats');
  const pages = await Promise.all(
    ['/metrics', '/healthz', '/readyz', '/nowhere'].map(async (path) =>
      (await fetch(`http://127.0.0.1:${port}${path}`)).text(),
    ),
  );
  const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect([folder, `${folder}/lotsawa.db`, `${folder}/lotsawa.db-wal`].map(modeOf)).toEqual([
    '700',
    '600',
    '600',
  ]);
  const accessTokens = () => {
    using database = openKeptDatabase({ path: folder });
    return database.rows('select token from tokens').map((row) => String(Reflect.get(Object(row), 'token')));
  };
  const secrets = [
    TOKEN,
    TOKEN.split(':')[1] ?? '',
    ...accessTokens(),
    ...Object.values(service.credentials),
  ];
  process.kill(bot().pid ?? 0, 'SIGALRM');
  await expect.poll(() => readdirSync(tools.path)).toContainEqual(expect.stringMatching(/report.*\.json$/));
  await restart('SIGUSR2');
  expect(await bot().stop('SIGHUP')).toBe(1);

  const files = { ...filesBelow(tools.path), ...filesBelow(dirname(databaseFile)) };
  expect(Object.keys(files)).toContain(join(tools.path, 'children.txt'));
  // What this test itself has put into the environment for `falls-over.ts`.
  for (const [path, text] of Object.entries(files)) files[path] = text.replaceAll(/.*FALLS_OVER_.*/g, '');
  const traces = { ...files, log: log(), '/stats': stats.text ?? '', pages: pages.join('\n') };
  const words = [...secrets.flatMap(formsOf), ...Object.values(MARKS)];
  const found = Object.entries(traces).flatMap(([where, text]) =>
    words.filter((word) => text.includes(word)).map((word) => `${word} in ${where}`),
  );
  expect(found).toEqual([]);
  expect(log()).not.toMatch(/\/file\/bot|photos\/file|documents\/file/);
  expect(log()).not.toSatisfy(hasTibetan);
  expect(log()).not.toSatisfy(hasChinese);
  expect(log()).toContain('uncaught error: the process ends');
  await scene.close();
  tools.remove();
});
