/** An edit brings one message of an album, and the answer is about all of them: the others are put back from what was kept. */
import type { Message } from 'telegraf/types';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { AlbumPicture } from '../../store/kept/answers.ts';
import { pictureFileIn } from '../message/picture-in.ts';
import { textIn } from '../message/text-in.ts';

/** What is kept of an album; empty for what is none. */
export function picturesOf(album: readonly Message[]): AlbumPicture[] {
  if (album.length < 2) return [];
  return album.flatMap((message): AlbumPicture[] => {
    const file = pictureFileIn(message);
    if (file === undefined) return [];
    const language = readingLanguageIn(textIn(message));
    const picture = { message: message.message_id, fileId: file.file_id, uniqueId: file.file_unique_id };
    return [{ ...picture, ...(language && { language }) }];
  });
}

/** The album as it is after the edit, in album order. */
export function albumAfter(edited: Message, kept: readonly AlbumPicture[]): Message[] {
  const { date, chat, from } = edited;
  const others = kept.filter(({ message }) => message !== edited.message_id);
  const asBefore = others.map(({ message, fileId, uniqueId, language }): Message.PhotoMessage => {
    const size = { file_id: fileId, file_unique_id: uniqueId, width: 0, height: 0 };
    return { message_id: message, date, chat, from, photo: [size], ...(language && { caption: language }) };
  });
  return [edited, ...asBefore].sort((one, other) => one.message_id - other.message_id);
}
