/** Files that people send, alone or in an album. */
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { aPdf, type Page } from './media/pdfs.ts';
import { newTibetan } from './phrases.ts';
import { aJpegSaying } from './pictures.ts';

/** A PDF; unless told, one page of a new Tibetan text, which is free. */
export function pdfFile(pdf: Buffer | readonly Page[] = [{ lines: [newTibetan()] }], caption = '') {
  const bytes = Buffer.isBuffer(pdf) ? pdf : aPdf(pdf);
  return { bytes, fileName: 'book.pdf', mimeType: 'application/pdf', caption };
}

export function textFile(words: string | Buffer, caption = '') {
  return { bytes: Buffer.from(words), fileName: 'letter.txt', mimeType: 'text/plain', caption };
}

export function docxFile(bytes: Buffer) {
  return { bytes, fileName: 'letter.docx', mimeType: 'application/octet-stream', caption: '' };
}

/** A page that is read as this text. */
export async function pageFile(text: string, caption = '') {
  return { bytes: await aJpegSaying(text), fileName: 'page.jpg', mimeType: 'image/jpeg', caption };
}

export function sendFile(
  person: Person,
  { bytes, ...file }: ReturnType<typeof pdfFile>,
  chat: Parameters<Person['sendDocument']>[0] = person.chat,
): Promise<Message> {
  return person.sendDocument(chat, bytes, file);
}
