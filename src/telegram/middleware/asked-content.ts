/** What was asked, as far as it decides the answer: an edit that leaves it as it was is no reason to answer anew. */
import { createHash } from 'node:crypto';
import type { Message, UserFromGetMe } from 'telegraf/types';
import { readingLanguageIn } from '../../language/reading-language.ts';
import { captionCommandIn } from '../message/command-in.ts';
import { pictureFileIn } from '../message/picture-in.ts';
import { textIn } from '../message/text-in.ts';

interface Content {
  readonly message: Message | undefined;
  readonly album: readonly Message[];
  readonly botInfo: UserFromGetMe;
}

/** A hash of all that decides the answer: of a caption that is no command, only the language that it names. */
export function contentOf({ message, album, botInfo }: Content): string {
  const pictures = album.map((part) => pictureFileIn(part)?.file_unique_id);
  const isRead = pictures.some((picture) => picture !== undefined);
  const isCommanded = message !== undefined && captionCommandIn(message, botInfo) !== undefined;
  const words =
    isRead && !isCommanded ? album.map((part) => readingLanguageIn(textIn(part))) : textIn(message);
  const content = [words, pictures];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
