/** `npm run doctor`: each thing that can be wrong is named with its remedy, nothing is given away, and nothing is taken from a bot beside it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { startLocalService } from '../sandbox/service/local-service.ts';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import { checkNode } from '../src/doctor/machine.ts';
import { checkEnvFile } from '../src/doctor/settings.ts';
import { checkAccount } from '../src/doctor/telegram.ts';
import { BotApi } from '../src/telegram/api/api.ts';
import { type BotPlace, openBotPlace } from './bot-place.ts';
import { type BotProcess, TOKEN } from './bot-process.ts';
import { startPooler } from './faults/pooler.ts';
import { freePort } from './free-port.ts';
import { openKeptDatabase } from './kept-database.ts';
import { says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { usePostgresServer } from './shared-postgres-server.ts';

const DOCTOR = fileURLToPath(new URL('../scripts/doctor.ts', import.meta.url));

let place: BotPlace;
let settings: Record<string, string>;
beforeEach(async () => {
  place = await openBotPlace();
  // By which the doctor sees that files are handed out.
  await place.telegram.setBotPicture(await aJpeg());
  settings = { ...place.settings, DAILY_BUDGET_YUAN: '', PORT: String(await freePort()) };
});
afterEach(() => place.close());

async function startBot(): Promise<BotProcess> {
  const bot = place.start(settings);
  await bot.says('"ready"');
  await place.telegram.botReady();
  return bot;
}

/** What the doctor says with these settings, line by line; none of the secrets may be in it. */
async function doctor(changes: Record<string, string> = {}, ...options: string[]) {
  const env = { ...settings, ...changes };
  const child = spawn(process.execPath, [DOCTOR, ...options], { env, cwd: place.folder.path });
  child.stdin.end();
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  const secrets = [env.TELEGRAM_BOT_TOKEN, env.SERVICE_API_KEY, env.SERVICE_SECRET_KEY, env.SERVICE_X_SECRET];
  for (const secret of secrets) if (secret) expect(output + problems).not.toContain(secret);
  const lines = output.split('\n').filter((line) => /^[✓✗–] /.test(line));
  return {
    exitCode: child.exitCode,
    problems,
    all: lines,
    wrong: lines.filter((line) => line.startsWith('✗')),
    line: (part: string) => lines.find((line) => line.includes(part)) ?? '',
  };
}

/** A program that has nothing to do with the bot. */
async function startPage(words: string, port = 0) {
  const server = createServer((_request, response) => response.end(words)).listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const opened = typeof address === 'object' ? address?.port : undefined;
  return { url: `http://127.0.0.1:${opened}`, close: () => server.close() };
}

