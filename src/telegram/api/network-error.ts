/** That no answer of Telegram's came. */
import { codeOf } from '../../errors.ts';

/**
 * The call got no answer, or none in the Bot API's form; Telegram may have done the work all the same. The error below is dropped,
 * for its message may hold an address, and that holds the token: only its code is told.
 */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
  /** A socket's (`ECONNREFUSED`), undici's (`UND_ERR_SOCKET`), or one of our own (`TIMEOUT`). */
  readonly code: string;

  constructor(code: string) {
    super(`no answer from Telegram (${code})`);
    this.code = code;
  }
}

/** What an error of undici or of a socket comes to. */
export function networkError(error: unknown): NetworkError {
  if (!(error instanceof Error)) return new NetworkError(typeof error);
  return new NetworkError(codeOf(error) ?? error.name);
}
