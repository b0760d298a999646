/** The pictures of an album as they are kept: an edit, and a button, bring one of them at most, and are about all. */
import { createHash } from 'node:crypto';
import type { Message, MessageEntity, UserFromGetMe } from 'telegraf/types';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { AlbumPicture } from '../../store/kept/answers.ts';
import { captionCommandIn } from './command.ts';
import { documentIn, pictureFileIn } from './sent-file.ts';
import { textIn } from './text-in.ts';

/** What a picture's caption says as far as it decides the answer: a command, else the language that it names. */
function decidingWords(message: Message, me: UserFromGetMe): string | undefined {
  const command = captionCommandIn(message, me);
  return command === undefined
    ? readingLanguageIn(textIn(message))
    : `/${command.name} ${command.payload}`.trimEnd();
}

/** What is kept of an album; empty for what is none, and where its pictures were not read. */
export function picturesOf({ album, isOverheard }: Asking, me: UserFromGetMe): AlbumPicture[] {
  if (album.length < 2 || isOverheard) return [];
  return album.flatMap((message): AlbumPicture[] => {
    const file = pictureFileIn(message);
    if (file === undefined) return [];
    const caption = decidingWords(message, me);
    const picture = { message: message.message_id, fileId: file.file_id, uniqueId: file.file_unique_id };
    return [{ ...picture, ...(caption && { caption }) }];
  });
}

/** The messages of kept pictures, as Telegram might have sent them. */
export function messagesOf(
  pictures: readonly AlbumPicture[],
  { date, chat, from }: Pick<Message, 'date' | 'chat' | 'from'>,
): Message[] {
  return pictures.map(({ message, fileId, uniqueId, caption }): Message.PhotoMessage => {
    const size = { file_id: fileId, file_unique_id: uniqueId, width: 0, height: 0 };
    const words = caption === undefined ? {} : { caption, caption_entities: commandIn(caption) };
    return { message_id: message, date, chat, from, photo: [size], ...words };
  });
}

function commandIn(caption: string): MessageEntity[] {
  const [command] = /^\/\S+/.exec(caption) ?? [];
  return command === undefined ? [] : [{ type: 'bot_command', offset: 0, length: command.length }];
}

/** The album as it is after the edit, in album order. */
export function albumAfter(edited: Message, kept: readonly AlbumPicture[]): Message[] {
  const others = kept.filter(({ message }) => message !== edited.message_id);
  return [edited, ...messagesOf(others, edited)].sort((one, other) => one.message_id - other.message_id);
}

interface Asking {
  readonly album: readonly Message[];
  /** Nobody asked to have pictures read: their captions are meant. */
  readonly isOverheard: boolean;
}

/**
 * A hash of all that decides the answer to a message, or to its album: an edit that leaves it as it was is no reason to answer anew. Of
 * the caption of a picture that is read only its command counts, or the language that it names.
 */
export function contentOf({ album, isOverheard }: Asking, me: UserFromGetMe): string {
  const pictures = album.map((part) => pictureFileIn(part)?.file_unique_id);
  const documents = album.flatMap((part) => documentIn(part)?.file.file_unique_id ?? []);
  const isRead = !isOverheard && pictures.some((picture) => picture !== undefined);
  const texts = album.map(textIn);
  const words = isRead ? album.map((part) => decidingWords(part, me)) : texts.length > 1 ? texts : texts[0];
  return createHash('sha256')
    .update(JSON.stringify([words, pictures, ...documents]))
    .digest('base64url');
}
