/** HTTP to the service: POST alone, over its own connection pool, with every kind of break told apart. */
import type { Readable } from 'node:stream';
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

/** Some servers name a character set where the encoding belongs. */
const COMPRESSED = /gzip|deflate|compress|br|zstd/i;

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
        if (COMPRESSED.test(single(response.headers['content-encoding']) ?? '')) {
          // A body of undici's that is destroyed unread emits an error, which would end the process without a listener.
          response.body.on('error', () => {}).destroy();
          throw new ServiceFailure('malformed', 'the answer is compressed, though that was not asked for', {
            outcome: 'in-doubt',
          });
        }
        return {
          status: response.statusCode,
          contentType: single(response.headers['content-type']) ?? '',
          retryAfter: single(response.headers['retry-after']),
          bytes: answerBytes(response.body, signal),
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
