/** Answers that Telegram would never give: the bot neither follows them anywhere nor dies of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hasTibetan, newChinese, says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { gzipBomb, hugeHeaders, MB, noHttp, pouring } from './bombs.ts';
import { type MeddledScene, peakMemoryMb, startMeddledScene } from './meddled-scene.ts';
import type { Meddling } from './meddler.ts';

const MAX_MEMORY_MB = 600;

let scene: MeddledScene;
beforeAll(async () => {
  scene = await startMeddledScene();
});
afterAll(() => scene.close());

const json =
  (result: unknown): Meddling =>
  (response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ ok: true, result }));

describe('a file whose path leads elsewhere', () => {
  it.each([
    '../../../etc/passwd',
    '/etc/passwd',
    'file:///etc/passwd',
    'http://127.0.0.1:9/secret',
    '//127.0.0.1:9/secret',
    '\\\\host\\share',
    'photos/%2e%2e/%2e%2e/x',
    'a'.repeat(100_000),
    '',
    'x\r\nhost: evil',
    '\0',
  ])('is not there: %s', async (file_path) => {
    const person = scene.newcomer();
    const stop = scene.beforeTelegram.always(
      '/getFile',
      json({ file_id: 'x', file_unique_id: 'y', file_path }),
    );
    const asked = await person.sendPhoto(person.chat, await aJpeg());
    const { text } = await scene.answerTo(asked);
    stop();
    const words = [
      'failure-file-gone',
      'failure-file-unfetched',
      'failure-file-unserved',
      'failure-image-unreadable',
    ];
    expect(words.map((id) => says(id))).toContain(text);
    await scene.servesOthers();
  });

  it.each([[null], [{}], [[]], ['x'], [{ file_path: 7 }], [{ file_path: null }]])(
    'or that has none: %o',
    async (result) => {
      const person = scene.newcomer();
      const stop = scene.beforeTelegram.always('/getFile', json(result));
      const asked = await person.sendPhoto(person.chat, await aJpeg());
      const { text } = await scene.answerTo(asked);
      stop();
      expect([says('failure-file-gone'), says('failure-image-unreadable')]).toContain(text);
      expect(scene.bot.output()).not.toMatch(/became a dead letter/);
    },
  );
});

it('a file that cannot be had for half a second is had after it', async () => {
  const person = scene.newcomer();
  const { promise: asked, resolve } = Promise.withResolvers<void>();
  const stop = scene.beforeTelegram.always('.jpg', (response) => {
    setTimeout(resolve, 500);
    response.writeHead(503).end();
  });
  const photo = await person.sendPhoto(person.chat, await aJpeg());
  await asked;
  stop();
  expect((await scene.answerTo(photo)).text).toSatisfy(hasTibetan);
});

describe('a file without an end, or larger than was said', () => {
  it.each([
    ['without an end', pouring({ chunk: Buffer.alloc(MB, 1), times: Number.POSITIVE_INFINITY })],
    ['of 50 MB', pouring({ chunk: Buffer.alloc(MB, 1), times: 50 })],
    ['that is compressed', gzipBomb],
  ])('%s', async (_, meddling) => {
    const person = scene.newcomer();
    const stop = scene.beforeTelegram.always('.jpg', meddling);
    const asked = await person.sendDocument(person.chat, await aJpeg(), {
      fileName: 'x.jpg',
      mimeType: 'image/jpeg',
    });
    const { text } = await scene.answerTo(asked);
    stop();
    expect([
      says('failure-file-too-large', 'en', { most: '20' }),
      says('failure-image-unreadable'),
    ]).toContain(text);
    await scene.servesOthers();
  });
});

describe('an answer to a message that was sent', () => {
  const junk: Readonly<Record<string, Meddling>> = {
    'that is huge': pouring({ chunk: Buffer.alloc(MB, ' '), times: 100 }),
    'that is a gzip bomb': gzipBomb,
    'with a megabyte of headers': hugeHeaders,
    'nested 100,000 levels deep': (response) => response.end(`${'['.repeat(100_000)}${']'.repeat(100_000)}`),
    'of null': (response) => response.end('null'),
    'that is no HTTP': noHttp,
    'that leads elsewhere': (response) => response.writeHead(302, { location: 'http://127.0.0.1:9/' }).end(),
  };

  it.each(Object.entries(junk))('%s is tried again, and loses nothing', async (_, meddling) => {
    const person = scene.newcomer();
    void scene.beforeTelegram.next('/sendMessage', meddling);
    const answer = await scene.answerTo(person.send(person.chat, { text: newChinese() }), 60_000);
    expect(hasTibetan(answer.text)).toBe(true);
    await scene.servesOthers();
  });
});

it.each<[string, string]>([
  ['nothing', ''],
  ['null', 'null'],
  ['no list', '{"ok":true,"result":{}}'],
  ['a list of nothing', '{"ok":true,"result":[null,7,"x",[],{}]}'],
  ['brackets', '['.repeat(100_000)],
  ['an error that is none', '{"ok":false}'],
  ['an error of junk', '{"ok":false,"error_code":"x","description":7,"parameters":{"retry_after":"never"}}'],
])('where updates should be, %s: polling goes on', async (_, body) => {
  await scene.givesUpdates(body);
  await scene.servesOthers();
});

it('all of it together has cost little memory', () => {
  expect(peakMemoryMb(scene.bot.pid)).toBeLessThan(MAX_MEMORY_MB);
});
