/** Answers that Telegram would never give: the bot neither follows them anywhere nor dies of them. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { says } from '../phrases.ts';
import { aJpeg } from '../pictures.ts';
import { gzipBomb, MB, pouring } from './bombs.ts';
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
    'file:///etc/passwd',
    'http://127.0.0.1:9/secret',
    'photos/%2e%2e/%2e%2e/x',
    'x\r\nhost: evil',
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
});

describe('a file without an end, or larger than was said', () => {
  it.each([
    ['without an end', pouring({ chunk: Buffer.alloc(MB, 1), times: Number.POSITIVE_INFINITY })],
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

it.each<[string, string]>([
  ['no list', '{"ok":true,"result":{}}'],
  ['a list of nothing', '{"ok":true,"result":[null,7,"x",[],{}]}'],
  ['an error of junk', '{"ok":false,"error_code":"x","description":7,"parameters":{"retry_after":"never"}}'],
])('where updates should be, %s: polling goes on', async (_, body) => {
  await scene.givesUpdates(body);
  await scene.servesOthers();
});

it('all of it together has cost little memory', () => {
  expect(peakMemoryMb(scene.bot().pid)).toBeLessThan(MAX_MEMORY_MB);
});
