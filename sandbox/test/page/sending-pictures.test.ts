/** Pictures and videos on their way to the bot: chosen, pasted, dropped, several at once, and as files. */
import { readFile } from 'node:fs/promises';
import sharp from 'sharp';
import { expect } from 'vitest';
import { test } from './page-test.ts';

const picture = (background: string): Promise<Buffer> =>
  sharp({ create: { width: 320, height: 200, channels: 3, background } })
    .png()
    .toBuffer();

test('a photo goes out with its caption, is shown, and can be enlarged', async ({ sandbox, view }) => {
  await view
    .part('photo-input')
    .setInputFiles({ name: 'page.png', mimeType: 'image/png', buffer: await picture('#a33') });
  await view.part('tray-item').waitFor();
  await view.input.fill('中文');
  await view.part('send').click();
  expect(await sandbox.bot.hears(({ message }) => message)).toMatchObject({
    caption: '中文',
    photo: expect.any(Array),
  });
  await view.part('photo').click();
  await view.part('lightbox').waitFor();
  expect(await view.page.evaluate('document.querySelector("#lightbox-image").naturalWidth')).toBe(320);
  await view.page.keyboard.press('Escape');
  await view.part('lightbox').waitFor({ state: 'hidden' });
});

test.for(['private', 'group'] as const)(
  'two photos with words stand side by side, the words under both (%s)',
  async (where, { sandbox: { cast }, view }) => {
    const chat = where === 'private' ? cast.tenzin : cast.group;
    const sender = where === 'private' ? cast.tenzin : cast.anna;
    const [one, two] = await Promise.all(['#a33', '#3a3'].map(picture));
    if (one === undefined || two === undefined) throw new Error('no pictures');
    await view.openChat(chat.id);
    const caption = 'མཆོད་རྟེན་གྱི་པར་གཉིས། Two pictures of the same stupa, seen from the east';
    await sender.sendAlbum(chat, [{ bytes: one, caption }, { bytes: two }]);
    await view.part('photo').nth(1).waitFor();
    const words = view.messages('person').filter({ hasText: 'the same stupa' }).getByTestId('message-text');
    const boxes = () =>
      Promise.all(
        [0, 1].map((index) => view.part('photo').nth(index).boundingBox()).concat(words.boundingBox()),
      );
    // Once all has come to rest.
    await expect
      .poll(async () => {
        const [left, right, under] = await boxes();
        if (!left || !right || !under) return undefined;
        return {
          isLevel: Math.abs(right.y - left.y) < 1 && Math.abs(right.height - left.height) < 1,
          isBeside: right.x >= left.x + left.width,
          isUnder: under.y >= left.y + left.height,
          isWide: under.width > left.width * 1.8 && under.x + under.width <= right.x + right.width,
        };
      })
      .toEqual({ isLevel: true, isBeside: true, isUnder: true, isWide: true });
  },
);

test('a picture sent as a file arrives byte for byte and can be downloaded', async ({ sandbox, view }) => {
  const buffer = await picture('#a33');
  await view.part('photo-input').setInputFiles({ name: 'scan.png', mimeType: 'image/png', buffer });
  await view.part('as-file').check();
  await view.part('send').click();
  const link = view.part('document');
  await link.waitFor();
  expect(await link.getAttribute('download')).toBe('scan.png');
  const download = await fetch(new URL(String(await link.getAttribute('href')), sandbox.url));
  expect(Buffer.from(await download.arrayBuffer()).equals(buffer)).toBe(true);
});

test('a video goes out with its caption, and plays', async ({ sandbox, view }) => {
  const buffer = await readFile(new URL('clip.webm', import.meta.url));
  const clip = { name: 'clip.webm', mimeType: 'video/webm', buffer };
  await view.part('photo-input').setInputFiles(clip);
  await view.part('tray-item').waitFor();
  await view.input.fill('你好');
  await view.part('send').click();
  expect(await sandbox.bot.hears(({ message }) => message)).toMatchObject({
    caption: '你好',
    video: { width: 32, height: 18, duration: 1, mime_type: 'video/webm', file_size: buffer.length },
  });
  const length = () => view.page.evaluate<number>(`document.querySelector('.message video').duration`);
  await expect.poll(length).toBeGreaterThan(0.5);
});

