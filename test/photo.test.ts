/** Photos, and images sent as files, are read. */
import { readFile } from 'node:fs/promises';
import { beforeEach, expect, it } from 'vitest';
import { bmp } from './media/bitmaps.ts';
import { buttonsOf, hasChinese, hasTibetan, SPEAK_BUTTONS, SPELLING_BUTTONS, says } from './phrases.ts';
import { aJpeg, aJpegSaying, aPicture, sendPage, wordsIn } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();
beforeEach(() => scene.service.faults.clear());

it('a photo is answered with its text, for one paid call', async () => {
  const { anna } = scene;
  const large = await aPicture().resize(1500, 1000).jpeg().toBuffer();
  const paid = await scene.paidBy(async () => {
    const sent = await anna.sendPhoto(anna.chat, large);
    const answer = await scene.answerTo(sent);
    expect(answer.text).toBe(await wordsIn(scene.telegram, sent, 'bo'));
    expect(answer.reply_to_message?.message_id).toBe(sent.message_id);
    expect(buttonsOf(answer)).toEqual([
      ...SPEAK_BUTTONS,
      ...['translate', 'read:chinese'],
      'speak:chinese',
      'copy',
      ...SPELLING_BUTTONS,
    ]);
  });
  expect(paid).toBe(1);
  expect(scene.lastCall('recognition')?.image).toMatchObject({ width: 1280 });
});

const fixture = (name: string) => readFile(new URL(`fixtures/${name}`, import.meta.url));

it.each<[string, () => Promise<Buffer> | Buffer]>([
  ['bmp', () => bmp({ width: 40, height: 30, bits: 24, paint: () => [200, 180, 90] })],
  ['heic', () => fixture('quarters.heic')],
  ...(['jpeg', 'png', 'webp', 'tiff', 'gif', 'avif'] as const).map(
    (format): [string, () => Promise<Buffer>] => [format, () => aPicture().toFormat(format).toBuffer()],
  ),
])('a %s sent as a file is read', async (format, bytesOf) => {
  const { anna } = scene;
  const named = { fileName: `page.${format}`, mimeType: `image/${format}` };
  const sent = await anna.sendDocument(anna.chat, await bytesOf(), named);
  const answer = await scene.answerTo(sent);
  expect(answer.text).toMatch(/^([\u0f40-\u0fbc]+་){8}$/);
  expect(answer.reply_to_message?.message_id).toBe(sent.message_id);
});

it('a file is an image by its name, and keeps its lines', async () => {
  const { anna } = scene;
  const text = 'བཀྲ་ཤིས།\nབདེ་ལེགས།\n༡༢༣';
  const sent = await anna.sendDocument(anna.chat, await aJpegSaying(text), {
    fileName: 'SCAN.JPG',
    mimeType: 'application/octet-stream',
  });
  expect((await scene.answerTo(sent)).text).toBe(text);
});

it('a caption names the language of its photo, once', async () => {
  const person = scene.newcomer();
  // What offers to keep the language of two corrections may come behind the next photo.
  const read = async (isRead: (text?: string) => boolean, caption?: string) =>
    scene.answerTo(
      await person.sendPhoto(person.chat, await aJpeg(), caption === undefined ? {} : { caption }),
      ({ text }) => isRead(text),
    );
  const chinese = await read(hasChinese, '中文');
  expect(buttonsOf(chinese)).toEqual(['speak:chinese', 'speak:utsang', 'translate', 'read:tibetan', 'copy']);
  await read(hasTibetan, 'what does this say?');
  await scene.ask(person, '/ocr zh');
  await read(hasTibetan, 'བོད་ཡིག');
  await read(hasChinese);
});

it('an empty photo says so, with the other language a press away', async () => {
  const { anna } = scene;
  const sent = await sendPage(anna, anna.chat, '');
  const answer = await scene.answerTo(sent);
  expect(answer.text).toBe(says('nothing-found-tibetan'));
  expect(answer.text).toMatch(/sharper.*closer.*as a file.*handwriting/);
  expect(buttonsOf(answer)).toEqual(['read:chinese']);
  await anna.press(answer, says('button-read-chinese'));
  const again = await scene.answerTo(answer);
  expect(again.text).toBe(says('nothing-found-chinese'));
  expect(again.reply_to_message?.message_id).toBe(sent.message_id);
});

it('markup in a page stays literal, and a long page comes whole', async () => {
  const { anna } = scene;
  const text = `<b>བོད</b> *_\`[\n${'བཀྲ་ཤིས་བདེ་ལེགས། '.repeat(400)}མཐའ།`;
  const sent = await sendPage(anna, anna.chat, text);
  await scene.answerTo(sent);
  const answers = await scene.everythingAfter(sent, anna);
  expect(answers.length).toBe(2);
  const withoutSpace = (words: string) => words.replace(/\s+/g, '');
  expect(withoutSpace(answers.map((answer) => answer.text).join(''))).toBe(withoutSpace(text));
  expect(answers.every(({ reply_to_message }) => reply_to_message?.message_id === sent.message_id)).toBe(
    true,
  );
});

it('a file that is no image is not taken for one', async () => {
  const { anna } = scene;
  const sent = await anna.sendDocument(anna.chat, Buffer.from('PK'), {
    fileName: 'text.zip',
    mimeType: 'application/zip',
  });
  const paid = await scene.paidBy(async () => {
    expect((await scene.answerTo(sent)).text).toBe(says('document-unknown'));
  });
  expect(paid).toBe(0);
});

it('the chat shows typing while a photo is read', async () => {
  const endReading = scene.service.faults.hold('recognition');
  const person = scene.newcomer();
  const sent = await person.sendPhoto(person.chat, await aJpeg());
  await scene.telegram.world.waitUntil(() => scene.telegram.world.chatAction(person.chat) === 'typing');
  endReading();
  await scene.answerTo(sent);
});
