/**
 * HTTP to the service: POST requests over its own connection pool, with a failure for each kind of break. Bodies are of known length, and are
 * produced in pieces small enough not to block the event loop.
 */
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { errorName } from '../calls/events.ts';
import { cancelled, readRetryAfter, ServiceFailure } from '../calls/failure.ts';

interface RequestBody {
  /** In bytes, for Content-Length. */
  readonly length: number;
  /** Yields the body from its beginning, for each try anew. */
  pieces(): AsyncIterable<Uint8Array>;
}

/** A short body in one piece. */
export function textBody(text: string): RequestBody {
  const bytes = Buffer.from(text);
  return {
    length: bytes.length,
    async *pieces() {
      if (bytes.length > 0) yield bytes;
    },
  };
}

export type FormField = readonly [name: string, value: string | Uint8Array];

/** Divisible by 3, so that base64 padding comes only at the end; each piece takes about 0.2 ms. */
const PIECE_BYTES = 48_000;

/**
 * Makes an `application/x-www-form-urlencoded` body (service-interface §4.2); bytes are base64 encoded and then URL encoded. It has up to
 * 14 MB, so it is not kept: it is encoded once for its length, and again for every try (3 ms of processor per MB each time).
 */
export async function formBody(fields: readonly FormField[]): Promise<RequestBody> {
  let length = 0;
  for await (const piece of formPieces(fields)) length += piece.length;
  return { length, pieces: () => formPieces(fields) };
}

/** Yields to the event loop between pieces. */
async function* formPieces(fields: readonly FormField[]): AsyncGenerator<Buffer> {
  for (const [index, [name, value]] of fields.entries()) {
    const separator = index === 0 ? '' : '&';
    if (typeof value === 'string') {
      yield Buffer.from(separator + new URLSearchParams([[name, value]]).toString());
      continue;
    }
    yield Buffer.from(`${separator}${name}=`);
    for (let start = 0; start < value.length; start += PIECE_BYTES) {
      await nextTurn();
      yield escapedBase64(value.subarray(start, start + PIECE_BYTES));
    }
  }
}

/** `replaceAll` takes two thirds of the time of `encodeURIComponent`, and base64 needs no more. */
function escapedBase64(bytes: Uint8Array): Buffer {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return Buffer.from(base64.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D'), 'latin1');
}

interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
}

export interface HttpAnswer {
  /** Undocumented (service-interface §4): the body decides success or failure. */
  readonly status: number;
  /** In ms. */
  readonly retryAfterMs: number | undefined;
  /** The body as it arrives; leaving the loop early closes the connection. Throws `networkFailure`. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** In ms, shorter than any server keeps a connection: a POST on a connection that its server is closing would be a paid call in doubt. */
const KEEP_ALIVE_MS = 2_000;
/** In ms: a live host accepts a connection within this time, even if a few packets are lost. */
const MAX_CONNECT_MS = 10_000;
/** Some servers put a character set into content-encoding. */
const COMPRESSED = /gzip|deflate|compress|br|zstd/i;

/** Connections to the service, opened on demand. */
export class Http {
  readonly #timeoutMs: number;
  #agent: Promise<Agent> | undefined;

  /** Gives up after `timeoutMs` without a byte from the service. */
  constructor(timeoutMs: number) {
    this.#timeoutMs = timeoutMs;
  }

  /** Sends a request; resolves with the head of the answer. Throws `networkFailure`. Follows no redirects. */
  async post({ url, headers, body }: PostRequest): Promise<HttpAnswer> {
    let sent = false;
    const watched = async function* () {
      yield* body.pieces();
      sent = true;
    };
    this.#agent ??= openAgent(this.#timeoutMs);
    const agent = await this.#agent;
    const options: Dispatcher.RequestOptions = {
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: { ...headers, 'accept-encoding': 'identity', 'content-length': String(body.length) },
    };
    // undici accepts async iterables, though its types do not say so; wrapping one in a stream would cost time.
    const response = await agent
      .request(Object.assign(options, { body: watched() }))
      .catch((error: unknown) => {
        throw networkFailure(error, { sent, answering: false });
      });
    // An error before anyone reads must not end the process; a reader still gets it.
    response.body.on('error', () => {});
    if (COMPRESSED.test(String(response.headers['content-encoding'] ?? ''))) {
      response.body.destroy();
      throw new ServiceFailure('malformed', 'the answer is compressed, though that was not asked for', {
        outcome: 'in-doubt',
      });
    }
    return {
      status: response.statusCode,
      retryAfterMs: readRetryAfter(response.headers['retry-after']?.toString(), Date.now()),
      bytes: answerBytes(response.body),
    };
  }

  /** Closes all connections: running requests fail with `cancelled`. */
  async close(): Promise<void> {
    await (await this.#agent)?.destroy();
  }
}

async function openAgent(timeoutMs: number): Promise<Agent> {
  // The Bot API's calls have loaded undici by now; a static import would load it (0.1 s) before the first of them.
  const { Agent, buildConnector } = await import('undici');
  const connect = buildConnector({ timeout: Math.min(timeoutMs, MAX_CONNECT_MS), allowH2: false });
  return new Agent({
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MS,
    headersTimeout: timeoutMs,
    bodyTimeout: timeoutMs,
    connect: (options, callback) =>
      connect(options, (...[error, socket]) => {
        if (error !== null) return callback(error, null);
        // undici takes a reset (ECONNRESET) for the regular end of a body without length and chunks, so speech cut short would pass for
        // complete. Rename the error before undici sees it.
        socket.prependListener('error', (reason: NodeJS.ErrnoException) => {
          if (reason.code === 'ECONNRESET') reason.code = 'CONNECTION_RESET';
        });
        callback(null, socket);
      }),
  });
}

async function* answerBytes(body: Readable): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw networkFailure(error, { sent: true, answering: true });
  }
}

interface Progress {
  /** True once the whole request was handed to the network; before that, the service cannot have started. */
  readonly sent: boolean;
  /** True once the head of an answer has come. */
  readonly answering: boolean;
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
/** Only `close` closes the connections. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const NOT_HTTP = /^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/;

/**
 * Turns an error of undici or of a socket into a failure: `cancelled` (the client was closed), `in-doubt` (a timeout after the request was
 * sent), `malformed` (the answer is not HTTP), `bad-request` (a header or path that HTTP cannot carry), otherwise `unavailable` (no
 * connection, or a reset). Keeps only the error's code: its message or cause may hold an address with a token.
 */
function networkFailure(error: unknown, { sent, answering }: Progress): ServiceFailure {
  const name = errorName(error);
  if (CLOSED.has(name)) return cancelled(sent ? 'in-doubt' : 'failed');
  if (TIMEOUTS.has(name) && sent) {
    return new ServiceFailure('in-doubt', `no byte from the service in time (${name})`, {
      outcome: 'in-doubt',
    });
  }
  if (name === 'UND_ERR_INVALID_ARG') {
    return new ServiceFailure('bad-request', `the request cannot be sent over HTTP (${name})`);
  }
  if (answering) {
    return new ServiceFailure('unavailable', `the answer broke off (${name})`, { outcome: 'in-doubt' });
  }
  if (NOT_HTTP.test(name)) {
    return new ServiceFailure('malformed', `the answer is not HTTP (${name})`, { outcome: 'in-doubt' });
  }
  return new ServiceFailure('unavailable', `the service could not be reached (${name})`);
}
