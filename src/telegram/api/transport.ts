/** Bot API calls over HTTP: the body of each request, the meaning of each response. URLs hold the token, so they never leave this file. */

import { randomUUID } from 'node:crypto';
import type { Socket } from 'node:net';
import { TelegramError } from 'telegraf';
import type * as Undici from 'undici';
import type { Dispatcher } from 'undici';
import { z } from 'zod';
import { codeOf } from '../../errors.ts';
import { unlessAborted } from '../../patience.ts';

/** Time limit of a call besides the time of its upload, in ms: longer than a long poll. */
const CALL_TIMEOUT_MS = 60_000;
/** The slowest line that an upload is given time for (16 kB/s): a long voice note has 8 MB. */
const SLOWEST_BYTES_PER_MS = 16;
const MAX_CONNECT_MS = 10_000;
/** An idle connection is closed after this time, in ms, unless Telegram announces another. */
const KEEP_ALIVE_MS = 60_000;
/** A download without a byte for this time times out, in ms. */
const FILE_IDLE_MS = 30_000;
/** An idle connection is probed after this time, in ms: a router may have dropped it. */
const KEEP_ALIVE_PROBE_MS = 10_000;
/** Far more than a hundred updates with the longest texts, in bytes. */
const MAX_ANSWER_BYTES = 32 * 1024 * 1024;

export interface TelegramServer {
  readonly token: string;
  /** Ends without a slash. */
  readonly apiRoot: string;
  /** All calls and files go through it. */
  readonly proxy?: URL | undefined;
}

/** No response, or none of the Bot API. Keeps only the code of its cause, whose message may hold the token. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** A socket's (`ECONNREFUSED`), undici's (`UND_ERR_SOCKET`), a proxy's (`PROXY_407`), or one of our own (`TIMEOUT`). */
  readonly code: string;
  /** The whole request was written, so Telegram may have done the work: it does nothing before it has all of it. */
  readonly isSent: boolean;

  constructor(code: string, isSent: boolean) {
    super(`no answer from Telegram (${code})`);
    this.code = code;
    this.isSent = isSent;
  }
}

type RequestOptions = Omit<Dispatcher.RequestOptions, 'path'>;

export class Transport {
  readonly #server: TelegramServer;
  #opening: Promise<Dispatcher> | undefined;
  /** Why the proxy failed the last call (`ECONNREFUSED`, `407`); undefined while it works. */
  proxyProblem: string | undefined;

  constructor(server: TelegramServer) {
    this.#server = server;
  }

  /** Throws `TelegramError` if Telegram refuses; `NetworkError` on an abort, or after a minute without a response (longer for uploads). */
  async call(method: string, payload: object, signal: AbortSignal | undefined): Promise<unknown> {
    const { contentType, content } = requestBody(payload);
    let isSent = false;
    const body = inPieces(content, () => {
      isSent = true;
    });
    const late = new AbortController();
    // Reads first what has arrived: after a stop of the process (SIGSTOP) the timer fires before the waiting bytes are read.
    const timer = setTimeout(
      () => setImmediate(() => late.abort()),
      CALL_TIMEOUT_MS + content.length / SLOWEST_BYTES_PER_MS,
    );
    const ending = signal === undefined ? late.signal : AbortSignal.any([late.signal, signal]);
    try {
      const headers = { 'content-type': contentType, 'content-length': String(content.length) };
      const options: RequestOptions = { method: 'POST', headers, signal: ending };
      // undici accepts async iterables, though its types do not say so.
      const request = this.#request(`bot${this.#server.token}/${method}`, Object.assign(options, { body }));
      // Undici ignores the signal until it is connected.
      const response = await unlessAborted(request, ending, () => ending.reason);
      const { statusCode, statusText } = response;
      const text = await response.body.text();
      this.proxyProblem = undefined;
      return resultOf(text, { error_code: statusCode, description: statusText }, { method, payload });
    } catch (error) {
      if (error instanceof TelegramError || error instanceof NetworkError) throw error;
      if (ending.aborted) throw new NetworkError(late.signal.aborted ? 'TIMEOUT' : 'ABORTED', isSent);
      const problem = this.#server.proxy && proxyProblemIn(error);
      if (problem !== undefined) this.proxyProblem = problem;
      const code = problem === undefined ? (codeOf(error) ?? 'UNKNOWN') : `PROXY_${problem}`;
      throw new NetworkError(code, isSent);
    } finally {
      clearTimeout(timer);
    }
  }

