/** Calls of the Bot API over HTTP, on connections of our own: what each sends, and what Telegram's answer means. */
import { randomUUID } from 'node:crypto';
import { TelegramError } from 'telegraf';
import type { Agent, Dispatcher } from 'undici';
import { z } from 'zod';
import { bearsUnaskedContinue } from '../../unasked-continue.ts';
import { exchange, NetworkError, type RequestBody, type WholeResponse } from './http-exchange.ts';
import { mostConnectionsToTelegram } from './open-files.ts';
import { createProxyConnector } from './proxy.ts';

/** How long one call may take, in ms: longer than a long poll, and uploads are at most a few hundred kB. */
const CALL_TIMEOUT_MS = 60_000;
const LONGEST_CONNECT_MS = 10_000;
/** A connection that idles so long is closed, in ms; sooner where Telegram says that it would. */
const KEEP_ALIVE_MS = 60_000;
/** Without a byte of a file it is given up, in ms. */
const FILE_IDLE_MS = 30_000;
/** From when on an idle connection is tried, in ms: a router may have forgotten it. */
const KEEP_ALIVE_PROBE_MS = 10_000;
/** Far above a hundred updates with the longest of texts, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface Transport {
  /**
   * The result of one call, undefined where the answer has none. Throws `TelegramError` when Telegram refuses, and `NetworkError`
   * when no answer of its came, or none within a minute.
   */
  call(method: string, payload: object, signal: AbortSignal | undefined): Promise<unknown>;
  /**
   * Begins to fetch the file at a path that `getFile` has given, on the connections of the calls: over TLS a new one takes as long
   * as a small photo. Throws what undici throws, which may hold the token, also while the body is read.
   */
  openFile(filePath: string, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  /** Why the proxy let no connection through when one was last asked for (`ECONNREFUSED`, `407`); undefined while it does. */
  proxyProblem(): string | undefined;
}

export interface TelegramServer {
  readonly token: string;
  /** Ends without a slash. */
  readonly apiRoot: string;
  /** All calls and files go through it. */
  readonly proxy?: URL | undefined;
}

/** A transport to the server; every address with the token stays in here. */
export function createTransport({ apiRoot, token, proxy }: TelegramServer): Transport {
  let proxyProblem: string | undefined;
  const onDialled = (problem: string | undefined): void => {
    proxyProblem = problem;
  };
  const { origin, pathname } = new URL(`./bot${token}/`, `${apiRoot}/`);
  let opening: Promise<Agent> | undefined;
  const agent = (): Promise<Agent> => {
    opening ??= openAgent(proxy, onDialled).catch((error: unknown) => {
      opening = undefined;
      throw error;
    });
    return opening;
  };
  return {
    async call(method, payload, signal) {
      const answer = await exchange(await agent(), {
        origin,
        path: pathname + method,
        body: requestBody(payload),
        timeoutMs: CALL_TIMEOUT_MS,
        signal,
      });
      return resultOf(answer, { method, payload });
    },
    async openFile(filePath, signal) {
      const { pathname: path } = new URL(`./file/bot${token}/${filePath}`, `${apiRoot}/`);
      const timeouts = { headersTimeout: FILE_IDLE_MS, bodyTimeout: FILE_IDLE_MS };
      return (await agent()).request({ method: 'GET', origin, path, signal, ...timeouts });
    },
    proxyProblem: () => proxyProblem,
  };
}

/**
 * As many connections as there are calls at once, so that a long poll holds nothing up; but only so many that encoders have something
 * left to start with, since each stays open for a while and is needed again for the next life sign.
 */
async function openAgent(
  proxy: URL | undefined,
  onDialled: (problem: string | undefined) => void,
): Promise<Agent> {
  // Not before it is needed: it takes a while to load.
  const undici = await import('undici');
  const direct = undici.buildConnector({
    allowH2: false,
    timeout: LONGEST_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });
  const connect =
    proxy === undefined
      ? direct
      : createProxyConnector(undici, { proxy, connect: direct, timeoutMs: LONGEST_CONNECT_MS, onDialled });
  return new undici.Agent({
    allowH2: false,
    pipelining: 1,
    connections: mostConnectionsToTelegram() ?? null,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    // A call has one time limit, over all of it.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        bearsUnaskedContinue(socket, CALL_TIMEOUT_MS);
        callback(null, socket);
      }),
  });
}

interface Upload {
  readonly source: Buffer;
  readonly filename: string;
}

/**
 * The payload on the wire. Files are bytes in memory under a parameter of their own, as in `sendVoice`; any other kind that
 * Telegraf's types allow (a path, a stream, an address) throws a TypeError: nothing here reads files or fetches anything.
 */
function requestBody(payload: object): RequestBody {
  const parameters = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.some(([, value]) => isFile(value))) return form(parameters);
  return { contentType: 'application/json', content: JSON.stringify(Object.fromEntries(parameters)) };
}

function isFile(value: unknown): value is { readonly source: unknown; readonly filename?: unknown } {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** Bytes in a row, not undici's FormData, which takes five times the CPU. */
function form(parameters: readonly [string, unknown][]): RequestBody {
  const boundary = randomUUID();
  const pieces = parameters.flatMap(([name, value]) => {
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (!isFile(value)) return [Buffer.from(`${head}\r\n\r\n${fieldText(value)}\r\n`)];
    const { source, filename } = uploadOf(value);
    return [Buffer.from(`${head}; filename="${escaped(filename)}"\r\n\r\n`), source, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function uploadOf({ source, filename }: { source: unknown; filename?: unknown }): Upload {
  if (Buffer.isBuffer(source) && typeof filename === 'string') return { source, filename };
  throw new TypeError('a file to upload must be bytes with a name');
}

/** Telegram takes JSON for every value that is not a text. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** As browsers write a name between quotes (HTML, multipart/form-data). */
function escaped(filename: string): string {
  return filename.replace(/["\r\n]/g, encodeURIComponent);
}

/** Bot API, "Making requests" and `ResponseParameters`. */
const refusal = z.object({
  error_code: z.number(),
  description: z.string().catch(''),
  parameters: z
    .object({
      retry_after: z.number().optional().catch(undefined),
      migrate_to_chat_id: z.number().optional().catch(undefined),
    })
    .optional()
    .catch(undefined),
});

/**
 * The result, undefined where the answer has none; told by the body, not by its status and type. Throws `TelegramError` for a
 * refusal and for any other body under 413 or 5xx, and `NetworkError` for what is no answer of the Bot API's (a proxy's page).
 */
function resultOf({ status, statusText, body }: WholeResponse, on: { method: string; payload: object }) {
  const answer = parsed(body);
  if (answer !== undefined && 'ok' in answer && answer.ok === true) {
    return 'result' in answer ? answer.result : undefined;
  }
  // A proxy before a server of one's own says this with a page; the same would be too large however often it is sent.
  if (status >= 500 || status === 413)
    throw new TelegramError({ error_code: status, description: statusText }, on);
  const refused = refusal.safeParse(answer);
  if (!refused.success) throw new NetworkError('NOT_BOT_API');
  throw new TelegramError(refused.data, on);
}

function parsed(body: string): object | undefined {
  try {
    const answer: unknown = JSON.parse(body.replace(/^\ufeff/, ''));
    return typeof answer === 'object' && answer !== null ? answer : undefined;
  } catch {
    // The parser's words repeat the text.
    return undefined;
  }
}
