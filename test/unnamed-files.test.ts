/** A file is what it holds, where its name and type say nothing, or another thing. */

import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import type { Person } from '../sandbox/telegram/person.ts';
import { sendFile } from './files.ts';
import { aDocx, paragraph } from './media/docxes.ts';
import { aPdf } from './media/pdfs.ts';
import { hasChinese, hasTibetan, newChinese, newTibetan, says } from './phrases.ts';
import { aJpeg } from './pictures.ts';
import { useSharedScene } from './shared-scene.ts';

const scene = useSharedScene();

const UNTYPED = 'application/octet-stream';
const send = (person: Person, bytes: Buffer, fileName: string | undefined, mimeType: string, caption = '') =>
  sendFile(person, { bytes, fileName: fileName ?? '', mimeType, caption });

describe('a picture is read', () => {
  it.each([
    ['download.jfif', UNTYPED],
    ['photo.jpe', UNTYPED],
    ['page.JPG ', UNTYPED],
    ['page.jpg \u00A0', UNTYPED],
    ['image.png.download', UNTYPED],
    ['IMG_0001', UNTYPED],
    ['', UNTYPED],
    ['', ''],
    ['scan', 'binary/octet-stream'],
    ['photo', 'IMAGE/JPEG'],
    ['photo.jpg.txt1', 'text/plain'],
  ])('by what it holds: "%s", %s', async (name, type) => {
    const answer = await scene.answerTo(await send(scene.newcomer(), await aJpeg(), name, type));
    expect(answer.text).toSatisfy(hasTibetan);
  });
});

describe('a document is read', () => {
  const pdf = () => aPdf([{ lines: [newTibetan()] }]);
  const docx = () => aDocx(paragraph(newTibetan()));
  const text = () => Buffer.from(`\uFEFF${newTibetan()}`, 'utf16le');
  const tiff = async () =>
    sharp(await aJpeg())
      .tiff()
      .toBuffer();
  it.each<[string, string, string, () => Buffer | Promise<Buffer>]>([
    ['a PDF', 'book', UNTYPED, pdf],
    ['a PDF', 'book.pdf ', UNTYPED, pdf],
    ['a PDF behind a blank line', '', UNTYPED, () => Buffer.concat([Buffer.from('\n\n'), pdf()])],
    ['a Word document', '', UNTYPED, docx],
    ['a Word document', 'letter.docx (1)', UNTYPED, docx],
    ['a Word document', 'letter.txt', 'text/plain', docx],
    ['a text', '', UNTYPED, text],
    ['a text', 'notes.md', 'text/plain', text],
    ['a text', 'letter.txt\t', UNTYPED, text],
    ['a text', 'letter.docx', UNTYPED, text],
    ['a TIFF', '', UNTYPED, tiff],
    ['a JPEG', 'page.pdf', 'application/pdf', aJpeg],
  ])('%s, "%s", %s', async (_, name, type, file) => {
    const person = scene.newcomer();
    const sent = await send(person, await file(), name, type);
    const answer = await scene.answerTo(sent);
    expect(answer.text).toSatisfy((words: string) => hasTibetan(words) || hasChinese(words));
  });

  it('its button translates it, and its caption chooses how it is read', async () => {
    const person = scene.newcomer();
    const srt = `1\n00:00:01,000 --> 00:00:02,000\n${newChinese()}\n`;
    const { document } = await scene.answerTo(await send(person, Buffer.from(srt), '', UNTYPED));
    expect(document?.file_name).toMatch(/\.srt$/);
    const page = await send(person, await aJpeg(), '', UNTYPED, 'zh');
    expect((await scene.answerTo(page)).text).toSatisfy(hasChinese);
    const reply = person.send(person.chat, { text: '/ocr bo', replyTo: page });
    expect((await scene.answerTo(reply)).text).toSatisfy(hasTibetan);
  });
});

describe('a file of another kind', () => {
  const rtf = Buffer.from('{\\rtf1\\ansi hello}');
  const zip = Buffer.from(zipSync({ 'a.txt': strToU8('བོད་ཡིག') }));
  const junk = Buffer.from(Array.from({ length: 5000 }, (_, at) => (at * 7919) % 256));
  it.each<[string, string, Buffer]>([
    ['letter.rtf', 'application/rtf', rtf],
    ['letter', UNTYPED, rtf],
    ['letter.odt', 'application/vnd.oasis.opendocument.text', zip],
    ['letter.doc', 'application/msword', junk],
    ['letter.wps', UNTYPED, junk],
    ['letter.pages', 'application/x-iwork-pages-sffpages', zip],
    ['app.apk', 'application/vnd.android.package-archive', zip],
    ['archive', UNTYPED, zip],
    ['page.html', 'text/html', Buffer.from('<!doctype html><p>བོད་ཡིག')],
    ['page', UNTYPED, Buffer.from('<html><p>བོད་ཡིག')],
    ['', UNTYPED, junk],
  ])('is told which kinds are read, and nothing is paid: "%s", %s', async (name, type, bytes) => {
    const person = scene.newcomer();
    const paid = await scene.paidBy(async () => {
      expect((await scene.answerTo(await send(person, bytes, name, type))).text).toBe(
        says('document-unknown'),
      );
    });
    expect(paid).toBe(0);
  });

  it('has its caption translated', async () => {
    const answer = await scene.answerTo(await send(scene.newcomer(), junk, '', UNTYPED, newChinese()));
    expect(answer.text).toSatisfy(hasTibetan);
  });

  it('is no matter in a group unless it names the bot', async () => {
    const person = scene.newcomer();
    const group = scene.telegram.world.addGroup({ title: 'Readers', members: [person] });
    const silent = await sendFile(
      person,
      { bytes: junk, fileName: '', mimeType: UNTYPED, caption: '' },
      group.chat,
    );
    const asked = await sendFile(
      person,
      { bytes: junk, fileName: '', mimeType: UNTYPED, caption: '@lotsawa_bot' },
      group.chat,
    );
    expect((await scene.answerTo(asked)).text).toBe(says('document-unknown'));
    expect(await scene.everythingAfter(silent, person)).not.toContainEqual(
      expect.objectContaining({
        reply_to_message: expect.objectContaining({ message_id: silent.message_id }),
      }),
    );
  });
});
