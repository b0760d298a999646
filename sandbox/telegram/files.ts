/** Every file that the local Telegram holds, of people and of the bot, by its file id. */
import { createHash, randomBytes } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { badRequest } from './api-error.ts';
import type { File, Message } from './objects.ts';

type FileKind = 'photo' | 'document' | 'video' | 'animation' | 'voice' | 'audio' | 'other';

interface FileDetails {
  kind: FileKind;
  fileName?: string;
  mimeType?: string;
  /** The size that Telegram reports, for tests that need a large file without making one. */
  declaredSize?: number;
}

/** The fields of all kinds of file. */
type FileObject = Required<Omit<File, 'file_path'>>;

export interface StoredFile extends FileDetails {
  fileId: string;
  fileUniqueId: string;
  filePath: string;
  size: number;
  bytes: Buffer;
  /** The content of a message with this file, to send it again by its id. */
  content?: Partial<Message>;
}

const FOLDERS: Record<FileKind, string> = {
  photo: 'photos',
  document: 'documents',
  video: 'videos',
  animation: 'animations',
  voice: 'voice',
  audio: 'music',
  other: 'files',
};

/** `getFile` serves nothing larger: 20 MB. */
const MAX_DOWNLOAD = 20 * 1024 * 1024;

/**
 * `getFile` as Telegram's own server does it; not at all, like a self-hosted Bot API server without `--local`, which leaves it to a web
 * server; or, as with `--local`, files of any size in a folder, with absolute paths.
 */
export type HandingOut = 'served' | 'unserved' | { readonly folder: string };

export class FileStore {
  handingOut: HandingOut = 'served';
  readonly #byId = new Map<string, StoredFile>();
  readonly #byPath = new Map<string, StoredFile>();

  /** Keeps a file; the same content gets a new `fileId` and the same `fileUniqueId`. */
  add(bytes: Buffer, details: FileDetails): StoredFile {
    const number = this.#byId.size + 1;
    const extension = /\.[A-Za-z0-9]{1,8}$/.exec(details.fileName ?? '')?.[0] ?? '';
    const hash = createHash('sha256').update(details.kind).update(bytes).digest('base64url');
    const file: StoredFile = {
      ...details,
      fileId: `AgAC${randomBytes(39).toString('base64url')}`,
      fileUniqueId: `AQAD${hash.slice(0, 11)}`,
      filePath: `${FOLDERS[details.kind]}/file_${number}${extension}`,
      size: details.declaredSize ?? bytes.length,
      bytes,
    };
    this.#byId.set(file.fileId, file);
    this.#byPath.set(file.filePath, file);
    return file;
  }

  /** The file with this id, if there is one. */
  find(fileId: string): StoredFile | undefined {
    return this.#byId.get(fileId);
  }

  /** Remembers and returns the content of a message with these files. */
  describe(fileIds: readonly string[], content: Partial<Message>): Partial<Message> {
    for (const fileId of fileIds) {
      const file = this.#byId.get(fileId);
      if (file) file.content = content;
    }
    return content;
  }

  /** Forgets a file, as Telegram does in time: its id is refused from now on. */
  forget(fileId: string): void {
    const file = this.#byId.get(fileId);
    this.#byId.delete(fileId);
    if (file) this.#byPath.delete(file.filePath);
  }

  /** The result of `getFile`; throws ApiError for an unknown id and, except with `--local`, above 20 MB. */
  downloadable(fileId: string): Required<File> {
    const file = this.#byId.get(fileId);
    if (!file) throw badRequest('invalid file_id');
    if (typeof this.handingOut === 'object') {
      const file_path = join(this.handingOut.folder, file.filePath);
      mkdirSync(dirname(file_path), { recursive: true });
      writeFileSync(file_path, file.bytes);
      return { ...fileObject(file), file_path };
    }
    if (file.size > MAX_DOWNLOAD) throw badRequest('file is too big');
    return { ...fileObject(file), file_path: file.filePath };
  }

  /** The bytes behind a `file_path` of `getFile`. */
  atPath(filePath: string): Buffer | undefined {
    return this.handingOut === 'served' ? this.#byPath.get(filePath)?.bytes : undefined;
  }
}

/** The three fields that every file object of the Bot API begins with. */
export function fileObject(file: StoredFile): FileObject {
  return { file_id: file.fileId, file_unique_id: file.fileUniqueId, file_size: file.size };
}
