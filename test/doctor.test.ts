/** `npm run doctor`: each thing that can be wrong is named with its remedy, nothing is given away, and nothing is taken from a bot beside it. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import packageJson from '../package.json' with { type: 'json' };
import { type DoctorPlace, openDoctorPlace, readLines } from './doctor/doctor-place.ts';
import { openKeptDatabase } from './kept-database.ts';
import { says } from './phrases.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const DOCTOR = fileURLToPath(new URL('../scripts/doctor.ts', import.meta.url));

let here: DoctorPlace;
beforeEach(async () => {
  here = await openDoctorPlace();
});
afterEach(() => here.close());

/** What the doctor says in a process of its own, with these settings. */
async function doctor(changes: Record<string, string> = {}, ...options: string[]) {
  const env = { ...here.settings, ...changes };
  const child = spawn(process.execPath, [DOCTOR, ...options], { env, cwd: here.place.folder.path });
  child.stdin.end();
  const [output, problems] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')]);
  return { ...readLines(output + problems, env), exitCode: child.exitCode, problems };
}

describe('a configuration that works', () => {
  it('is well before the first start, without a paid call and without making a database', async () => {
    const found = await doctor();
    expect(found.wrong).toEqual([]);
    expect(found.exitCode).toBe(0);
    expect(found.line('Database:')).toContain('does not exist yet');
    expect(found.line('Bot:')).toBe('– Bot: not running → npm start');
    expect(found.line('the token belongs to')).toContain(`@${here.place.telegram.bot.username}`);
    expect(here.place.service.paid().calls).toBe(0);
    expect(here.place.service.calls.map(({ kind }) => kind)).toEqual(['token']);
    expect(readdirSync(here.place.folder.path)).toEqual([]);
  });

  it('the doctor leaves a running bot alone, and buys only agreed calls', async () => {
    await here.startBot();
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
    expect(here.place.telegram.calls.filter(({ errorCode }) => errorCode !== undefined)).toEqual([]);
    const person = here.place.telegram.world.addPerson({ firstName: 'Pema', languageCode: 'en' });
    person.send(person.chat, { text: '/help' });
    await here.place.telegram.world.waitForMessage(person.chat, ({ text }) => text === says('help'));

    const paid = await doctor({}, '--paid', '--yes');
    expect(paid.wrong).toEqual([]);
    for (const kind of ['recognition', 'translation', 'speech'])
      expect(paid.line(kind)).toMatch(/^✓ .* works/);
    expect(paid.line('recognition')).toMatch(/it read "[^"[]*" where "བོད་ཡིག" is written$/);
    expect(paid.line('these calls cost')).toBe('✓ Service: these calls cost 1.20 yuan');
    expect(here.place.service.paid().calls).toBe(3);
    using database = openKeptDatabase(here.place.folder);
    expect(database.rows('select kind, outcome from ledger where person = ?', 'doctor')).toEqual(
      ['recognition', 'translation', 'speech'].map((kind) => ({ kind, outcome: 'charged' })),
    );
  });
});

it('the doctor reports every fault of the settings', async () => {
  const found = await doctor({ SERVICE_AUTH_URL: 'nowhere', WORKERS: 'many', SERVICE_X_SECRET: '' });
  expect(found.wrong).toHaveLength(3);
  for (const name of ['SERVICE_AUTH_URL', 'WORKERS', 'SERVICE_X_SECRET']) {
    expect(found.line(`Settings: ${name} `)).toMatch(/^✗ .* → set it in \.env/);
  }
  expect(found.line('ffmpeg:')).toMatch(/^✓/);
  expect(found.line('Database:')).toMatch(/^✓/);
  expect(found.exitCode).toBe(1);
});

it('the doctor reports the faults of .env without its values', async () => {
  const { SERVICE_SECRET_KEY: secret = '', SERVICE_API_KEY: key = '', ...rest } = here.settings;
  const lines = [`SERVICE_SECRET_KEY=${secret}#half`, `SERVICE_API_KEY='${key}'`];
  const path = join(here.place.folder.path, '.env');
  writeFileSync(path, [...lines, 'ADMIN_ID=5'].join('\n'));
  chmodSync(path, 0o644);
  here.settings = rest;
  const found = await doctor();
  expect(found.wrong).toEqual([
    "✗ .env: SERVICE_SECRET_KEY is cut off at its # → put the value in single quotes: NAME='…'",
    '✗ .env: ADMIN_ID is not a setting of the bot, and has no effect → see .env.example for its right name, or remove it',
    '✗ .env: other users of this machine may read the secrets in it → chmod 600 .env',
  ]);
  expect(found.exitCode).toBe(1);
  for (const half of [secret, key, 'half']) expect(found.all.join('\n')).not.toContain(half);
});

it('the doctor reports a missing ffmpeg', async () => {
  const { path: PATH } = here.place.folder;
  const [node = '', ...options] = packageJson.scripts.predoctor.split(' ');
  symlinkSync(process.execPath, join(PATH, node));
  const before = spawnSync(node, options, { cwd: ROOT, env: { PATH }, encoding: 'utf8' });
  expect(before).toMatchObject({ status: 0, stderr: '' });
  const found = await doctor({ PATH });
  expect(found.wrong).toHaveLength(1);
  expect(found.line('ffmpeg:')).toContain('→ sudo apt-get install ffmpeg');
});

it('ffmpeg without Opus', async () => {
  const path = join(here.place.folder.path, 'ffmpeg');
  writeFileSync(path, '#!/bin/sh\necho " D. = Demuxing supported"\n');
  chmodSync(path, 0o755);
  const found = await doctor({ FFMPEG_PATH: path });
  expect(found.line('ffmpeg:')).toMatch(/^✗ .*libopus.* → sudo apt-get install ffmpeg/);
});

it('paid calls are not made without a yes, and what they would cost is said', async () => {
  const found = await doctor({}, '--paid');
  expect(found.exitCode).toBe(1);
  expect(found.problems).toContain('3 calls, 1.20 yuan');
  expect(here.place.service.calls).toEqual([]);
});

it('an option that it does not know makes it say which there are', async () => {
  const found = await doctor({}, '--all');
  expect(found.exitCode).toBe(1);
  expect(found.all).toEqual([]);
});
