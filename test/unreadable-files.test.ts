/** Files that cannot be read get a clear answer, without a paid call. */
import { expect, it } from 'vitest';
import { pngClaiming } from './media/pictures.ts';
import { says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each([
  ['empty', Buffer.alloc(0)],
  ['a web page', Buffer.from('<!doctype html><p>བོད།</p>')],
  ['cut off', Buffer.from('ffd8ffe000104a464946000101', 'hex')],
])('a file that is no picture (%s) is told so, unpaid', async (_, bytes) => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const file = await person.sendDocument(person.chat, bytes, {
      fileName: 'a.jpg',
      mimeType: 'image/jpeg',
    });
    expect((await scene.answerTo(file)).text).toBe(says('failure-image-unreadable'));
  });
  expect(paid).toBe(0);
});

it.each(['image/heic', 'application/octet-stream'])(
  'a HEIC that is damaged, sent as %s, is told so',
  async (mimeType) => {
    const person = scene.newcomer();
    const bytes = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic');
    const file = await person.sendDocument(person.chat, bytes, { fileName: 'IMG_1.HEIC', mimeType });
    expect((await scene.answerTo(file)).text).toBe(says('failure-image-unreadable'));
  },
);

it('a decompression bomb is told so, unpaid', async () => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const file = await person.sendDocument(person.chat, pngClaiming(60_000, 60_000), {
      fileName: 'a.png',
      mimeType: 'image/png',
    });
    expect((await scene.answerTo(file)).text).toBe(says('failure-image-too-large'));
  });
  expect(paid).toBe(0);
});

it('a file above 20 MB is told so, and not asked for', async () => {
  const person = scene.newcomer();
  const before = scene.telegram.calls.length;
  const file = await person.sendDocument(person.chat, await aJpeg(), {
    fileName: 'a.jpg',
    mimeType: 'image/jpeg',
    declaredSize: 21 * 1024 * 1024,
  });
  expect((await scene.answerTo(file)).text).toBe(says('failure-file-too-large', 'en', { most: '20' }));
  expect(scene.telegram.calls.slice(before).map(({ method }) => method)).not.toContain('getFile');
});
