/** One HTTP exchange: a request, its whole response, and a time limit that the other side cannot stretch. */
import type { Dispatcher } from 'undici';
import { codeOf } from '../../errors.ts';

export interface RequestBody {
  readonly contentType: string;
  readonly content: string | Buffer;
}

/** The parts of an HTTP response that matter here. */
export interface WholeResponse {
  readonly status: number;
  readonly statusText: string;
  readonly body: string;
}

interface ExchangeOptions {
  readonly origin: string;
  readonly path: string;
  readonly body: RequestBody;
  /** From the start to the last byte of the response, in ms. */
  readonly timeoutMs: number;
  readonly signal: AbortSignal | undefined;
}

/**
 * Sends a POST and gives the whole response. Throws `NetworkError` (`ABORTED`, `TIMEOUT`, …) at once, even before the connection stands,
 * and leaves no connection and no timer behind. It handles undici's events itself, with one timer and one listener; `request` would
 * need a signal of its own for each call.
 */
export function exchange(dispatcher: Dispatcher, options: ExchangeOptions): Promise<WholeResponse> {
  const { origin, path, body, timeoutMs, signal } = options;
  const answered = Promise.withResolvers<WholeResponse>();
  const chunks: Buffer[] = [];
  let head = { status: 0, statusText: '' };
  let controller: Dispatcher.DispatchController | undefined;
  let failure: NetworkError | undefined;
  let lastLook: NodeJS.Immediate | undefined;

  const release = (): void => {
    clearTimeout(timer);
    clearImmediate(lastLook);
    signal?.removeEventListener('abort', onAbort);
  };
  const giveUp = (error: NetworkError): void => {
    if (failure !== undefined) return;
    failure = error;
    release();
    answered.reject(error);
    controller?.abort(error);
  };
  const onAbort = (): void => giveUp(new NetworkError('ABORTED'));
  // Reads first what has arrived: after a stop of the process (SIGSTOP) the timer fires before the waiting bytes are read.
  const timer = setTimeout(() => {
    lastLook = setImmediate(giveUp, new NetworkError('TIMEOUT'));
  }, timeoutMs);
  signal?.addEventListener('abort', onAbort, { once: true });
  if (signal?.aborted) onAbort();

  const request: Dispatcher.DispatchOptions = {
    method: 'POST',
    origin,
    path,
    headers: ['content-type', body.contentType],
    body: body.content,
  };
  if (failure === undefined) {
    dispatcher.dispatch(request, {
      onRequestStart(given) {
        controller = given;
        if (failure !== undefined) given.abort(failure);
      },
      onResponseStart(_, status, headers, statusText = '') {
        head = { status, statusText };
        // We did not ask for it, and a few kilobytes could unpack to any size.
        if ((headers['content-encoding'] ?? 'identity') !== 'identity')
          giveUp(new NetworkError('COMPRESSED'));
      },
      onResponseData(_, chunk) {
        chunks.push(chunk);
      },
      onResponseEnd() {
        release();
        answered.resolve({ ...head, body: Buffer.concat(chunks).toString('utf8') });
      },
      onResponseError(_, error) {
        giveUp(networkError(error));
      },
    });
  }
  return answered.promise;
}

/**
 * The call got no response, or none in the Bot API's form; Telegram may have done the work all the same. It keeps only the code of the
 * error below, whose message may hold an address, and with it the token.
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

function networkError(error: unknown): NetworkError {
  if (!(error instanceof Error)) return new NetworkError(typeof error);
  return new NetworkError(codeOf(error) ?? error.name);
}