describe('a configuration that works', () => {
  it('is well before the first start, without a paid call and without making a database', async () => {
    const found = await doctor();
    expect(found.wrong).toEqual([]);
    expect(found.exitCode).toBe(0);
    expect(found.line('Database:')).toContain('does not exist yet');
    expect(found.line('Bot:')).toBe('– Bot: it does not run here now → npm start');
    expect(found.line('the token is that of')).toContain(`@${place.telegram.bot.username}`);
    expect(place.service.paid().calls).toBe(0);
    expect(place.service.calls.map(({ kind }) => kind)).toEqual(['token']);
    expect(readdirSync(place.folder.path)).toEqual([]);
  });

  it('is well beside a bot that runs, which goes on undisturbed', async () => {
    await startBot();
    const found = await doctor();
    expect(
      found.all.filter((line) => !line.startsWith('✓')).map((line) => line.split(' ').slice(0, 2)),
    ).toEqual([
      ['–', 'Access:'],
      ['–', 'Access:'],
      ['–', 'Telegram:'],
      ['–', 'Service:'],
    ]);
    expect(found.exitCode).toBe(0);
    expect(place.telegram.calls.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
    const person = place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    person.send(person.chat, { text: '/start' });
    await place.telegram.world.waitForMessage(person.chat, ({ text }) => text === says('start'));
  });
});

describe('settings', () => {
  it('every fault has its line, and what does not need them is looked at all the same', async () => {
    const found = await doctor({ SERVICE_AUTH_URL: 'nowhere', WORKERS: 'many', SERVICE_X_SECRET: '' });
    expect(found.wrong).toHaveLength(3);
    for (const name of ['SERVICE_AUTH_URL', 'WORKERS', 'SERVICE_X_SECRET']) {
      expect(found.line(`Settings: ${name} `)).toMatch(/^✗ .* → set it in \.env/);
    }
    expect(found.line('ffmpeg:')).toMatch(/^✓/);
    expect(found.line('Database:')).toMatch(/^✓/);
    expect(found.exitCode).toBe(1);
  });
});

describe('who may use it', () => {
  it('is told: everybody in Telegram, or whom the admins let in, and how an admin gets in again', async () => {
    const found = await doctor();
    expect(found.line('Access: ACCESS=open')).toMatch(/^– .*everybody in Telegram.*→ ACCESS=members/);
    expect(found.line('nobody is an admin')).toMatch(/^– .*ADMIN_IDS/);
    const admin = place.telegram.world.addPerson({ id: 4242, firstName: 'Tenzin' });
    const closed = await doctor({ ACCESS: 'members', ADMIN_IDS: `${admin.id}` });
    expect(closed.line('Access: ACCESS=members')).toMatch(/^✓/);
    expect(closed.line('let yourself in again')).toContain('ADMIN_IDS');
    expect(closed.wrong).toEqual([]);
  });

  it('an admin whom Telegram knows no chat of is named, and where that is all of them it is wrong', async () => {
    const admin = place.telegram.world.addPerson({ id: 4242, firstName: 'Tenzin' });
    const some = await doctor({ ACCESS: 'members', ADMIN_IDS: `${admin.id},77` });
    expect(some.line('no chat with the bot')).toMatch(/^– .*: 77 → write to the bot/);
    const none = await doctor({ ACCESS: 'members', ADMIN_IDS: '77' });
    expect(none.wrong).toEqual([expect.stringContaining('no chat with the bot: 77')]);
    const missing = await doctor({ ACCESS: 'members' });
    expect(missing.line('ADMIN_IDS is missing')).toMatch(/^✗/);
  });
});

describe('secrets from files', () => {
  it('are read, and a file that cannot be has its line', async () => {
    const { SERVICE_SECRET_KEY: secret = '', ...rest } = settings;
    const path = join(place.folder.path, 'secret-key');
    writeFileSync(path, `${secret}\n`);
    settings = { ...rest, SERVICE_SECRET_KEY_FILE: path };
    const found = await doctor();
    expect(found.wrong).toEqual([]);
    expect(found.line('get a token')).toMatch(/^✓/);
    expect(found.all.join('\n')).not.toContain(secret);
    rmSync(path);
    const without = await doctor();
    expect(without.wrong).toEqual([
      expect.stringMatching(/^✗ Settings: SERVICE_SECRET_KEY_FILE .*\(ENOENT\).* → mend the file/),
    ]);
    expect(without.exitCode).toBe(1);
  });
});

it.each([
  [
    {},
    '✓ Money: a day costs at most 100 yuan (DAILY_BUDGET_YUAN), which are 250 calls, whoever on Telegram asks for it (ACCESS=open)',
  ],
  [
    { DAILY_BUDGET_YUAN: '12.5', ACCESS: 'members', ADMIN_IDS: '5' },
    '✓ Money: a day costs at most 12.5 yuan (DAILY_BUDGET_YUAN), which are 31 calls; for those in ADMIN_IDS there is no limit',
  ],
  [
    { DAILY_BUDGET_YUAN: '0', DAILY_CALLS_PER_USER: '20' },
    '– Money: what a day can cost has no end (DAILY_BUDGET_YUAN=0); each person may cause 20 calls, 8.00 yuan, whoever on Telegram asks for it (ACCESS=open) → set DAILY_BUDGET_YUAN',
  ],
])('with %o it says what a day can cost', async (changes, line) => {
  expect((await doctor(changes)).line('Money:')).toBe(line);
});

describe('the file .env', () => {
  it('a value that is cut off at its #, one that Compose reads otherwise, and neither of them is told', async () => {
    const { SERVICE_SECRET_KEY: secret = '', SERVICE_API_KEY: key = '', ...rest } = settings;
    const lines = [
      `SERVICE_SECRET_KEY=${secret}#half`,
      `SERVICE_API_KEY='${key}'`,
      'COMPOSE_PROFILES=x$half',
    ];
    writeFileSync(join(place.folder.path, '.env'), lines.join('\n'));
    settings = rest;
    const found = await doctor();
    expect(found.wrong).toEqual([
      "✗ .env: Node cuts SERVICE_SECRET_KEY off at its # → put the value in single quotes: NAME='…'",
    ]);
    expect(found.exitCode).toBe(1);
    expect(found.line('COMPOSE_PROFILES')).toMatch(/^– .env: Docker Compose replaces the \$/);
    for (const half of [secret, key, 'half']) expect(found.all.join('\n')).not.toContain(half);
  });

  it.each([
    ['a#b', 'wrong'],
    ['#b', 'wrong'],
    [' # a comment', 'open'],
    ['a$b', 'open'],
    ['"a$b"', 'open'],
    ['"a\\tb"', 'open'],
    ['`a`', 'open'],
    ["'a'b'", 'open'],
    ["'a", 'open'],
    ['a # a comment', undefined],
    ['a"b', undefined],
    ["'a#$\\b' # a comment", undefined],
    ['"a#b"\r', undefined],
    ['', undefined],
  ])('SERVICE_X_SECRET=%s is %s', (value, verdict) => {
    const found = checkEnvFile(`SERVICE_X_SECRET=${value}\nelse=a#b`);
    expect(found.map((finding) => finding.verdict)).toEqual(verdict === undefined ? [] : [verdict]);
  });

  it.each<BufferEncoding>(['utf8', 'utf16le'])(
    'a byte order mark as %s, which hides the first variable',
    (encoding) => {
      const text = Buffer.from('\uFEFFPORT=8080\nHOST=::1', encoding).toString('utf8');
      expect(parseEnv(text)).not.toHaveProperty('PORT');
      expect(checkEnvFile(text).map((finding) => finding.verdict)).toEqual(['wrong']);
    },
  );

  it('what it has nothing to say of, Node reads as it stands there', () => {
    const value = fc.string({ unit: fc.constantFrom(...'ab#$\'"`\\ ={}') });
    fc.assert(
      fc.property(value, (value) => {
        fc.pre(!/^ *['"`]| #/.test(value) && checkEnvFile(`PORT=${value}`).length === 0);
        expect(parseEnv(`PORT=${value}`)).toEqual({ PORT: value.trim() });
      }),
    );
    fc.assert(
      fc.property(value, (value) => {
        fc.pre(!value.includes("'"));
        expect(checkEnvFile(`PORT='${value}'`)).toEqual([]);
        expect(parseEnv(`PORT='${value}'`)).toEqual({ PORT: value });
      }),
    );
  });
});

describe('the machine', () => {
  it.each([
    ['24.21.0', 'well'],
    ['26.0.0', 'well'],
    ['22.18.0', 'wrong'],
    ['9.9.9', 'wrong'],
  ])('Node %s is %s', (version, verdict) => {
    expect(checkNode(version).verdict).toBe(verdict);
  });

  it('ffmpeg that is missing', async () => {
    const found = await doctor({ PATH: place.folder.path });
    expect(found.wrong).toHaveLength(1);
    expect(found.line('ffmpeg:')).toContain('→ sudo apt-get install ffmpeg');
  });

  it('ffmpeg without Opus', async () => {
    const path = join(place.folder.path, 'ffmpeg');
    writeFileSync(path, '#!/bin/sh\necho " D. = Demuxing supported"\n');
    chmodSync(path, 0o755);
    const found = await doctor({ FFMPEG_PATH: path });
    expect(found.line('ffmpeg:')).toMatch(/^✗ .*libopus → sudo apt-get install ffmpeg/);
  });
});

describe('the database', () => {
  it('a path at which nothing can be made', async () => {
    writeFileSync(join(place.folder.path, 'file'), '');
    const found = await doctor({ DATABASE_URL: `sqlite:${join(place.folder.path, 'file', 'lotsawa.db')}` });
    expect(found.line('Database:')).toMatch(/^✗ .* → let the user that runs the bot write/);
    expect(found.exitCode).toBe(1);
  });

  it('a file that is no database', async () => {
    writeFileSync(join(place.folder.path, 'lotsawa.db'), 'no database at all '.repeat(500));
    expect((await doctor()).line('Database:')).toMatch(/^✗ .*SQLITE_NOTADB.* → that file is no database/);
  });

  it('one that a newer release has changed', async () => {
    const bot = await startBot();
    await bot.stop();
    using database = openKeptDatabase(place.folder);
    database.run(`insert into kysely_migration (name, timestamp) values ('999-from-the-future', '2099')`);
    expect((await doctor()).line('Database:')).toMatch(/^✗ .*newer release → start that release, or restore/);
  });

  it('one that was there and is gone', async () => {
    const bot = await startBot();
    await bot.stop();
    rmSync(join(place.folder.path, 'lotsawa.db'));
    expect((await doctor()).line('Database:')).toMatch(/^✗ .*gone or empty → put it back/);
  });

  it('one that cannot be kept from a second process', async () => {
    writeFileSync(join(place.folder.path, 'lotsawa.db-owner'), 'what somebody wrote there '.repeat(50));
    expect((await doctor()).line('Database:')).toMatch(
      /^✗ .*second process.* → see that no bot runs, delete/,
    );
  });

  it('one that others on the machine may read', async () => {
    const bot = await startBot();
    await bot.stop();
    chmodSync(join(place.folder.path, 'lotsawa.db'), 0o644);
    const found = await doctor();
    expect(found.line('others on this machine')).toMatch(/^– .* → chmod 600/);
    expect(found.exitCode).toBe(0);
  });

  it('one that another program holds locked', async () => {
    const bot = await startBot();
    await bot.stop();
    using database = openKeptDatabase(place.folder);
    database.run('begin immediate');
    expect((await doctor()).line('Database:')).toMatch(/^✗ .*SQLITE_BUSY.* → another program holds it/);
  });

  it('a PostgreSQL server that is not there is told at once, without its password', async () => {
    const found = await doctor({ DATABASE_URL: `postgres://bot:hunter2@127.0.0.1:${await freePort()}/bot` });
    expect(found.line('Database:')).toMatch(/^✗ .*ECONNREFUSED.* → see that the server runs/);
    expect(found.all.join()).not.toContain('hunter2');
  });
});

describe('PostgreSQL', () => {
  const server = usePostgresServer();

  it('is well while it is empty, and while a bot uses it', async () => {
    settings = { ...settings, DATABASE_URL: await server.createDatabase() };
    expect((await doctor()).line('Database:')).toBe(
      '✓ Database: PostgreSQL is empty, and gets its tables at the first start',
    );
    await startBot();
    const found = await doctor();
    expect(found.line('Database:')).toBe(
      '✓ Database: PostgreSQL can be written, and its tables are up to date',
    );
    expect(found.wrong).toEqual([]);
  });

  it('a pooler that shares connections, under a bot that has its tables already', async () => {
    const address = await server.createDatabase();
    settings = { ...settings, DATABASE_URL: address };
    await (await startBot()).stop();
    const pooler = await startPooler('transaction', address);
    try {
      const found = await doctor({ DATABASE_URL: pooler.url });
      expect(found.wrong).toEqual([
        expect.stringMatching(/^✗ Database: .* by way of a pooler .* → name the server itself/),
      ]);
      expect(found.exitCode).toBe(1);
      expect(found.line('get a token')).toMatch(/^✓/);
    } finally {
      pooler.close();
    }
  });

  it('a database that does not exist there', async () => {
    const url = `${await server.createDatabase()}-elsewhere`;
    expect((await doctor({ DATABASE_URL: url })).line('Database:')).toMatch(
      /^✗ .*3D000.* → that database does not/,
    );
  });
});

describe('Telegram', () => {
  it('a token that it does not know', async () => {
    const found = await doctor({ TELEGRAM_BOT_TOKEN: '1000000002:another-token' });
    expect(found.line('TELEGRAM_BOT_TOKEN')).toMatch(/^✗ .* → in @BotFather: \/mybots/);
    expect(found.exitCode).toBe(1);
  });

  it('being out of reach', async () => {
    const found = await doctor({ TELEGRAM_API_ROOT: `http://127.0.0.1:${await freePort()}` });
    expect(found.line('Telegram:')).toMatch(/^✗ .*out of reach.* → see that this machine reaches/);
  });

  it('staying silent for longer than the doctor has time', async () => {
    place.telegram.faults.next('getMe', { mode: 'hang' });
    const api = new BotApi({ token: TOKEN, apiRoot: place.telegram.apiRoot });
    const { findings, botId } = await checkAccount(api, AbortSignal.timeout(200));
    expect(findings.map(({ text }) => text)).toEqual(['Telegram: out of reach (timed out)']);
    expect(botId).toBeUndefined();
  });

  it('having trouble for longer than the doctor has time', async () => {
    place.telegram.faults.next('getMe', { status: 502, times: Number.POSITIVE_INFINITY });
    const api = new BotApi({ token: TOKEN, apiRoot: place.telegram.apiRoot });
    const { findings } = await checkAccount(api, AbortSignal.timeout(600));
    expect(findings.map(({ text }) => text)).toEqual(['Telegram: out of reach (timed out)']);
  });

  it('what BotFather has switched off is told with the command that switches it on, and is no fault', async () => {
    const off = { can_join_groups: false, supports_inline_queries: false, supports_guest_queries: false };
    Object.assign(place.telegram.bot, off);
    const found = await doctor();
    expect(found.line('cannot be added')).toMatch(/^– .*\/setjoingroups/);
    expect(found.line('inline mode is off')).toMatch(/^– .*\/setinline/);
    expect(found.line('guest mode is off')).toMatch(/^– .*Guest Mode/);
    expect(found.line('privacy mode is on')).toMatch(/^– .*\/setprivacy/);
    expect(found.exitCode).toBe(0);
  });

  it('privacy mode that is off is well', async () => {
    Object.assign(place.telegram.bot, { can_read_all_group_messages: true });
    expect((await doctor()).line('privacy mode')).toMatch(/^✓/);
  });
});

describe('the webhook', () => {
  const setWebhook = (url: string) =>
    fetch(`${place.telegram.apiRoot}/bot${TOKEN}/setWebhook?url=${encodeURIComponent(url)}`);
  const HERE = { WEBHOOK_URL: 'https://bot.example.org/telegram/secret-path', WEBHOOK_SECRET: 'secret' };

  it('one that is set though polling is configured is for the next start to end', async () => {
    await setWebhook(HERE.WEBHOOK_URL);
    const found = await doctor();
    expect(found.line('Updates:')).toMatch(
      /^– .*delivers to bot\.example\.org → npm start ends that.*\/revoke/,
    );
    expect(found.line('Updates:')).not.toContain('secret-path');
  });

  it('one that leads elsewhere while the bot runs', async () => {
    const url = `http://127.0.0.1:${settings.PORT}/telegram`;
    settings = { ...settings, WEBHOOK_URL: url, WEBHOOK_SECRET: 'secret' };
    await startBot();
    expect((await doctor()).line('Updates:')).toMatch(/^✓ Updates: Telegram delivers to/);
    await setWebhook(HERE.WEBHOOK_URL);
    const found = await doctor();
    expect(found.line('Updates:')).toMatch(
      /^✗ .*another address at bot\.example\.org → npm start tells Telegram/,
    );
    expect(found.exitCode).toBe(1);
  });

  it('one that is configured and not set yet, and one that is', async () => {
    expect((await doctor(HERE)).line('Telegram has no webhook')).toMatch(/^– .* → npm start tells Telegram/);
    await setWebhook(HERE.WEBHOOK_URL);
    expect((await doctor(HERE)).line('Updates:')).toBe('✓ Updates: Telegram delivers to bot.example.org');
  });

  it('deliveries that fail while updates wait', async () => {
    const url = `http://127.0.0.1:${await freePort()}/telegram`;
    await setWebhook(url);
    const person = place.telegram.world.addPerson({ firstName: 'Pema' });
    person.send(person.chat, { text: '/start' });
    const here = { WEBHOOK_URL: url, WEBHOOK_SECRET: 'secret' };
    await expect
      .poll(async () => (await doctor(here)).line('last delivery'), { timeout: 30_000 })
      .toMatch(/^✗ .*Connection failed\), and 1 wait → WEBHOOK_URL must lead/);
  });
});

describe('the service', () => {
  it('credentials that it refuses', async () => {
    const found = await doctor({ SERVICE_SECRET_KEY: 'another-secret' });
    expect(found.line('no token')).toMatch(/^✗ .*refused\) → copy SERVICE_API_KEY and SERVICE_SECRET_KEY/);
    expect(found.exitCode).toBe(1);
  });

  it('an address that leads to something else', async () => {
    const page = await startPage('<html>Welcome!</html>');
    const found = await doctor({ SERVICE_AUTH_URL: page.url });
    expect(found.line('no token')).toMatch(/^✗ .*not what the service answers\) → see that SERVICE_AUTH_URL/);
    page.close();
  });

  it('addresses that lead nowhere', async () => {
    const nowhere = `http://127.0.0.1:${await freePort()}`;
    const found = await doctor({ SERVICE_AUTH_URL: nowhere, SERVICE_BASE_URL: nowhere });
    expect(found.line('no token')).toMatch(
      /^✗ .*ECONNREFUSED.* → see that this machine reaches SERVICE_AUTH_URL/,
    );
    expect(found.line('does not answer')).toMatch(/^✗ .*SERVICE_BASE_URL.*ECONNREFUSED\) → /);
  });
});

