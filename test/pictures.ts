/** Pictures that people send, and what the quick engines read in them. */
import sharp, { type Sharp } from 'sharp';
import { pictureSaying } from '../sandbox/service/picture-words.ts';
import { createQuickEngines } from '../sandbox/service/quick-engines.ts';
import type { LocalTelegram } from '../sandbox/telegram/local-telegram.ts';
import type { Message } from '../sandbox/telegram/objects.ts';
import type { Person } from '../sandbox/telegram/person.ts';
import { aPdf, type Page } from './media/pdfs.ts';

let shade = 0;

/** A unique picture, so that no kept reading serves for it. */
export function aPicture(): Sharp {
  shade += 1;
  // Shades that a JPEG keeps apart.
  const background = {
    r: (shade * 8) % 256,
    g: (Math.floor(shade / 32) * 8) % 256,
    b: 128 + Math.floor(shade / 1024) * 8,
  };
  return sharp({ create: { width: 320, height: 200, channels: 3, background } });
}

/** A JPEG; sent as a photo it is read as some eight syllables or characters, different for each. */
export function aJpeg(): Promise<Buffer> {
  return aPicture().jpeg().toBuffer();
}

/** A unique JPEG that is read as this text, when it is sent as a file (Telegram makes photos smaller). */
export function aJpegSaying(text: string): Promise<Buffer> {
  shade += 1;
  return pictureSaying(text, shade);
}

const JPEG = { fileName: 'page.jpg', mimeType: 'image/jpeg' };
const PDF = { fileName: 'book.pdf', mimeType: 'application/pdf' };

type Chat = Parameters<Person['sendDocument']>[0];

/** Sends a page that is read as this text, as a file. */
export async function sendPage(person: Person, chat: Chat, text: string, caption = ''): Promise<Message> {
  return person.sendDocument(chat, await aJpegSaying(text), { ...JPEG, caption });
}

/** Sends such pages as one album, which begin with these captions. */
export async function sendPages(person: Person, chat: Chat, texts: string[], ...captions: string[]) {
  const pages = await Promise.all(texts.map(aJpegSaying));
  return person.sendAlbum(
    chat,
    pages.map((bytes, index) => ({ bytes, ...JPEG, caption: captions[index] ?? '' })),
  );
}

/** Sends an album of so many unique photos, which begin with these captions. */
export async function sendPhotos(person: Person, chat: Chat, count: number, ...captions: string[]) {
  const photos = await Promise.all(Array.from({ length: count }, aJpeg));
  return person.sendAlbum(
    chat,
    photos.map((bytes, index) => ({ bytes, caption: captions[index] ?? '' })),
  );
}

/** So many pages of a PDF, each a unique picture. */
export async function scans(count: number): Promise<Page[]> {
  const pictures = await Promise.all(Array.from({ length: count }, aJpeg));
  return pictures.map((bytes) => ({ jpeg: { bytes, width: 320, height: 200 }, size: [160, 100] }));
}

/** Sends a PDF of these pages. */
export function sendPdf(person: Person, chat: Chat, pages: readonly Page[], caption = ''): Promise<Message> {
  return person.sendDocument(chat, aPdf(pages), { ...PDF, caption });
}

/** What is read in the photo of a message. */
export async function wordsIn(
  telegram: LocalTelegram,
  message: Message,
  language: 'bo' | 'zh',
): Promise<string> {
  const largest = message.photo?.at(-1)?.file_id ?? '';
  const { lines } = await createQuickEngines().recognise(telegram.world.fileBytes(largest), language);
  return lines
    .map(({ words }) => words)
    .join('\n')
    .trim();
}

/** What is read in the photos of an album, by their numbers. */
export async function wordsInAlbum(
  telegram: LocalTelegram,
  album: readonly Message[],
  language: 'bo' | 'zh',
): Promise<string> {
  const words = await Promise.all(album.map((photo) => wordsIn(telegram, photo, language)));
  return words.map((text, index) => `${index + 1}.\n${text}`).join('\n\n');
}
