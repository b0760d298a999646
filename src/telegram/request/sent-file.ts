/** The file of a message, ready for the interpreter: a picture (sent as a photo or as a file), a PDF, or a text file. */
import type { Message } from 'telegraf/types';
import { Failure } from '../../errors.ts';
import type { Picture } from '../../interpreter/request.ts';
import { decodeText } from '../../media/document/text-file.ts';
import type { BotApi } from '../api/api.ts';
import { downloadFile } from '../api/files.ts';

export interface SentFile {
  file_id: string;
  file_unique_id: string;
  file_size?: number;
}

/** Files are recognised by type, else by name, and checked when they are opened. iPhones call HEIC by either name. */
const IMAGE_NAME = /\.(?:jpe?g|png|bmp|dib|webp|tiff?|gif|avif|hei[cf])$/i;

/** The file of a message's picture. */
export function pictureFileIn(message: object | undefined): SentFile | undefined {
  if (message === undefined) return undefined;
  // The last size is the largest; Telegram's own photos already fit the service.
  if (hasPhoto(message)) return message.photo.at(-1);
  if (!hasDocument(message)) return undefined;
  const { mime_type = '', file_name = '' } = message.document;
  // Telegram turns most GIFs into silent videos, and keeps their names.
  if (/^(?:video|audio)\//.test(mime_type)) return undefined;
  return mime_type.startsWith('image/') || IMAGE_NAME.test(file_name) ? message.document : undefined;
}

/** A PDF or a text file, by its type and name; it is checked when it is opened. */
export interface SentDocument {
  readonly kind: 'pdf' | 'text';
  readonly file: SentFile;
  /** The message that it came in; undefined if that is in another chat. */
  readonly message: number | undefined;
}

/** The document of a message. */
export function documentIn(message: object | undefined): SentDocument | undefined {
  if (message === undefined || !hasDocument(message)) return undefined;
  const { mime_type = '', file_name = '' } = message.document;
  const isPdf = mime_type === 'application/pdf' || /\.pdf$/i.test(file_name);
  const isText = /\.txt$/i.test(file_name) || (mime_type === 'text/plain' && !/\.\w+$/.test(file_name));
  if (!isPdf && !isText) return undefined;
  return { kind: isPdf ? 'pdf' : 'text', file: message.document, message: message.message_id };
}

function hasPhoto(message: object): message is Message.PhotoMessage {
  return 'photo' in message;
}

function hasDocument(
  message: object,
): message is Pick<Message.DocumentMessage, 'document'> & Partial<Pick<Message, 'message_id'>> {
  return 'document' in message;
}

/** A picture or a PDF, downloaded when needed. Loading throws as `downloadFile`, and `file-too-large` at once if Telegram told the size. */
export function loadable(api: BotApi, { file_id, file_unique_id: id, file_size: bytes }: SentFile): Picture {
  return {
    id,
    bytes,
    load: async (signal) => {
      if ((bytes ?? 0) > api.mostFileBytes)
        throw new Failure('file-too-large', 'a file is above the download limit');
      return downloadFile(api, file_id, signal);
    },
  };
}

/** The largest accepted text file, in bytes (spec §2, Documents). */
const MOST_TEXT_BYTES = 1024 * 1024;

/** The text of a text file. Throws `text-file-too-large`, `document-unreadable`, and as `downloadFile` does. */
export async function loadText(
  api: BotApi,
  { file_id, file_size = 0 }: SentFile,
  signal: AbortSignal,
): Promise<string> {
  if (file_size > MOST_TEXT_BYTES) throw tooLarge();
  const bytes = await downloadFile(api, file_id, signal);
  if (bytes.length > MOST_TEXT_BYTES) throw tooLarge();
  const text = decodeText(bytes);
  if (text === undefined) throw new Failure('document-unreadable', 'a text file in an unknown encoding');
  return text;
}

function tooLarge(): Failure {
  return new Failure('text-file-too-large', 'a text file is above 1 MB');
}
