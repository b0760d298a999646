/** Downloads the files that people send, or reads them from the folder of a self-hosted Bot API server. */
import { readFile, stat } from 'node:fs/promises';
import { join, normalize } from 'node:path';
import { TelegramError } from 'telegraf';
import { z } from 'zod';
import { codeOf, Failure } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import { type BotApi, MAX_LOCAL_FILE_BYTES } from './api.ts';
import { isOutage } from './api-errors.ts';

const MAX_ATTEMPTS = 3;
/** Wait before the second attempt, in ms; three times as long before the third. */
const FIRST_BACKOFF_MS = 300;

/** Throws `file-too-large`, `file-gone`, `cancelled`, after three attempts `file-unfetched`; if self-hosted also `file-unserved`. */
export function downloadFile(api: BotApi, fileId: string, signal: AbortSignal): Promise<Buffer> {
  let status: number | undefined;
  const fetchWhole = async (): Promise<Buffer> => {
    // A path is valid for an hour; a second `getFile` may give another.
    const { file_path: path, file_size: size } = await locate(api, fileId);
    if (path.startsWith('/')) return readLocalFile(path, { folder: api.filesDir, token: api.token });
    const { statusCode, body } = await api.transport.openFile(path, signal);
    status = statusCode;
    const bytes = Buffer.from(await body.arrayBuffer());
    // A connection that closes early can look like the end of the file; half a picture would cost as much as a whole one.
    if (status !== 200 || bytes.length < size) throw new Error('a file did not come whole');
    return bytes;
  };
  const waitAfter = (error: unknown, attempt: number): number | undefined => {
    if (signal.aborted) throw new Failure('cancelled', 'a download was cancelled');
    if (error instanceof Failure || error instanceof TelegramError || isOutage(error)) return undefined;
    if (attempt < MAX_ATTEMPTS) return FIRST_BACKOFF_MS * 3 ** (attempt - 1);
    // Without the cause: it may hold the address, which holds the token.
    if (status !== 404) throw new Failure('file-unfetched', 'downloading a file from Telegram failed');
    if (!api.isSelfHosted) throw new Failure('file-gone', 'Telegram no longer has a file');
    throw new Failure(
      'file-unserved',
      'the Bot API server at TELEGRAM_API_ROOT serves no files, which it leaves to another web server: run it with --local and set TELEGRAM_FILES_DIR to its working folder',
    );
  };
  return patiently(fetchWhole, waitAfter, { signal });
}

const located = z.object({
  /** Below the bot's own folder of files, or an absolute one from a server that runs with `--local`. */
  file_path: z.string().regex(/^(?!\/)(?!.*\.\.)[^\\:%\p{Control}]+$|^\/\P{Control}+$/u),
  /** In bytes; 0 if Telegram does not say. */
  file_size: z.number().catch(0),
});

/** Asks Telegram where a file is. */
async function locate(api: BotApi, fileId: string): Promise<z.infer<typeof located>> {
  try {
    const { data } = located.safeParse(await api.callApi('getFile', { file_id: fileId }));
    if (data === undefined) throw new Failure('file-gone', 'Telegram gives no path for a file');
    return data;
  } catch (error) {
    if (!(error instanceof TelegramError) || error.code !== 400) throw error;
    const kind = /too big/i.test(error.description) ? 'file-too-large' : 'file-gone';
    throw new Failure(kind, 'Telegram refused a file', { cause: error });
  }
}

/**
 * The bytes of the file at an absolute path from `getFile` (`TELEGRAM_FILES_DIR`). The server may see its folder under another
 * path, as in another container, so only the part from the bot's own folder on counts, which is named by its token. Throws `file-too-large`,
 * and `file-unserved` for anything but a file below the folder. No error holds the path, which holds the token.
 */
export async function readLocalFile(
  path: string,
  { folder, token }: { readonly folder: string | undefined; readonly token: string },
): Promise<Buffer> {
  if (folder === undefined)
    throw new Failure(
      'file-unserved',
      'the Bot API server at TELEGRAM_API_ROOT runs with --local: set TELEGRAM_FILES_DIR to its working folder',
    );
  const ownFolder = path.indexOf(`/${token}/`);
  if (ownFolder < 0 || path !== normalize(path))
    throw new Failure(
      'file-unserved',
      'the Bot API server gave a path outside TELEGRAM_FILES_DIR: set it to the working folder of that server',
    );
  const file = join(folder, path.slice(ownFolder));
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
