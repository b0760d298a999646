/** Fetches what people sent, within Telegram's bounds. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { TelegramError } from 'telegraf';
import { z } from 'zod';
import { Failure } from '../../errors.ts';
import { patiently } from '../../patience.ts';
import type { BotApi } from './api.ts';
import { createGatheredBytes } from './http-exchange.ts';
import { readLocalFile } from './local-files.ts';

/** How long one try at a whole file may take, in ms: the connection's own timeout bounds only the wait for the next byte. */
const LONGEST_DOWNLOAD_MS = 3 * 60 * 1000;
const ATTEMPTS = 3;
/** Before the second try, in ms; three times as long before the third. */
const FIRST_REST_MS = 300;

/**
 * The bytes of a file. Throws `file-too-large`, `file-gone`, `cancelled`, or, after three tries, `file-unfetched`; with a Bot API server
 * of one's own `file-unserved`, whose message says what to set.
 */
export async function downloadFile(api: BotApi, fileId: string, signal: AbortSignal): Promise<Buffer> {
  const fetchOnce = async () => fetchPatiently(api, await locate(api, fileId), signal);
  try {
    // A path holds for an hour; the next one that `getFile` gives may be another.
    return await fetchOnce().catch((error: unknown) => {
      if (error instanceof NothingThere) return fetchOnce();
      throw error;
    });
  } catch (error) {
    if (!(error instanceof NothingThere)) throw error;
    if (!api.isOwnServer) throw new Failure('file-gone', 'Telegram no longer has a file');
    throw new Failure(
      'file-unserved',
      'the Bot API server at TELEGRAM_API_ROOT serves no files, which it leaves to another web server: run it with --local and set TELEGRAM_FILES_DIR to its working folder',
    );
  }
}

/** `getFile` gave a path at which there is nothing. */
class NothingThere extends Error {}

function fetchPatiently(api: BotApi, { path, size }: Place, signal: AbortSignal): Promise<Buffer> {
  const fetchWhole = async (): Promise<Buffer> => {
    const bytes = path.startsWith('/')
      ? await fromFolder(api, path)
      : await fetchBytes(api, { path, size }, signal);
    // A connection that is closed too early can look like the end; half a picture would be paid for as a whole one.
    if (bytes.length < size) throw new Error('a file download ended early');
    return bytes;
  };
  const waitAfter = (error: unknown, attempt: number): number | undefined => {
    if (signal.aborted) throw new Failure('cancelled', 'a download was cancelled');
    if (error instanceof Failure || error instanceof NothingThere) return undefined;
    // The cause is left out: it may hold the address, and the address holds the token.
    if (attempt >= ATTEMPTS) throw new Failure('file-unfetched', 'a file could not be fetched from Telegram');
    return FIRST_REST_MS * 3 ** (attempt - 1);
  };
  return patiently(fetchWhole, waitAfter, { signal });
}

/** A path below the bot's own folder of files, and nowhere else; or an absolute one of a server that runs with `--local`. */
const filePath = z.object({
  file_path: z.string().regex(/^(?!\/)(?!.*\.\.)[^\\:%\p{Control}]+$|^\/\P{Control}+$/u),
});

interface Place {
  path: string;
  /** Bytes, as far as Telegram tells; otherwise 0. */
  size: number;
}

async function locate(api: BotApi, fileId: string): Promise<Place> {
  try {
    const file = await api.callApi('getFile', { file_id: fileId });
    const path = filePath.safeParse(file).data?.file_path;
    if (path === undefined) throw new Failure('file-gone', 'Telegram tells no path of a file');
    return { path, size: file.file_size ?? 0 };
  } catch (error) {
    if (!(error instanceof TelegramError) || error.code !== 400) throw error;
    const kind = /too big/i.test(error.description) ? 'file-too-large' : 'file-gone';
    throw new Failure(kind, 'Telegram does not hand out a file', { cause: error });
  }
}

/** Throws `file-unserved`, also where the folder is not known. */
async function fromFolder({ filesDir: folder, token }: BotApi, path: string): Promise<Buffer> {
  if (folder !== undefined) return readLocalFile(path, { folder, token });
  throw new Failure(
    'file-unserved',
    'the Bot API server at TELEGRAM_API_ROOT runs with --local: set TELEGRAM_FILES_DIR to its working folder',
  );
}

async function fetchBytes(api: BotApi, { path, size }: Place, signal: AbortSignal): Promise<Buffer> {
  const { statusCode, body } = await api.openFile(path, signal);
  if (statusCode === 404) {
    await body.dump();
    throw new NothingThere('a file is not where getFile says');
  }
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`a file download ended with status ${statusCode}`);
  }
  const endsBy = performance.now() + LONGEST_DOWNLOAD_MS;
  const gathered = createGatheredBytes(Math.min(size, api.mostFileBytes));
  for await (const chunk of body) {
    if (performance.now() > endsBy) throw new Error('a file download does not come to an end');
    if (!Buffer.isBuffer(chunk)) throw new TypeError('a file comes in something else than bytes');
    gathered.add(chunk);
    if (gathered.length > api.mostFileBytes) {
      throw new Failure('file-too-large', 'a file is larger than Telegram said');
    }
    // Where bytes come faster than they are taken, Node would read 2 MB of them in one go and block the event loop.
    await nextTurn();
  }
  return gathered.bytes();
}
