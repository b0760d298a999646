/** Fetches what people sent, within Telegram's bounds. File links hold the bot's token: they never leave this file. */

import { TelegramError } from 'telegraf';
import { request } from 'undici';
import { Failure } from '../errors.ts';
import type { BotApi } from './api.ts';

/** `getFile` gives bots no file above 20 MB (Bot API). */
export const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** ms without a byte before a download is given up */
const IDLE_TIMEOUT_MS = 30_000;
const ATTEMPTS = 3;

/** The bytes of a file. Throws `file-too-large`, `file-gone`, or `cancelled`; what the network throws, after three tries. */
export async function downloadFile(api: BotApi, fileId: string, signal: AbortSignal): Promise<Buffer> {
  const link = await linkTo(api, fileId);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await fetchBytes(link, signal);
    } catch (error) {
      if (signal.aborted) throw new Failure('cancelled', 'a download was cancelled');
      if (error instanceof Failure) throw error;
      // The cause is left out: it may hold the link, and the link holds the token.
      if (attempt >= ATTEMPTS) throw new Failure('file-gone', 'a file could not be fetched from Telegram');
    }
  }
}

async function linkTo(api: BotApi, fileId: string): Promise<URL> {
  try {
    return await api.getFileLink(fileId);
  } catch (error) {
    if (!(error instanceof TelegramError) || error.code !== 400) throw error;
    const kind = /too big/i.test(error.description) ? 'file-too-large' : 'file-gone';
    throw new Failure(kind, 'Telegram does not hand out a file', { cause: error });
  }
}

async function fetchBytes(link: URL, signal: AbortSignal): Promise<Buffer> {
  const { statusCode, body } = await request(link, {
    signal,
    headersTimeout: IDLE_TIMEOUT_MS,
    bodyTimeout: IDLE_TIMEOUT_MS,
  });
  if (statusCode === 404) {
    await body.dump();
    throw new Failure('file-gone', 'Telegram no longer has a file');
  }
  if (statusCode !== 200) {
    await body.dump();
    throw new Error(`a file download ended with status ${statusCode}`);
  }
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of body) {
    const bytes = Buffer.from(chunk);
    length += bytes.length;
    if (length > MAX_FILE_BYTES) throw new Failure('file-too-large', 'a file is larger than Telegram said');
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}
