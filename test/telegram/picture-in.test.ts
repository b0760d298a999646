/** Which messages bring a picture, and which size of it is taken. */
import { expect, it } from 'vitest';
import { isFailure } from '../../src/errors.ts';
import { BotApi } from '../../src/telegram/api/api.ts';
import { loadable, picturesIn } from '../../src/telegram/request/sent-file.ts';

const api = new BotApi({ token: '1:x', apiRoot: 'http://127.0.0.1:9' });

function file(mime_type: string | undefined, file_name: string | undefined) {
  return { file_id: 'id', file_unique_id: 'unique', mime_type, file_name };
}

it.each([
  ['a type of image', { document: file('image/jpeg', 'page.jpg') }, true],
  ['a type of image and no name', { document: file('image/webp', undefined) }, true],
  ['no type and the name of an image', { document: file(undefined, 'PAGE.TIFF') }, true],
  ['a general type and the name of an image', { document: file('application/octet-stream', 'a.avif') }, true],
  ['a GIF that stayed one', { document: file('image/gif', 'a.gif'), animation: {} }, true],
  ['a GIF that became a film', { document: file('video/mp4', 'a.gif'), animation: {} }, false],
  ['a PDF', { document: file('application/pdf', 'a.pdf') }, false],
  ['a type of nothing', { document: file(undefined, undefined) }, false],
  ['a text', { text: 'a.jpg' }, false],
  ['nothing', {}, false],
])('%s', (_, message, isPicture) => {
  expect(picturesIn(message).length > 0).toBe(isPicture);
});

it('of a photo the largest size is taken, which Telegram puts last', () => {
  const sizes = [
    { ...file(undefined, undefined), file_unique_id: 'small', width: 90, height: 60 },
    { ...file(undefined, undefined), file_unique_id: 'large', width: 1280, height: 853 },
  ];
  expect(picturesIn({ photo: sizes }).map((one) => one.file_unique_id)).toEqual(['large']);
});

it('a file that Telegram will not hand out is not asked for', async () => {
  const large = { ...file('image/png', 'a.png'), file_size: 20 * 1024 * 1024 + 1 };
  const loaded = loadable(api, large).load(AbortSignal.timeout(1000));
  await expect(loaded).rejects.toSatisfy((error) => isFailure(error, 'file-too-large'));
});