test('photos and a video become one album', async ({ sandbox: { cast, telegram }, view }) => {
  const clip = await readFile(new URL('clip.webm', import.meta.url));
  await view.part('photo-input').setInputFiles([
    { name: 'page.png', mimeType: 'image/png', buffer: await picture('#a33') },
    { name: 'clip.webm', mimeType: 'video/webm', buffer: clip },
    { name: 'next.png', mimeType: 'image/png', buffer: await picture('#3a3') },
  ]);
  await view.part('tray-item').nth(2).waitFor();
  await view.part('send').click();
  await view.part('photo').nth(1).waitFor();
  const [photo, video, next] = telegram.world.messages(cast.tenzin);
  expect(photo).toMatchObject({ photo: expect.any(Array), media_group_id: expect.any(String) });
  expect(video).toMatchObject({ video: { duration: 1 }, media_group_id: photo?.media_group_id });
  expect(next).toMatchObject({ photo: expect.any(Array), media_group_id: photo?.media_group_id });
});

test('several files become one album, with the caption under the last', async ({ sandbox, view }) => {
  const named = (name: string) => ({ name, mimeType: 'text/plain', buffer: Buffer.from(name) });
  await view.part('file-input').setInputFiles([named('one.txt'), named('two.txt')]);
  await view.part('tray-item').nth(1).waitFor();
  await view.input.fill('both of them');
  await view.part('send').click();
  await view.part('document').nth(1).waitFor();
  const [one, two] = sandbox.telegram.world.messages(sandbox.cast.tenzin);
  expect(one).toMatchObject({ document: { file_name: 'one.txt' }, media_group_id: expect.any(String) });
  expect(two).toMatchObject({ caption: 'both of them', media_group_id: one?.media_group_id });
  expect(one).not.toHaveProperty('caption');
});

/** Runs in the page: what a browser does when a picture is pasted, or is dragged over the conversation and let go. */
const bringPicture = (how: 'paste' | 'drop', base64: string) => `{
  const transfer = new DataTransfer();
  transfer.items.add(new File([Uint8Array.fromBase64('${base64}')], '${how}.png', { type: 'image/png' }));
  const given = { dataTransfer: transfer, clipboardData: transfer, bubbles: true, cancelable: true };
  const [input, log] = [document.querySelector('#composer-input'), document.querySelector('#log')];
  if ('${how}' === 'paste') input.dispatchEvent(new ClipboardEvent('paste', given));
  else for (const type of ['dragover', 'drop']) log.dispatchEvent(new DragEvent(type, given));
}`;

test('a pasted or dropped picture waits in the composer until it is sent', async ({
  sandbox: { cast, telegram },
  view,
}) => {
  const base64 = (await picture('#3a3')).toString('base64');
  await view.page.evaluate(bringPicture('drop', base64));
  await view.page.getByRole('button', { name: 'Remove drop.png' }).click();
  await view.part('tray-item').waitFor({ state: 'detached' });
  expect(await view.part('send').isDisabled()).toBe(true);
  await view.page.evaluate(bringPicture('paste', base64));
  await view.part('tray-item').waitFor();
  expect(telegram.world.messages(cast.tenzin)).toEqual([]);
  await view.input.press('Enter');
  await view.part('photo').waitFor();
});

test('something that is no picture is refused in words, and stays in the composer', async ({ view }) => {
  const fake = { name: 'fake.png', mimeType: 'image/png', buffer: Buffer.from('no picture') };
  await view.part('photo-input').setInputFiles(fake);
  await view.part('send').click();
  await view.part('toast').filter({ hasText: 'send it as a file' }).waitFor();
  await view.part('tray-item').waitFor();
  // The browser itself reports the 400.
  expect(view.complaints.splice(0)).toHaveLength(1);
});

test('samples are one click away, and mention the bot in a group', async ({
  sandbox: { bot, cast },
  view,
}) => {
  const pick = (name: string, part = 'sample') =>
    view.page.locator(`[data-testid="${part}"][data-sample="${name}"]`).click();
  await pick('film');
  expect(await bot.hears(({ message }) => message)).toMatchObject({
    caption: expect.stringMatching(/\p{Script=Tibetan}/u),
    video: { width: 240, height: 160, duration: 3, mime_type: 'video/webm' },
  });
  await view.part('attach').click();
  await pick('tibetan', 'menu-sample');
  expect(await bot.hears(({ message }) => message)).toMatchObject({ photo: expect.any(Array) });
  await view.openChat(cast.group.id);
  await pick('chinese');
  expect(await bot.hears(({ message }) => message)).toMatchObject({
    caption: '@lotsawa_bot 中文',
    photo: expect.any(Array),
  });
});

test('the attach menu offers the kinds that the bot has no use for', async ({ sandbox: { bot }, view }) => {
  await view.part('attach').click();
  await view.part('send-sticker').click();
  expect(await bot.hears(({ message }) => message?.sticker)).toBeDefined();
});
