/** HTTP to the service: POST alone, over its own connection pool, with every kind of break told apart. */
import { pipeline, type Readable, type Transform } from 'node:stream';
import {
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  createZstdDecompress,
} from 'node:zlib';
import type { Agent, Dispatcher } from 'undici';
import { errorName } from '../calls/events.ts';
import { cancelled, orAbort, ServiceFailure } from '../calls/failure.ts';
import type { RequestBody } from './request-body.ts';

interface PostRequest {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: RequestBody;
  readonly signal: AbortSignal;
}

export interface Answer {
  /** Not documented (service-interface §4): the body tells success from failure. */
  readonly status: number;
  readonly contentType: string;
  readonly retryAfter: string | undefined;
  /** The body as it comes; leaving the loop early closes the connection. Throws `networkFailure`. */
  readonly bytes: AsyncIterable<Buffer>;
}

export interface Transport {
  /** Sends a request; resolves with the head of the answer. Throws `networkFailure`. Redirects are not followed. */
  post(request: PostRequest): Promise<Answer>;
  /** Closes all connections. */
  close(): Promise<void>;
}

/** Creates a transport that gives up after `timeoutMs` without a byte from the service. */
export function createTransport(timeoutMs: number): Transport {
  let opening: Promise<Agent> | undefined;
  const open = async (): Promise<Agent> => {
    // The Bot API's calls have loaded undici by now; a static import would load it before the first of them is due.
    const { createAgent } = await import('./agent.ts');
    return createAgent(timeoutMs);
  };

  return {
    async post({ url, headers, body, signal }) {
      let sent = false;
      const watched = async function* () {
        yield* body.pieces();
        sent = true;
      };
      try {
        opening ??= open().catch((error: unknown) => {
          opening = undefined;
          throw error;
        });
        const agent = await opening;
        const options: Dispatcher.RequestOptions = {
          method: 'POST',
          origin: url.origin,
          path: url.pathname + url.search,
          headers: { ...headers, 'accept-encoding': 'identity', 'content-length': String(body.length) },
          signal,
        };
        // undici writes async iterables, though its types do not say so; a stream around it would cost time.
        const request = agent.request(Object.assign(options, { body: watched() }));
        // undici notices an abort only once connected, which may be late.
        const response = await orAbort(request, signal);
        const content = await decoded(response.body, single(response.headers['content-encoding']));
        return {
          status: response.statusCode,
          contentType: single(response.headers['content-type']) ?? '',
          retryAfter: single(response.headers['retry-after']),
          bytes: answerBytes(content, signal),
        };
      } catch (error) {
        // After an abort the failure is made anew: only here it is known how far the request had come.
        if (error instanceof ServiceFailure && !signal.aborted) throw error;
        throw networkFailure(error, { sent, answering: false, aborted: signal.aborted });
      }
    },
    close: async () => (await opening)?.destroy(),
  };
}

function answerBytes(body: Readable, signal: AbortSignal): AsyncIterable<Buffer> {
  // An error before anyone reads must not end the process; the reader below gets it all the same.
  body.on('error', () => {});
  return {
    async *[Symbol.asyncIterator]() {
      try {
        yield* body;
      } catch (error) {
        throw networkFailure(error, { sent: true, answering: true, aborted: signal.aborted });
      }
    },
  };
}

function single(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}

export interface Progress {
  /** True once the whole request was handed to the network; before that, the service cannot have begun. */
  readonly sent: boolean;
  /** True once the head of an answer has come. */
  readonly answering: boolean;
  /** True if the caller gave up. */
  readonly aborted: boolean;
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const NOT_HTTP = /^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/;

/**
 * Turns an error of undici or of a socket into a failure: `cancelled` (the caller's abort), `in-doubt` (a timeout after the request was
 * sent), `malformed` (no HTTP came back), `bad-request` (a header or path that HTTP cannot carry), otherwise `unavailable` (no connection,
 * or a reset). Only the error's code is kept: its message or cause may hold an address with a token.
 */
export function networkFailure(error: unknown, { sent, answering, aborted }: Progress): ServiceFailure {
  const name = errorName(error);
  if (aborted || CLOSED.has(name)) return cancelled(sent ? 'in-doubt' : 'failed');
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

/** Makes the decoder of an encoding, given the first bytes of the body, or none if they are unknown. */
type Decoding = (beginning: Buffer) => Transform;

/** `deflate` means zlib's format, but some servers send raw deflate data (RFC 9110 §8.4.1.2); the first byte tells. */
const deflate: Decoding = ([first = 8]) => ((first & 0x0f) === 8 ? createInflate() : createInflateRaw());

const DECODINGS: ReadonlyMap<string, Decoding> = new Map([
  ['gzip', () => createGunzip()],
  ['x-gzip', () => createGunzip()],
  ['deflate', deflate],
  ['br', () => createBrotliDecompress()],
  ['zstd', () => createZstdDecompress()],
]);
/** Values that servers send although nothing is encoded. */
const NONE: ReadonlySet<string> = new Set(['', 'identity', 'none', 'utf-8', 'utf8', 'binary']);
/** No server has a reason for more. */
const MOST_LAYERS = 2;
/** Every JSON answer begins with `{`, and nothing compressed does, whatever the header says. Sound has no such sign. */
const BRACE = 0x7b;

/**
 * Undoes compression that was not asked for: a proxy on the way may add it all the same, or only claim it. Decodes the body as it comes;
 * the reader's own limits stop a decompression bomb. Destroying the result destroys `body`. Throws
 * `malformed` for an unknown encoding: compressed speech must not pass for sound.
 */
async function decoded(body: Readable, encoding = ''): Promise<Readable> {
  const names = encoding.split(',').map((name) => name.trim().toLowerCase());
  const layers = names.filter((name) => !NONE.has(name)).reverse();
  if (layers.length === 0) return body;
  const beginning = await beginningOf(body);
  if (beginning[0] === BRACE) return body;
  const decodings = layers.flatMap((name) => DECODINGS.get(name) ?? []);
  if (decodings.length < layers.length || layers.length > MOST_LAYERS) {
    // A body of undici's that is destroyed unread emits an error, which would end the process without a listener.
    body.on('error', () => {}).destroy();
    throw new ServiceFailure('malformed', 'the answer is in an unknown encoding', { outcome: 'in-doubt' });
  }
  const unknown = Buffer.alloc(0);
  const decoders = decodings.map((decoding, index) => decoding(index === 0 ? beginning : unknown));
  // An error anywhere in the chain surfaces where the result is read.
  return decoders.reduce<Readable>((source, decoder) => pipeline(source, decoder, () => {}), body);
}

/** Peeks at the first bytes of a body; empty if it has none, or breaks. */
function beginningOf(body: Readable): Promise<Buffer> {
  const { promise, resolve } = Promise.withResolvers<Buffer>();
  const look = (): void => {
    const bytes: unknown = body.read();
    if (!Buffer.isBuffer(bytes)) return;
    body.unshift(bytes);
    end(bytes);
  };
  const end = (bytes: Buffer = Buffer.alloc(0)): void => {
    body.off('readable', look).off('end', onEnd).off('close', onEnd);
    resolve(bytes);
  };
  const onEnd = (): void => end();
  // Without this listener an error would end the process; the reader gets it all the same.
  body.on('error', onEnd).on('readable', look).once('end', onEnd).once('close', onEnd);
  return promise;
}
