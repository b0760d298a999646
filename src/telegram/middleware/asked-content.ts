/** What was asked, as far as it decides the answer: an edit that leaves it as it was is no reason to answer anew. */
import { createHash } from 'node:crypto';
import type { Message, UserFromGetMe } from 'telegraf/types';
import { decidingWords } from '../message/kept-album.ts';
import { pictureFileIn } from '../message/picture-in.ts';
import { textIn } from '../message/text-in.ts';

interface Content {
  readonly message: Message | undefined;
  readonly album: readonly Message[];
  readonly botInfo: UserFromGetMe;
}

/** A hash of all that decides the answer: of a picture's caption only its command, or the language that it names. */
export function contentOf({ message, album, botInfo }: Content): string {
  const pictures = album.map((part) => pictureFileIn(part)?.file_unique_id);
  const isRead = pictures.some((picture) => picture !== undefined);
  const words = isRead ? album.map((part) => decidingWords(part, botInfo)) : textIn(message);
  const content = [words, pictures];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
