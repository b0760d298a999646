/** What the bot uploads, or names by file id, as the content of a message. */
import { badRequest } from './api-error.ts';
import { type FileStore, fileObject, type StoredFile } from './files.ts';
import type { Audio, Message } from './objects.ts';
import { photoContent, uprightSize } from './photo-sizes.ts';
import type { Fields } from './request-body.ts';
import { Upload } from './upload.ts';

export type MediaKind = 'photo' | 'document' | 'voice' | 'audio' | 'video';

/** What the bot says about a file beside the file. */
interface MediaDetails {
  duration?: number | undefined;
  performer?: string | undefined;
  title?: string | undefined;
  /** Pixels, as the bot states them; a square of 320 by default. */
  width?: number | undefined;
  height?: number | undefined;
}

const PHOTO_BYTES_MAX = 10 * 1024 * 1024;
/** Pixels, width and height together. */
const PHOTO_SIDES_MAX = 10_000;
const PHOTO_RATIO_MAX = 20;

/**
 * Makes the content of `file` sent as `kind`. Throws ApiError for a missing file, a wrong id, an address (nothing is reachable from here),
 * an empty file, and a photo that Telegram would refuse.
 */
export async function mediaContent(
  files: FileStore,
  fields: Fields,
  kind: MediaKind,
  file: unknown,
  details: MediaDetails = {},
): Promise<Partial<Message>> {
  const attached = typeof file === 'string' && file.startsWith('attach://') ? fields[file.slice(9)] : file;
  if (attached instanceof Upload) {
    if (attached.bytes.length === 0) throw badRequest('file must be non-empty');
    return uploaded(files, kind, attached, details);
  }
  if (typeof attached !== 'string' || attached === '') throw badRequest(`there is no ${kind} in the request`);
  const known = files.find(attached);
  if (known) return sentAgain(kind, known);
  if (/^https?:\/\//i.test(attached)) throw badRequest('failed to get HTTP URL content');
  throw badRequest('wrong file identifier/HTTP URL specified');
}

/** Files of all kinds may stand for one another and stay what they are; photos only for photos. */
function sentAgain(kind: MediaKind, known: StoredFile): Partial<Message> {
  const { content } = known;
  if (!content || (known.kind === 'photo') !== (kind === 'photo'))
    throw badRequest(`can't use file of type ${typeName(known.kind)} as ${typeName(kind)}`);
  return content;
}

function typeName(kind: string): string {
  return kind === 'voice' ? 'VoiceNote' : kind.charAt(0).toUpperCase() + kind.slice(1);
}

async function uploaded(
  files: FileStore,
  kind: MediaKind,
  upload: Upload,
  details: MediaDetails,
): Promise<Partial<Message>> {
  if (kind === 'photo') return uploadedPhoto(files, upload);
  const kept = kind === 'voice' && !isOggOpus(upload.bytes) ? insteadOfVoice(upload) : kind;
  const { fileName, mimeType } = upload;
  const file = files.add(upload.bytes, {
    kind: kept,
    fileName,
    mimeType: kept === 'voice' ? 'audio/ogg' : mimeType,
  });
  upload.fileId = file.fileId;
  return files.describe([file.fileId], contentOf(file, kept, details));
}

function contentOf(
  file: StoredFile,
  kind: MediaKind,
  { duration = 0, performer, title, width = 320, height = 320 }: MediaDetails,
): Partial<Message> {
  const described = { ...fileObject(file), ...(file.mimeType && { mime_type: file.mimeType }) };
  const named = { ...described, ...(file.fileName && { file_name: file.fileName }) };
  if (kind === 'voice') return { voice: { ...described, duration } };
  if (kind === 'document') return { document: named };
  if (kind === 'video') return { video: { ...named, width, height, duration } };
  const audio: Audio = { ...named, duration, ...(performer && { performer }), ...(title && { title }) };
  return { audio };
}

async function uploadedPhoto(files: FileStore, upload: Upload): Promise<Partial<Message>> {
  const { bytes } = upload;
  if (bytes.length > PHOTO_BYTES_MAX)
    throw badRequest(
      `file of size ${bytes.length} bytes is too big for a photo; the maximum size is ${PHOTO_BYTES_MAX} bytes`,
    );
  const { width, height } = await uprightSize(bytes).catch(() => {
    throw badRequest('IMAGE_PROCESS_FAILED');
  });
  const ratio = Math.max(width, height) / Math.min(width, height);
  if (width + height > PHOTO_SIDES_MAX || ratio > PHOTO_RATIO_MAX)
    throw badRequest('PHOTO_INVALID_DIMENSIONS');
  const content = await photoContent(files, bytes);
  upload.fileId = content.photo?.at(-1)?.file_id;
  return content;
}

/** A voice note is Opus in OGG (Bot API, sendVoice). */
function isOggOpus(bytes: Buffer): boolean {
  return bytes.subarray(0, 4).toString('latin1') === 'OggS' && bytes.subarray(0, 64).includes('OpusHead');
}

/** Telegram sends other formats as audio, or as a plain file. */
function insteadOfVoice({ mimeType, fileName }: Upload): 'audio' | 'document' {
  return mimeType.startsWith('audio/') || /\.(mp3|m4a|ogg|oga|flac|wav|opus)$/i.test(fileName)
    ? 'audio'
    : 'document';
}
