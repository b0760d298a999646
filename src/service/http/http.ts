/** HTTP to the service: POST requests over its own connection pool, with a failure for each kind of break. */
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Agent, Dispatcher } from 'undici';
import { errorName } from '../../errors.ts';
import { cancelled, ServiceFailure } from '../calls/failure.ts';

export type FormField = readonly [name: string, value: string | Uint8Array];

/** Divisible by 3, so that base64 padding comes only at the end; each piece takes about 0.2 ms. */
const PIECE_BYTES = 48_000;

/** Bytes are base64 and then URL encoded (service-interface §4.2): up to 14 MB, so it yields to the event loop between pieces. */
export async function formBody(fields: readonly FormField[]): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for (const [name, value] of fields) {
    if (pieces.length > 0) pieces.push(Buffer.from('&'));
    if (typeof value === 'string') {
      pieces.push(Buffer.from(new URLSearchParams([[name, value]]).toString()));
      continue;
    }
    pieces.push(Buffer.from(`${name}=`));
    for (let start = 0; start < value.length; start += PIECE_BYTES) {
      await nextTurn();
      pieces.push(escapedBase64(value.subarray(start, start + PIECE_BYTES)));
    }
  }
  return Buffer.concat(pieces);
}

/** `replaceAll` takes two thirds of the time of `encodeURIComponent`, and base64 needs no more. */
function escapedBase64(bytes: Uint8Array): Buffer {
  const base64 = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('base64');
  return Buffer.from(base64.replaceAll('+', '%2B').replaceAll('/', '%2F').replaceAll('=', '%3D'), 'latin1');
}

interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Buffer;
}

export interface HttpAnswer {
  /** Undocumented (service-interface §4): the body decides success or failure. */
  readonly status: number;
  /** The header `Retry-After`. */
  readonly retryAfter: string | undefined;
  /** The body as it arrives; leaving the loop early closes the connection. Throws `networkFailure`. */
  readonly bytes: AsyncIterable<Buffer>;
}

/** In ms, shorter than any server keeps a connection: a POST on a connection that its server is closing would be a paid call in doubt. */
const KEEP_ALIVE_MS = 2_000;
/** In ms: a live host accepts a connection within this time, even if a few packets are lost. */
const MAX_CONNECT_MS = 10_000;
/** In bytes: 35 minutes of speech; the longest text (3000 characters, service-interface §8) takes some ten. */
const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/** How long an answer may come, in ms: the longest speech takes 15 minutes, spoken in real time. A byte now and then is no answer. */
const MAX_ANSWER_MS = 20 * 60 * 1000;

/** Connections to the service, opened on demand. */
export class Http {
  readonly #timeoutMs: number;
  readonly #maxAnswerMs: number;
  #agent: Promise<Agent> | undefined;

  /** Gives up after `timeoutMs` without a byte from the service, or at the first byte after `maxAnswerMs`. */
  constructor(timeoutMs: number, maxAnswerMs = MAX_ANSWER_MS) {
    this.#timeoutMs = timeoutMs;
    this.#maxAnswerMs = maxAnswerMs;
  }

  /** Resolves with the head of the answer. Throws `networkFailure`. Follows no redirects. */
  async post({ url, headers, body }: PostRequest): Promise<HttpAnswer> {
    this.#agent ??= openAgent(this.#timeoutMs);
    const agent = await this.#agent;
    const bytes = typeof body === 'string' ? Buffer.from(body) : body;
    let isSent = false;
    // undici asks for a piece when the network has taken the one before.
    const pieces = async function* () {
      for (let start = 0; start < bytes.length; start += PIECE_BYTES)
        yield bytes.subarray(start, start + PIECE_BYTES);
      isSent = true;
    };
    const options: Dispatcher.RequestOptions = {
      method: 'POST',
      origin: url.origin,
      path: url.pathname + url.search,
      headers: {
        ...headers,
        'accept-encoding': 'identity',
        'content-length': String(bytes.length),
      },
    };
    // undici accepts async iterables, though its types do not say so.
    const response = await agent
      .request(Object.assign(options, { body: pieces() }))
      .catch((error: unknown) => {
        throw networkFailure(error, isSent ? 'sent' : 'sending');
      });
    // An error before anyone reads must not end the process; a reader still gets it.
    response.body.on('error', () => {});
    return {
      status: response.statusCode,
      retryAfter: response.headers['retry-after']?.toString(),
      bytes: answerBytes(response.body, this.#maxAnswerMs),
    };
  }

  /** Running requests fail with `cancelled`. */
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
    maxResponseSize: MAX_ANSWER_BYTES,
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

async function* answerBytes(body: Readable, maxMs: number): AsyncGenerator<Buffer> {
  const until = performance.now() + maxMs;
  try {
    for await (const chunk of body) {
      if (performance.now() > until) throw new Error('the answer does not end');
      yield chunk;
    }
  } catch (error) {
    throw networkFailure(error, 'answering');
  }
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
/** Only `close` closes the connections. */
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const NOT_HTTP = /^HPE_|^HTTPParserError$/;

/**
 * Returns `cancelled` if the client was closed, `in-doubt` for a timeout while the service may work, `bad-request` for a header or path
 * that HTTP cannot carry, otherwise `unavailable` (no connection, a reset, no HTTP). `stage`: the service cannot begin before it has the
 * whole request; once it answers, its head has come. Keeps only the error's code: its message or cause may hold an address with a token.
 */
function networkFailure(error: unknown, stage: 'sending' | 'sent' | 'answering'): ServiceFailure {
  const name = errorName(error);
  if (CLOSED.has(name)) return cancelled(stage === 'sending' ? 'failed' : 'in-doubt');
  if (TIMEOUTS.has(name) && stage !== 'sending') {
    return new ServiceFailure('in-doubt', `no byte from the service in time (${name})`, {
      outcome: 'in-doubt',
    });
  }
  if (name === 'UND_ERR_INVALID_ARG') {
    return new ServiceFailure('bad-request', `the request cannot be sent over HTTP (${name})`);
  }
  if (stage === 'answering' || NOT_HTTP.test(name)) {
    return new ServiceFailure('unavailable', `the answer broke off (${name})`, { outcome: 'in-doubt' });
  }
  return new ServiceFailure('unavailable', `the service could not be reached (${name})`);
}
