/** Calls of the Bot API over HTTP, on connections of our own. */
import type { Agent, Dispatcher } from 'undici';
import { bearsUnaskedContinue } from '../../unasked-continue.ts';
import { resultOf } from './bot-api-answer.ts';
import { requestBody } from './bot-api-request.ts';
import { exchange } from './http-exchange.ts';
import { mostConnectionsToTelegram } from './open-files.ts';

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
}

/** A transport to `apiRoot`, which ends without a slash; whatever the token is part of stays in here. */
export function createTransport(apiRoot: string, token: string): Transport {
  const { origin, pathname } = new URL(`./bot${token}/`, `${apiRoot}/`);
  let opening: Promise<Agent> | undefined;
  const agent = (): Promise<Agent> => {
    opening ??= openAgent().catch((error: unknown) => {
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
  };
}

/**
 * As many connections as there are calls at once, so that a long poll holds nothing up; but only so many that encoders have something
 * left to start with, since each stays open for a while and is needed again for the next life sign.
 */
async function openAgent(): Promise<Agent> {
  // Not before it is needed: it takes a while to load.
  const { Agent, buildConnector } = await import('undici');
  const connect = buildConnector({
    allowH2: false,
    timeout: LONGEST_CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelay: KEEP_ALIVE_PROBE_MS,
  });
  return new Agent({
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
