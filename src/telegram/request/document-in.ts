/** The document that a message carries: a PDF, or a text file. */
import type { Message } from 'telegraf/types';
import { Failure } from '../../errors.ts';
import type { Picture } from '../../interpreter/request.ts';
import { decodeText } from '../../language/decode-text.ts';
import type { BotApi } from '../api/api.ts';
import { downloadFile } from '../api/files.ts';
import type { PictureFile } from './picture-in.ts';

/** A file, by what it is called and said to be; what it really is is seen when it is opened. */
export interface SentDocument {
  readonly kind: 'pdf' | 'text';
  readonly file: PictureFile;
  /** Undefined where its message is in another chat. */
  readonly message: number | undefined;
}

/** The document of a message, or undefined. */
export function documentIn(message: object | undefined): SentDocument | undefined {
  if (message === undefined || !hasDocument(message)) return undefined;
  const { mime_type = '', file_name = '' } = message.document;
  const isPdf = mime_type === 'application/pdf' || /\.pdf$/i.test(file_name);
  const isText = /\.txt$/i.test(file_name) || (mime_type === 'text/plain' && !/\.\w+$/.test(file_name));
  if (!isPdf && !isText) return undefined;
  return { kind: isPdf ? 'pdf' : 'text', file: message.document, message: message.message_id };
}

function hasDocument(
  message: object,
): message is Pick<Message.DocumentMessage, 'document'> & Partial<Pick<Message, 'message_id'>> {
  return 'document' in message;
}

/** The PDF of a document, to be had when it is needed. Loading throws as `downloadFile` does. */
export function pdfOf(api: BotApi, { file }: SentDocument): Picture {
  const { file_id, file_unique_id: id, file_size: bytes } = file;
  return { id, bytes, load: (signal) => downloadWithin(api, { file_id, bytes }, signal) };
}

async function downloadWithin(
  api: BotApi,
  { file_id, bytes = 0 }: { readonly file_id: string; readonly bytes: number | undefined },
  signal: AbortSignal,
): Promise<Buffer> {
  if (bytes > api.mostFileBytes)
    throw new Failure('file-too-large', 'a document is larger than what can be had');
  return downloadFile(api, file_id, signal);
}

/** The largest text file that is taken, in bytes (spec §2, Documents). */
const MOST_TEXT_BYTES = 1024 * 1024;

/** The text of a text file. Throws `text-file-too-large`, `document-unreadable`, and as `downloadFile` does. */
export async function loadText(
  api: BotApi,
  { file_id, file_size = 0 }: PictureFile,
  signal: AbortSignal,
): Promise<string> {
  if (file_size > MOST_TEXT_BYTES) throw tooLarge();
  const bytes = await downloadFile(api, file_id, signal);
  if (bytes.length > MOST_TEXT_BYTES) throw tooLarge();
  const text = decodeText(bytes);
  if (text === undefined)
    throw new Failure('document-unreadable', 'a text file in no encoding that is read here');
  return text;
}

function tooLarge(): Failure {
  return new Failure('text-file-too-large', 'a text file is above 1 MB');
}