describe('paid calls', () => {
  it('are not made without a yes, and what they would cost is said', async () => {
    const found = await doctor({}, '--paid');
    expect(found.exitCode).toBe(1);
    expect(found.problems).toContain('3 calls, 1.20 yuan');
    expect(place.service.calls).toEqual([]);
  });

  it('one of each kind is made, and written into the ledger', async () => {
    await startBot();
    const found = await doctor({}, '--paid', '--yes');
    expect(found.wrong).toEqual([]);
    for (const kind of ['recognition', 'translation', 'speech'])
      expect(found.line(kind)).toMatch(/^✓ .* works/);
    expect(found.line('recognition')).toMatch(/it read "[^"[]*" where "བོད་ཡིག" is written$/);
    expect(found.line('these calls cost')).toBe('✓ Service: these calls cost 1.20 yuan');
    expect(place.service.paid().calls).toBe(3);
    using database = openKeptDatabase(place.folder);
    expect(database.rows('select kind, outcome from ledger where person = ?', 'doctor')).toEqual(
      ['recognition', 'translation', 'speech'].map((kind) => ({ kind, outcome: 'charged' })),
    );
  });

  it('a recognition that finds nothing in the picture is a warning, and no proof that it works', async () => {
    const blind = await startLocalService({
      engines: { ...createQuickEngines(), recognise: async () => ({ lines: [] }) },
    });
    const there = { SERVICE_AUTH_URL: blind.url, SERVICE_BASE_URL: blind.url };
    const found = await doctor(there, '--paid', '--yes');
    await blind.close();
    expect(found.line('recognition')).toMatch(/^– .* but found nothing where "བོད་ཡིག" is written → run this/);
    expect(found.line('translation')).toMatch(/^✓ /);
    expect(found.exitCode).toBe(0);
  });

  it('what is refused is named, and what was not charged is not counted', async () => {
    const found = await doctor({ SERVICE_X_SECRET: 'another-secret' }, '--paid', '--yes');
    expect(found.line('translation failed')).toMatch(/^✗ .*auth, code 4011001\) → copy SERVICE_X_SECRET/);
    expect(found.line('speech failed')).toMatch(/^✗ /);
    expect(found.line('these calls cost')).toContain('0.40 yuan, not written into any ledger');
    expect(found.exitCode).toBe(1);
  });

  it('a quota that is used up', async () => {
    place.service.faults.set('speech', 'quota');
    const found = await doctor({}, '--paid', '--yes');
    expect(found.line('speech failed')).toMatch(/^✗ .* → the quota for speech is used up/);
  });
});

it('a PORT that another program has', async () => {
  const other = await startPage('another program', Number(settings.PORT));
  const found = await doctor();
  expect(found.line('Bot:')).toMatch(/^✗ .* → another program has it: choose another PORT/);
  other.close();
});

it('an option that it does not know makes it say which there are', async () => {
  const found = await doctor({}, '--all');
  expect(found.exitCode).toBe(1);
  expect(found.all).toEqual([]);
});
