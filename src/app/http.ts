/** The bot's HTTP server: health, readiness, metrics, and the webhook. */
import { hash, timingSafeEqual } from 'node:crypto';
import Fastify, { type FastifyError, type FastifyInstance, type FastifyReply } from 'fastify';
import { codeOf } from '../errors.ts';
import type { Log } from '../log.ts';
import type { TakeIn } from '../telegram/intake/take-in.ts';
import type { Health } from './health.ts';
import type { Metrics } from './metrics.ts';

// An import of node:http would touch all its exports and load a WebSocket client: 30 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

interface Address {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
}

interface HttpOptions extends Address {
  readonly log: Log;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Undefined: updates come by long polling. */
  readonly webhook?: WebhookOptions | undefined;
}

interface WebhookOptions {
  /** The public address; only its path matters here. */
  readonly url: string;
  readonly secret: string;
  readonly takeIn: TakeIn;
}

/** Telegram opens at most 100 (`setWebhook`); the rest is for probes. More would take file descriptors from the work. */
const MAX_CONNECTIONS = 500;
/** Bounds how long a client may take to send one request, in ms: a slow one must not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Node handles at once all that a client has sent ahead, and keeps the answers until they are taken: 950 MB were seen. */
const MAX_REQUESTS_PER_CONNECTION = 20;

/** Throws Node's error if it cannot listen (`listenProblem`). */
export async function startHttp({ host, port, log, health, metrics, webhook }: HttpOptions) {
  const app = createApp();
  answerErrors(app, log);

  app.get('/healthz', async (_request, reply) => {
    const problem = health.problem();
    return reply.code(problem === undefined ? 200 : 503).send({ healthy: problem === undefined, problem });
  });
  app.get('/readyz', async (_request, reply) => {
    const report = await health.readiness();
    return reply.code(report.ready ? 200 : 503).send(report);
  });
  app.get('/metrics', async (_request, reply) =>
    reply.type(metrics.registry.contentType).send(await metrics.registry.metrics()),
  );
  if (webhook !== undefined) addWebhook(app, webhook, log, health);

  await app.listen({ host, port });
  const address = app.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    close: () => app.close(),
  };
}

/** Without routes. */
function createApp(): FastifyInstance {
  const app = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    maxRequestsPerSocket: MAX_REQUESTS_PER_CONNECTION,
    // A slow client does not hold up a stop; Telegram repeats a delivery that got no answer.
    forceCloseConnections: true,
    // A path that cannot be decoded is not found.
    frameworkErrors: (_error, _request, reply) => refuse(reply, 404),
    // Without this, ajv is loaded: 40 ms of each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  app.server.on('dropRequest', (_request, socket) => socket.destroy());
  return app;
}

/**
 * Stands in for the server while the bot waits for its database: whatever is asked, the answer is 503 and why. It listens from the first
 * reason on, unless the port is taken, as by the very process that is waited for.
 */
export class WaitingPage implements AsyncDisposable {
  readonly #address: Address;
  #reason = '';
  #app: FastifyInstance | undefined;
  #listening: Promise<unknown> = Promise.resolve();

  constructor(address: Address) {
    this.#address = address;
  }

  because(reason: string): void {
    this.#reason = reason;
    if (this.#app !== undefined) return;
    this.#app = createApp();
    this.#app.addHook('onRequest', async (_request, reply) =>
      reply
        .code(503)
        .header('connection', 'close')
        .send({ healthy: false, ready: false, problem: this.#reason }),
    );
    const { host, port } = this.#address;
    this.#listening = this.#app.listen({ host, port }).catch(() => {});
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#listening;
    await this.#app?.close();
  }
}

function noSchemas(): never {
  throw new Error('schemas of routes are not compiled here');
}

/** Answers with the status alone: nothing of the request or the error is repeated. */
function answerErrors(app: FastifyInstance, log: Log): void {
  // Refuse here: later, the body would be read first.
  app.addHook('onRequest', async (request, reply) => {
    if (request.is404) return refuse(reply, 404);
  });
  app.setErrorHandler<FastifyError>((error, _request, reply) => {
    const status = error.statusCode ?? 500;
    if (status >= 500) log.error({ error }, 'answering an HTTP request failed');
    return refuse(reply, status);
  });
}

/** The header in which Telegram sends the secret (Bot API, setWebhook). */
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
/** In bytes, far above any update. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Answers 200 to stored updates (and to anything that is no update, which would only be repeated); 503 to updates that could not be stored
 * and during a stop, so that Telegram repeats them; 401 without the secret, before the body is read.
 */
function addWebhook(
  app: FastifyInstance,
  { url, secret, takeIn }: WebhookOptions,
  log: Log,
  health: Health,
): void {
  const { pathname } = new URL(url);

  // Not as a route: the router would read the secret path as a pattern.
  app.post('*', {
    bodyLimit: MAX_BODY_BYTES,
    onRequest: async (request, reply) => {
      if (request.url.split('?', 1)[0] !== pathname) return refuse(reply, 404);
      if (!isSame(request.headers[SECRET_HEADER], secret)) {
        log.debug('a webhook request without the secret was refused');
        return refuse(reply, 401);
      }
      if (health.intake === 'stopping') return refuse(reply, 503);
    },
    handler: async ({ body }, reply) => {
      try {
        await takeIn([body], false);
      } catch (error) {
        log.error({ error }, 'storing an update failed');
        return refuse(reply, 503);
      }
      return reply.send();
    },
  });
}

/** Closes the connection without reading the rest of the body. */
function refuse(reply: FastifyReply, status: number): FastifyReply {
  return reply
    .code(status)
    .header('connection', 'close')
    .type('text/plain; charset=utf-8')
    .send(`${STATUS_CODES[status] ?? 'Error'}\n`);
}

/** Takes equally long for every wrong value: the time must not reveal how much of it is right. */
function isSame(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === 'string' && timingSafeEqual(sha256(given), sha256(secret));
}

function sha256(text: string): Buffer {
  return hash('sha256', text, 'buffer');
}

/** Tells the operator why the server cannot listen, and what to do. */
export function listenProblem(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `PORT ${port} on HOST ${host} is in use: choose another, or stop the program that listens there`;
  if (code === 'EACCES') return `PORT ${port} needs root: choose a port above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine`;
  return `PORT ${port} on HOST ${host} cannot be opened`;
}
