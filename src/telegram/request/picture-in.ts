/** The picture that a message carries, sent as a photo or as a file, as the interpreter takes it. */
import type { Message } from 'telegraf/types';
import { Failure } from '../../errors.ts';
import type { Picture } from '../../interpreter/request.ts';
import type { BotApi } from '../api/api.ts';
import { downloadFile } from '../api/files.ts';

/** A picture, and the message that it came in. */
export interface SentPicture {
  readonly picture: Picture;
  readonly file: PictureFile;
  /** Undefined where that message is in another chat. */
  readonly message: Message | undefined;
}

/** The pictures of these messages, in order; a message without one is left out. */
export function picturesIn(messages: readonly Message[], api: BotApi): SentPicture[] {
  return messages.flatMap((message) => pictureFrom(message, message, api));
}

/** The picture that a message from another chat carries, as far as a reply tells of it; none where it carries none. */
export function pictureElsewhere(external: object, api: BotApi): SentPicture[] {
  return pictureFrom(external, undefined, api);
}

function pictureFrom(source: object, message: Message | undefined, api: BotApi): SentPicture[] {
  const [file, picture] = [pictureFileIn(source), pictureIn(source, api)];
  return file === undefined || picture === undefined ? [] : [{ picture, file, message }];
}

/** Files are told by their type, else by their name; what they really are is seen when they are opened. A phone's HEIC cannot be: that is said. */
const IMAGE_NAME = /\.(?:jpe?g|png|bmp|dib|webp|tiff?|gif|avif|hei[cf])$/i;

/** The picture of a message, or undefined. Loading throws `file-too-large` without a request where Telegram told the size. */
export function pictureIn(message: object | undefined, api: BotApi): Picture | undefined {
  const file = pictureFileIn(message);
  if (file === undefined) return undefined;
  return {
    id: file.file_unique_id,
    bytes: file.file_size,
    load: async (signal) => {
      if ((file.file_size ?? 0) > api.mostFileBytes)
        throw new Failure('file-too-large', 'an image is larger than any file that is handed out');
      return downloadFile(api, file.file_id, signal);
    },
  };
}

export interface PictureFile {
  file_id: string;
  file_unique_id: string;
  file_size?: number;
}

/** The file of a message's picture, or undefined. */
export function pictureFileIn(message: object | undefined): PictureFile | undefined {
  if (message === undefined) return undefined;
  // The last size is the largest; Telegram's own photos already fit the service.
  if (hasPhoto(message)) return message.photo.at(-1);
  if (!hasDocument(message)) return undefined;
  const { mime_type = '', file_name = '' } = message.document;
  // Telegram makes a silent film of most GIFs, and leaves them their name.
  if (/^(?:video|audio)\//.test(mime_type)) return undefined;
  return mime_type.startsWith('image/') || IMAGE_NAME.test(file_name) ? message.document : undefined;
}

function hasPhoto(message: object): message is Message.PhotoMessage {
  return 'photo' in message;
}

function hasDocument(message: object): message is Message.DocumentMessage {
  return 'document' in message;
}
