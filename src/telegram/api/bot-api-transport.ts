/** Bot API calls over HTTP, on our own connections: the body of each request, and the meaning of its response. */
import { randomUUID } from 'node:crypto';
import { TelegramError } from 'telegraf';
import type { Agent, Dispatcher } from 'undici';
import { z } from 'zod';
import { exchange, NetworkError, type RequestBody, type WholeResponse } from './http-exchange.ts';
import { mostConnectionsToTelegram } from './open-files.ts';
import { createProxyConnector } from './proxy.ts';

/** Time limit of a call besides the time of its upload, in ms: longer than a long poll. */
const CALL_TIMEOUT_MS = 60_000;
/** The slowest line on which an upload is given the time it takes (16 kB/s): a long voice note has 8 MB. */
const SLOWEST_BYTES_PER_MS = 16;
const LONGEST_CONNECT_MS = 10_000;
/** An idle connection is closed after this time, in ms; sooner if Telegram announces that it will. */
const KEEP_ALIVE_MS = 60_000;
/** A download without a byte for this time is given up, in ms. */
const FILE_IDLE_MS = 30_000;
/** An idle connection is probed after this time, in ms: a router may have forgotten it. */
const KEEP_ALIVE_PROBE_MS = 10_000;
/** Far more than a hundred updates with the longest texts, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface Transport {
  /**
   * The result of one call; undefined if the response has none. Throws `TelegramError` if Telegram refuses, and `NetworkError` if no
   * response of its came within a minute, or longer for a large upload.
   */
  call(method: string, payload: object, signal: AbortSignal | undefined): Promise<unknown>;
  /**
   * Opens the file at a path from `getFile`, on the connections of the calls: a new TLS connection takes as long as a small photo.
   * Throws undici's errors, also while the body is read; they may hold the token.
   */
  openFile(filePath: string, signal: AbortSignal): Promise<Dispatcher.ResponseData>;
  /** Why the proxy refused the last connection (`ECONNREFUSED`, `407`); undefined while it works. */
  proxyProblem(): string | undefined;
}

export interface TelegramServer {
  readonly token: string;
  /** Ends without a slash. */
  readonly apiRoot: string;
  /** All calls and files go through it. */
  readonly proxy?: URL | undefined;
}

/** A transport to the server. Addresses hold the token, so they never leave it. */
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
      const body = requestBody(payload);
      const answer = await exchange(await agent(), {
        origin,
        path: pathname + method,
        body,
        timeoutMs: CALL_TIMEOUT_MS + body.content.length / SLOWEST_BYTES_PER_MS,
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
 * Opens a connection for each concurrent call, so that a long poll holds nothing up, up to a bound that leaves file descriptors for
 * encoders: connections stay open for a while, to be used for the next chat action.
 */
async function openAgent(
  proxy: URL | undefined,
  onDialled: (problem: string | undefined) => void,
): Promise<Agent> {
  // Loaded only when needed: it takes a while.
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
    // `exchange` has one time limit for the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
    connect,
  });
}

interface Upload {
  readonly source: Buffer;
  readonly filename: string;
}

/**
 * The request body. Files are bytes in memory under a parameter of their own, as in `sendVoice`. Any other kind that Telegraf's types
 * allow (a path, a stream, an address) throws a TypeError: nothing here reads files or downloads anything.
 */
function requestBody(payload: object): RequestBody {
  const parameters = Object.entries(payload).filter(([, value]) => value !== undefined && value !== null);
  if (parameters.some(([, value]) => isFile(value))) return form(parameters);
  return { contentType: 'application/json', content: JSON.stringify(Object.fromEntries(parameters)) };
}

function isFile(value: unknown): value is { readonly source: unknown; readonly filename?: unknown } {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** A multipart body as one buffer; undici's FormData takes five times the CPU. */
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

/** Telegram accepts JSON for every value that is no string. */
function fieldText(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Escapes a quoted name as browsers do (HTML, multipart/form-data). */
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
 * The result; undefined if the response has none. The body decides, not its status and type. Throws `TelegramError` for a refusal and for
 * any other body with 413 or 5xx, and `NetworkError` for anything that does not come from the Bot API (a proxy's page).
 */
function resultOf({ status, statusText, body }: WholeResponse, on: { method: string; payload: object }) {
  const answer = parsed(body);
  if (answer !== undefined && 'ok' in answer && answer.ok === true) {
    return 'result' in answer ? answer.result : undefined;
  }
  // A proxy before a self-hosted server answers 413 with a page; a repetition would be too large again.
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
    // The parser's message would repeat the text.
    return undefined;
  }
}
