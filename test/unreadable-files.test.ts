/** Files that cannot be read get a clear answer, without a paid call; test/hostile/pictures.test.ts has those made to do harm. */
import { expect, it } from 'vitest';
import { textFile } from './files.ts';
import { newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

it.each([
  ['empty', 'a.jpg', 'image/jpeg', Buffer.alloc(0)],
  ['a web page', 'a.jpg', 'image/jpeg', Buffer.from('<!doctype html><p>བོད།</p>')],
  ['cut off', 'a.jpg', 'image/jpeg', Buffer.from('ffd8ffe000104a464946000101', 'hex')],
  [
    'a damaged HEIC',
    'IMG_1.HEIC',
    'application/octet-stream',
    Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
  ],
])('a file that is no picture (%s) is told so, unpaid', async (_, fileName, mimeType, bytes) => {
  const person = scene.newcomer();
  const paid = await scene.paidBy(async () => {
    const file = await person.sendDocument(person.chat, bytes, { fileName, mimeType });
    expect((await scene.answerTo(file)).text).toBe(says('failure-image-unreadable'));
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

it('an unreadable file does not stop the others', async () => {
  const person = scene.newcomer();
  const text = newTibetan();
  const broken = { ...textFile('PK\x03\x04'), fileName: 'letter.docx' };
  const [first, last] = await person.sendAlbum(person.chat, [broken, textFile(text)]);
  if (first === undefined || last === undefined) throw new Error('an album has its files');
  const answers = await scene.everythingAfter(last, person);
  expect(answers).toMatchObject([
    { text: says('failure-document-unreadable'), reply_to_message: { message_id: first.message_id } },
    { reply_to_message: { message_id: last.message_id } },
  ]);
  expect(scene.lastCall('translation')?.inputText).toBe(text);
});
