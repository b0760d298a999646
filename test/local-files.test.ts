/** A self-hosted Bot API server: files are read from its folder alone (`--local`, TELEGRAM_FILES_DIR), else the bot says what to set. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { checkFiles } from '../src/doctor/telegram.ts';
import { isFailure } from '../src/errors.ts';
import { BotApi } from '../src/telegram/api/api.ts';
import { readLocalFile } from '../src/telegram/api/files.ts';
import { TOKEN } from './bot-process.ts';
import { hasTibetan, says } from './phrases.ts';
import { aJpeg, aJpegSaying, aPicture } from './pictures.ts';
import { useScene } from './shared-scene.ts';

const ADMIN = 5_000_777;
const MB = 1024 * 1024;

let home: string;
/** Where the server keeps its files. */
let folder: string;
const scene = useScene({
  between: async (telegram) => {
    home = mkdtempSync(join(tmpdir(), 'lotsawa-files-'));
    folder = join(home, 'server');
    mkdirSync(folder);
    telegram.handOut({ folder });
    return { TELEGRAM_FILES_DIR: folder, ADMIN_IDS: String(ADMIN) };
  },
});
afterAll(() => rmSync(home, { recursive: true, force: true }));

/** What the bot says to a picture of which `getFile` tells this path. */
async function answerWhere(file_path: string) {
  const person = scene.newcomer();
  scene.telegram.faults.next('getFile', {
    status: 200,
    body: { ok: true, result: { file_id: 'x', file_unique_id: 'y', file_size: 10, file_path } },
  });
  return scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
}

it('a photo is read from the folder, and so is a picture above 20 MB', async () => {
  const person = scene.newcomer();
  const photo = await person.sendPhoto(person.chat, await aJpeg());
  expect((await scene.answerTo(photo)).text).toSatisfy(hasTibetan);
  // Not compressed: a PNG of 26 MB.
  const large = await aPicture().resize(3000, 2900).png({ compressionLevel: 0 }).toBuffer();
  expect(large.length).toBeGreaterThan(20 * MB);
  const file = await person.sendDocument(person.chat, large, { fileName: 'page.png', mimeType: 'image/png' });
  expect((await scene.answerTo(file)).text).toSatisfy(hasTibetan);
});

it('one that no memory is there for is told so, and not asked for', async () => {
  const person = scene.newcomer();
  const before = scene.telegram.calls.length;
  const file = await person.sendDocument(person.chat, await aJpeg(), {
    fileName: 'a.jpg',
    mimeType: 'image/jpeg',
    declaredSize: 129 * MB,
  });
  expect((await scene.answerTo(file)).text).toBe(says('failure-file-too-large', 'en', { most: '128' }));
  expect(scene.telegram.calls.slice(before).map(({ method }) => method)).not.toContain('getFile');
});

describe('what is not an ordinary file in the folder is not read', () => {
  const SECRET = 'བོད་ཀྱི་གསང་བ།';
  const trap = async (place: string): Promise<string> => {
    const bytes = await aJpegSaying(SECRET);
    mkdirSync(join(place, TOKEN, 'photos'), { recursive: true });
    writeFileSync(join(place, TOKEN, 'photos', 'secret.jpg'), bytes);
    return join(place, TOKEN, 'photos', 'secret.jpg');
  };

  it.each<[string, () => Promise<string> | string]>([
    [
      'a path with ..',
      async () => `${folder}/../outside/${(await trap(join(home, 'outside'))).slice(home.length + 9)}`,
    ],
    ['a path with .. after the bot’s folder', () => `/srv/${TOKEN}/../../outside/${TOKEN}/photos/secret.jpg`],
    ['another root', () => join(home, 'outside', TOKEN, 'photos', 'secret.jpg')],
    ['a root that begins alike', async () => trap(`${folder}-else`)],
    ['a file of the machine', () => '/etc/hostname'],
    ['a folder', () => folder],
    ['what is not there', () => join(folder, 'none.jpg')],
  ])('%s', async (_, makePath) => {
    const path = await makePath();
    expect((await answerWhere(path)).text).toBe(says('failure-file-unserved'));
    const read = readLocalFile(path, { folder, token: TOKEN });
    await expect(read).rejects.toSatisfy((error) => isFailure(error, 'file-unserved'));
    expect(scene.log()).not.toContain(TOKEN);
  });

  it('and those who run the bot are told what to set', async () => {
    const admin = scene.newcomer({ id: ADMIN });
    await scene.ask(admin, '/start');
    await answerWhere('/etc/hostname');
    await expect.poll(() => scene.log()).toContain('set it to the working folder of that server');
    await expect.poll(() => scene.log()).toContain('"reason":"files"');
  });
});

it('a file server’s foreign path is understood by its last part', async () => {
  const bytes = await aPicture().png().toBuffer();
  mkdirSync(join(folder, TOKEN, 'documents'), { recursive: true });
  writeFileSync(join(folder, TOKEN, 'documents', 'file 1.png'), bytes);
  const elsewhere = `/var/lib/telegram-bot-api/${TOKEN}/documents/file 1.png`;
  expect(await readLocalFile(elsewhere, { folder, token: TOKEN })).toEqual(bytes);
});

describe('the doctor', () => {
  const found = async (options: { filesDir?: string; apiRoot?: string } = {}) => {
    const api = new BotApi({ token: TOKEN, apiRoot: scene.telegram.apiRoot, ...options });
    const findings = await checkFiles(api, scene.telegram.bot.id, AbortSignal.timeout(20_000));
    return findings.map(({ verdict, text, remedy = '' }) => `${verdict} ${text} → ${remedy}`).join('\n');
  };

  it('says of Telegram’s own server nothing, unless a folder is set', async () => {
    const apiRoot = 'https://api.telegram.org';
    expect(await found({ apiRoot })).toBe('');
    expect(await found({ apiRoot, filesDir: folder })).toMatch(/^wrong .*unset it/);
  });

  it('says what cannot be seen without a picture of the bot', async () => {
    expect(await found({ filesDir: folder })).toMatch(/^open .*setuserpic/);
  });

  it('the doctor fetches the bot’s picture, or says what to set', async () => {
    await scene.telegram.setBotPicture(await aJpeg());
    expect(await found({ filesDir: folder })).toMatch(/^well Files: .*serves them/);
    for (const filesDir of [join(home, 'none'), join(home, 'outside')])
      expect(await found({ filesDir })).toMatch(/^wrong .*set it to the working folder/);
    expect(await found()).toMatch(/^wrong .*runs with --local: set TELEGRAM_FILES_DIR/);
    scene.telegram.handOut('unserved');
    expect(await found()).toMatch(/^wrong .*serves no files.*run it with --local and set TELEGRAM_FILES_DIR/);
    scene.telegram.handOut('served');
    expect(await found()).toMatch(/^well /);
    scene.telegram.handOut({ folder });
  });
});

it('people hear that a server without files is not their mistake', async () => {
  scene.telegram.handOut('unserved');
  const person = scene.newcomer();
  const told = await scene.answerTo(await person.sendPhoto(person.chat, await aJpeg()));
  expect(told.text).toBe(says('failure-file-unserved'));
  await expect.poll(() => scene.log()).toContain('run it with --local and set TELEGRAM_FILES_DIR');
  scene.telegram.handOut({ folder });
  await person.press(told, says('button-try-again'));
  await scene.becomes(told, ({ text }) => hasTibetan(text));
});