  /**
   * Opens the file at a path from `getFile`, on the connections of the calls: a new TLS connection takes as long as a small photo.
   * Throws undici's errors, also while the body is read; they may hold the token.
   */
  openFile(filePath: string, signal: AbortSignal): Promise<Dispatcher.ResponseData> {
    const timeouts = { headersTimeout: FILE_IDLE_MS, bodyTimeout: FILE_IDLE_MS };
    return this.#request(`file/bot${this.#server.token}/${filePath}`, { method: 'GET', signal, ...timeouts });
  }

  async #request(below: string, request: RequestOptions): Promise<Dispatcher.ResponseData> {
    const { origin, pathname: path } = new URL(`./${below}`, `${this.#server.apiRoot}/`);
    this.#opening ??= openAgent(this.#server.proxy);
    return (await this.#opening).request({ origin, path, ...request });
  }
}

/**
 * Opens a connection for each concurrent call, so that a long poll blocks no other. They stay open for a while, for the next chat action.
 * With a proxy (`TELEGRAM_PROXY`: HTTP CONNECT, also over TLS, and SOCKS5) all go through it, and it resolves the names.
 */
async function openAgent(proxy: URL | undefined): Promise<Dispatcher> {
  // Loaded only when needed: it takes a while.
  const undici = await import('undici');
  const tls = {
    allowH2: false,
    timeout: MAX_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  };
  const options = {
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    // `call` has one time limit for everything.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxResponseSize: MAX_ANSWER_BYTES,
  };
  if (proxy === undefined) return new undici.Agent({ ...options, connect: tls });
  if (proxy.protocol === 'socks5:')
    return new undici.Agent({ ...options, connect: socksConnector(undici, proxy, tls) });
  return new undici.ProxyAgent({
    ...options,
    uri: proxy.href,
    // A forwarding proxy would see the token, which is in the URL.
    proxyTunnel: true,
    connectTimeout: MAX_CONNECT_MS,
    requestTls: tls,
    proxyTls: tls,
    clientFactory: (origin, given) => new undici.Pool(origin, { ...given, headersTimeout: MAX_CONNECT_MS }),
  });
}

/** Uses undici's SOCKS5 agent only to open tunnels: its own pools have neither our bounds nor our keep-alive. */
function socksConnector(
  { Socks5ProxyAgent, buildConnector }: typeof Undici,
  proxy: URL,
  tls: Undici.buildConnector.BuildOptions,
): Undici.buildConnector.connector {
  class Tunnels extends Socks5ProxyAgent {
    /** Its pools connect with it; undici's types do not have it. */
    declare readonly createSocks5Connection: (host: string, port: number) => Promise<Socket>;
  }
  const connect = buildConnector(tls);
  const tunnels = new Tunnels(proxy, { connectTimeout: MAX_CONNECT_MS });
  return (options, callback) => {
    const isSecure = options.protocol === 'https:';
    tunnels.createSocks5Connection(options.hostname, Number(options.port || (isSecure ? 443 : 80))).then(
      (socket) => {
        if (isSecure) connect({ ...options, httpSocket: socket }, callback);
        else callback(null, socket);
      },
      (error: Error) => callback(error, null),
    );
  };
}

/** Codes of errors before a connection is established. */
const UNCONNECTED: ReadonlySet<string> = new Set([
  ...['ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ENOTFOUND', 'EAI_AGAIN', 'UND_ERR_CONNECT_TIMEOUT'],
  ...['EMFILE', 'ENFILE', 'ENOMEM', 'ENOBUFS', 'EADDRNOTAVAIL'],
]);

