/** Downloads the files that people send, or reads them from the folder of a self-hosted Bot API server. */
import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TelegramError } from 'telegraf';
import { z } from 'zod';
import { codeOf, Failure } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import { type BotApi, MAX_LOCAL_FILE_BYTES } from './api.ts';
import { isOutage } from './api-errors.ts';

/** Time limit of one attempt at a whole file, in ms: the connection's own timeout bounds only the wait for the next byte. */
const MAX_DOWNLOAD_MS = 3 * 60 * 1000;
const MAX_ATTEMPTS = 3;
/** Wait before the second attempt, in ms; three times as long before the third. */
const FIRST_BACKOFF_MS = 300;

/**
 * The bytes of a file. Throws `file-too-large`, `file-gone`, `cancelled`, or, after three attempts, `file-unfetched`; with a self-hosted
 * Bot API server also `file-unserved`, whose message says what to set.
 */
export function downloadFile(api: BotApi, fileId: string, signal: AbortSignal): Promise<Buffer> {
  const fetchWhole = async (): Promise<Buffer> => {
    // A path is valid for an hour; a second `getFile` may give another.
    const file = await locate(api, fileId);
    const bytes = await fetchBytes(api, file, signal);
    // A connection that closes early can look like the end of the file; half a picture would cost as much as a whole one.
    if (bytes.length < file.size) throw new Error('a file download ended early');
    return bytes;
  };
  const waitAfter = (error: unknown, attempt: number): number | undefined => {
    if (signal.aborted) throw new Failure('cancelled', 'a download was cancelled');
    if (error instanceof Failure || error instanceof TelegramError || isOutage(error)) return undefined;
    if (attempt < MAX_ATTEMPTS) return FIRST_BACKOFF_MS * 3 ** (attempt - 1);
    // Without the cause: it may hold the address, which holds the token.
    if (!(error instanceof FileMissing))
      throw new Failure('file-unfetched', 'downloading a file from Telegram failed');
    if (!api.isSelfHosted) throw new Failure('file-gone', 'Telegram no longer has a file');
    throw new Failure(
      'file-unserved',
      'the Bot API server at TELEGRAM_API_ROOT serves no files, which it leaves to another web server: run it with --local and set TELEGRAM_FILES_DIR to its working folder',
    );
  };
  return patiently(fetchWhole, waitAfter, { signal });
}

/** `getFile` gave a path without a file. */
class FileMissing extends Error {}

/** A path below the bot's own folder of files, or an absolute one from a server that runs with `--local`. */
const filePath = z.object({
  file_path: z.string().regex(/^(?!\/)(?!.*\.\.)[^\\:%\p{Control}]+$|^\/\P{Control}+$/u),
});

/** Where `getFile` says that a file is. */
interface RemoteFile {
  path: string;
  /** In bytes; 0 if Telegram does not say. */
  size: number;
}

async function locate(api: BotApi, fileId: string): Promise<RemoteFile> {
  try {
    const file = await api.callApi('getFile', { file_id: fileId });
    const path = filePath.safeParse(file).data?.file_path;
    if (path === undefined) throw new Failure('file-gone', 'Telegram gives no path for a file');
    return { path, size: file.file_size ?? 0 };
  } catch (error) {
    if (!(error instanceof TelegramError) || error.code !== 400) throw error;
    const kind = /too big/i.test(error.description) ? 'file-too-large' : 'file-gone';
    throw new Failure(kind, 'Telegram refused a file', { cause: error });
  }
}

/** One attempt. Throws `file-unserved` for a server with `--local` whose folder is not configured. */
async function fetchBytes(api: BotApi, { path, size }: RemoteFile, signal: AbortSignal): Promise<Buffer> {
  const { filesDir: folder, token } = api;
  if (path.startsWith('/')) {
    if (folder !== undefined) return readLocalFile(path, { folder, token });
    throw new Failure(
      'file-unserved',
      'the Bot API server at TELEGRAM_API_ROOT runs with --local: set TELEGRAM_FILES_DIR to its working folder',
    );
  }
  const { statusCode, body } = await api.transport.openFile(path, signal);
  if (statusCode === 404) {
    await body.dump();
    throw new FileMissing('a file is missing at the path that getFile gave');
  }
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`a file download ended with status ${statusCode}`);
  }
  const endsBy = performance.now() + MAX_DOWNLOAD_MS;
  // Copies each chunk as it comes: joining 7 MB at the end blocks the event loop for some 10 ms.
  let bytes = Buffer.allocUnsafeSlow(Math.min(size, api.maxFileBytes));
  let length = 0;
  for await (const chunk of body) {
    if (performance.now() > endsBy) throw new Error('a file download timed out');
    const end = length + chunk.length;
    if (end > api.maxFileBytes) throw new Failure('file-too-large', 'a file is larger than Telegram said');
    if (end > bytes.length) bytes = Buffer.concat([bytes], 2 * end);
    bytes.set(chunk, length);
    length = end;
    // If bytes arrive faster than they are read, Node would read 2 MB at a time and block the event loop.
    await nextTurn();
  }
  return bytes.subarray(0, length);
}

/**
 * The bytes of the file at an absolute path from `getFile`, in the working folder of a server that runs with `--local` (spec §1,
 * `TELEGRAM_FILES_DIR`). If the server sees its folder under another path (in another container), only the part from the bot's own folder
 * on counts, which is named by its token. Throws `file-too-large`, and `file-unserved` for anything but a file below the folder. No error
 * holds the path, which holds the token.
 */
export async function readLocalFile(
  path: string,
  { folder, token }: { readonly folder: string; readonly token: string },
): Promise<Buffer> {
  const file = join(folder, belowFolder(path, folder, token));
  try {
    if ((await stat(file)).size > MAX_LOCAL_FILE_BYTES)
      throw new Failure('file-too-large', 'a file exceeds 128 MB');
    return await readFile(file);
  } catch (error) {
    if (error instanceof Failure) throw error;
    throw new Failure(
      'file-unserved',
      `a file cannot be read in TELEGRAM_FILES_DIR (${codeOf(error) ?? 'unreadable'}): set it to the working folder of the Bot API server as this process sees it, and let the bot's user read it`,
    );
  }
}

/** The path from the folder on. */
function belowFolder(path: string, folder: string, token: string): string {
  if (path !== normalize(path)) throw outside();
  const start = `${normalize(folder).replace(/\/$/, '')}/`;
  if (path.startsWith(start)) return path.slice(start.length);
  const ownFolder = path.indexOf(`/${token}/`);
  if (ownFolder < 0) throw outside();
  return path.slice(ownFolder + 1);
}

function outside(): Failure {
  return new Failure(
    'file-unserved',
    'the Bot API server gave a path outside TELEGRAM_FILES_DIR: set it to the working folder of that server',
  );
}
