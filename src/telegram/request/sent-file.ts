/** The file of a message, ready for the interpreter: a picture (sent as a photo or as a file), a PDF, or a text file (.txt, .docx, .srt). */
import type { Message, PhotoSize, RichBlock, RichBlockListItem } from '@grammyjs/types';
import { Failure } from '../../errors.ts';
import type { Picture } from '../../interpreter/request.ts';
import type { BotApi } from '../api/api.ts';
import { downloadFile } from '../api/files.ts';
import { textIn } from './text-in.ts';

interface SentFile {
  readonly file_name?: string | undefined;
  readonly file_id: string;
  readonly file_unique_id: string;
  readonly file_size?: number | undefined;
  /** Telegram has made it of a picture that was sent as a photo; other files stay as they were. */
  readonly isPhoto?: boolean | undefined;
}

/** Files are recognised by type, else by name, and checked when they are opened. iPhones call HEIC by either name. */
const IMAGE_NAME = /\.(?:jpe?g|jpe|jfif|png|bmp|dib|webp|gif|avif|hei[cf]|hif)$/i;
/** Types that say nothing: what such a file is shows its content. */
const NO_TYPE =
  /^(?:|text\/plain|(?:application|binary)\/(?:octet-stream|(?:x-|force-)?(?:download|unknown)))$/;

export interface SentFiles {
  /** Only a rich message without text has several. */
  readonly pictures: readonly SentFile[];
  readonly document?: SentDocument | undefined;
}

export function sentFilesIn(message: object): SentFiles {
  const { photo, document, rich_message, message_id }: Partial<Message> = message;
  // In a rich message with text, the pictures only illustrate it.
  if (rich_message !== undefined && textIn(message) === '')
    return { pictures: rich_message.blocks.flatMap(richPhotos) };
  if (photo !== undefined) return { pictures: largestOf(photo) };
  if (document === undefined) return { pictures: [] };
  const { mime_type: type = '', file_name = '' } = document;
  const [mime_type, name] = [type.toLowerCase(), file_name.trim()];
  const kind = documentKind(mime_type, name);
  const sent = { pictures: [], document: { kind, file: document, message: message_id } };
  if (kind !== undefined) return sent;
  // Telegram turns most GIFs into silent videos, and keeps their names.
  const isMoving = /^(?:video|audio)\//.test(mime_type);
  const isPicture = !isMoving && (mime_type.startsWith('image/') || IMAGE_NAME.test(name));
  if (isPicture) return { pictures: [document] };
  return NO_TYPE.test(mime_type) ? sent : { pictures: [] };
}

/** The sizes of a photo come from the smallest to the largest. */
function largestOf(photo: readonly PhotoSize[]): SentFile[] {
  return photo.slice(-1).map((size) => ({ ...size, isPhoto: true }));
}

/** The fields of blocks that hold photos, whatever their kind. */
interface BlockFields {
  readonly type: string;
  readonly photo?: readonly PhotoSize[];
  readonly items?: readonly RichBlockListItem[];
  readonly blocks?: readonly RichBlock[];
}

/** The photos in a block, in order, each in its largest size. */
function richPhotos(block: RichBlock): SentFile[] {
  const { photo = [], items = [], blocks = [] }: BlockFields = block;
  const inside = [...items.flatMap((item) => item.blocks), ...blocks];
  return [...largestOf(photo), ...inside.flatMap(richPhotos)];
}

/** The kinds of documents, by their types and names; each is checked when it is opened. A TIFF may have several pages. */
export const DOCUMENT_KINDS = ['pdf', 'tiff', 'text', 'docx', 'srt'] as const;

export type DocumentKind = (typeof DOCUMENT_KINDS)[number];

export interface SentDocument {
  /** Undefined if its type and name say nothing. */
  readonly kind: DocumentKind | undefined;
  readonly file: SentFile;
  /** The id of its message; undefined if that is in another chat. */
  readonly message?: number | undefined;
}

const DOCX = 'application/vnd.openxmlformats-officedocument.wordprocessingml.document';

function documentKind(mimeType: string, name: string): DocumentKind | undefined {
  if (mimeType === 'application/pdf' || /\.pdf$/i.test(name)) return 'pdf';
  if (mimeType === 'image/tiff' || /\.tiff?$/i.test(name)) return 'tiff';
  if (mimeType === DOCX || /\.docx$/i.test(name)) return 'docx';
  if (/^(?:application\/x-|text\/)(?:subrip|srt)$/.test(mimeType) || /\.srt$/i.test(name)) return 'srt';
  const isText = /\.txt$/i.test(name) || (mimeType === 'text/plain' && !/\.\w+$/.test(name));
  return isText ? 'text' : undefined;
}

/** A picture or a PDF, downloaded when needed. Throws as `downloadFile` does, and `file-too-large` at once if Telegram gave the size. */
export function loadable(api: BotApi, file: SentFile): Picture {
  const { file_id, file_unique_id: id, file_size: bytes, isPhoto = false } = file;
  return {
    id,
    bytes,
    isEncodedAnew: isPhoto,
    load: async (signal) => {
      if ((bytes ?? 0) > api.maxFileBytes)
        throw new Failure('file-too-large', 'a file exceeds the download limit');
      return downloadFile(api, file_id, signal);
    },
  };
}