/** Why the proxy failed a call (`ECONNREFUSED`, `407`, `SOCKS5_AUTH_FAILED`); undefined for any other error. */
function proxyProblemIn(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  // ProxyAgent gives the status only in its message.
  const status = /^Proxy response \((\d{3})\)/.exec(error.message)?.[1];
  const code = codeOf(error) ?? '';
  const isOfProxy = UNCONNECTED.has(code) || /^UND_ERR_(?:HEADERS_TIMEOUT$|PRX_|SOCKS5)/.test(code);
  return status ?? (isOfProxy ? code.replace(/^UND_ERR_/, '') : undefined);
}

/** Bot API, "Making requests" and `ResponseParameters`. */
const acceptance = z.object({ ok: z.literal(true), result: z.unknown() });
const refusal = z.object({
  error_code: z.number(),
  description: z.string().catch(''),
  parameters: z
    .object({ retry_after: z.number().optional(), migrate_to_chat_id: z.number().optional() })
    .optional()
    .catch(undefined),
});

/**
 * The result of a response. The body decides, not its status and type. Throws `TelegramError` for a refusal and for any other body with 413
 * or 5xx, and `NetworkError` for anything that does not come from the Bot API (a proxy's page).
 */
function resultOf(
  body: string,
  status: { readonly error_code: number; readonly description: string },
  on: { method: string; payload: object },
): unknown {
  let answer: unknown;
  try {
    answer = JSON.parse(body);
  } catch {
    // The parser's message would repeat the text.
  }
  const accepted = acceptance.safeParse(answer);
  if (accepted.success) return accepted.data.result;
  // A proxy before a self-hosted server answers 413 with a page; a retry would be too large again.
  if (status.error_code >= 500 || status.error_code === 413) throw new TelegramError(status, on);
  const refused = refusal.safeParse(answer);
  // It came from a proxy or another server, in Telegram's place.
  if (!refused.success) throw new NetworkError('NOT_BOT_API', false);
  throw new TelegramError(refused.data, on);
}

/**
 * JSON, or a form if there is a file to upload. Files are bytes in memory under a parameter of their own, as in `sendVoice`. Any other kind
 * that Telegraf's types allow (a path, a stream, an address) throws a TypeError: nothing here reads files or downloads anything.
 *
 * The form is one buffer: with undici's FormData a call takes five times the CPU (60 kB: 0.5 ms instead of 0.1 ms).
 */
function requestBody(payload: object): { readonly contentType: string; readonly content: Buffer } {
  if (!Object.values(payload).some(isFile))
    return { contentType: 'application/json', content: Buffer.from(JSON.stringify(payload)) };
  const boundary = randomUUID();
  const pieces = Object.entries(payload).flatMap(([name, value]: [string, unknown]) => {
    if (value === undefined) return [];
    const head = `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`;
    if (!isFile(value)) {
      // Telegram accepts JSON for every value that is no string.
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      return [Buffer.from(`${head}\r\n\r\n${text}\r\n`)];
    }
    const { source, filename } = value;
    if (!Buffer.isBuffer(source) || typeof filename !== 'string')
      throw new TypeError('a file to upload must be bytes with a name');
    // Quoted as browsers do (HTML, multipart/form-data).
    const quoted = filename.replace(/["\r\n]/g, encodeURIComponent);
    return [Buffer.from(`${head}; filename="${quoted}"\r\n\r\n`), source, Buffer.from('\r\n')];
  });
  return {
    contentType: `multipart/form-data; boundary=${boundary}`,
    content: Buffer.concat([...pieces, Buffer.from(`--${boundary}--\r\n`)]),
  };
}

function isFile(value: unknown): value is { readonly source: unknown; readonly filename?: unknown } {
  return typeof value === 'object' && value !== null && 'source' in value;
}

/** In bytes: nearly every call fits into one piece. */
const PIECE_BYTES = 64 * 1024;

/** Calls `onSent` once the network has taken everything: undici asks for a piece when that is done with the one before. */
async function* inPieces(content: Buffer, onSent: () => void): AsyncGenerator<Buffer> {
  for (let start = 0; start < content.length; start += PIECE_BYTES)
    yield content.subarray(start, start + PIECE_BYTES);
  onSent();
}
