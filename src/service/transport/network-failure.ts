/** What a broken exchange over the network means: whether the service can have done the work, and so may be asked again. */
import { errorName } from '../events.ts';
import { cancelled, ServiceFailure } from '../failure.ts';

export interface Progress {
  /** True once the whole request was handed to the network; before that the service cannot have begun. */
  readonly sent: boolean;
  /** True once the head of an answer came. */
  readonly answering: boolean;
  /** True when the caller gave up. */
  readonly aborted: boolean;
}

const TIMEOUTS = new Set(['UND_ERR_HEADERS_TIMEOUT', 'UND_ERR_BODY_TIMEOUT', 'ETIMEDOUT']);
const CLOSED = new Set(['UND_ERR_DESTROYED', 'UND_ERR_CLOSED']);
const NOT_HTTP = /^(HPE_|HTTPParserError$|UND_ERR_HEADERS_OVERFLOW$|UND_ERR_RES_CONTENT_LENGTH_MISMATCH$)/;

/**
 * The failure behind an error of undici or of a socket:
 * `cancelled` (the caller's abort), `in-doubt` (a timeout after the request was sent), `malformed` (no HTTP came back),
 * `bad-request` (a header or path that HTTP cannot carry), else `unavailable` (no connection, or a reset).
 * The error itself is dropped, for its message or cause may hold an address with a token; only its code is told.
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
