/** The bot's HTTP server: health, readiness, metrics, and the webhook (spec §7). */
import type { Socket } from 'node:net';
import Fastify, { type FastifyError, type FastifyInstance } from 'fastify';
import { codeOf } from '../../errors.ts';
import type { Log } from '../../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Health } from './health.ts';
import { addWebhook, refuse, type WebhookOptions } from './webhook.ts';

interface HttpOptions {
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  readonly log: Log;
  readonly health: Health;
  readonly metrics: Metrics;
  /** Undefined: updates come by long polling. */
  readonly webhook?: WebhookOptions | undefined;
}

/** HOST and PORT cannot be used; the message gives the reason and the remedy. */
export class CannotListen extends Error {
  override readonly name = 'CannotListen';
}

/** Telegram opens at most 100 (`setWebhook`); the rest is for probes. More would take file descriptors from the work. */
const MAX_CONNECTIONS = 500;
/** Maximum time for a client to send one request, in ms: a slow client must not hold a connection for ever. */
const REQUEST_TIMEOUT_MS = 15_000;
/** Time that a stop waits for slow clients, in ms. */
const CLOSE_GRACE_MS = 2000;

/** Starts the server. Throws `CannotListen`. */
export async function startHttp({ host, port, log, health, metrics, webhook }: HttpOptions) {
  const app = Fastify({
    requestTimeout: REQUEST_TIMEOUT_MS,
    // A path that cannot be decoded is not found.
    frameworkErrors: (_error, _request, reply) => refuse(reply, 404),
    // Without this, ajv is loaded: 40 ms of each start.
    schemaController: { compilersFactory: { buildValidator: noSchemas, buildSerializer: noSchemas } },
  });
  app.server.maxConnections = MAX_CONNECTIONS;
  boundPipelining(app);
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
    reply.type(metrics.contentType).send(await metrics.render()),
  );
  if (webhook !== undefined) addWebhook(app, webhook, log, health);

  await app.listen({ host, port }).catch(async (error: unknown) => {
    await app.close();
    throw new CannotListen(listenProblem(error, host, port), { cause: error });
  });
  const address = app.server.address();
  return {
    port: typeof address === 'object' && address !== null ? address.port : port,
    /** Takes no more requests; resolves when the open ones are answered. */
    close: async (): Promise<void> => {
      const cutting = setTimeout(() => app.server.closeAllConnections(), CLOSE_GRACE_MS);
      await app.close();
      clearTimeout(cutting);
    },
  };
}

/** Node keeps reading while answers are outstanding, and handles everything that it has read at once: 950 MB were seen. */
const MAX_UNANSWERED = 10;

/** Closes connections with more unanswered requests than that. */
function boundPipelining(app: FastifyInstance): void {
  const unanswered = new WeakMap<Socket, number>();
  app.addHook('onRequest', async ({ raw: { socket } }, reply) => {
    const before = unanswered.get(socket) ?? 0;
    if (socket.destroyed || before >= MAX_UNANSWERED) {
      socket.destroy();
      return reply.hijack();
    }
    unanswered.set(socket, before + 1);
    reply.raw.once('close', () => unanswered.set(socket, (unanswered.get(socket) ?? 1) - 1));
  });
}

/** No route has a schema to compile. */
function noSchemas(): never {
  throw new Error('schemas of routes are not compiled here');
}

/** Answers errors with the status alone; repeats nothing of the request or the error. */
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

/** Returns why an HTTP server cannot listen there, and what to do. */
export function listenProblem(error: unknown, host: string, port: number): string {
  const code = codeOf(error);
  if (code === 'EADDRINUSE')
    return `PORT ${port} on HOST ${host} is in use: choose another, or stop the program that listens there`;
  if (code === 'EACCES') return `PORT ${port} needs root: choose a port above 1023`;
  if (code === 'EADDRNOTAVAIL' || code === 'ENOTFOUND')
    return `HOST ${host} is not an address of this machine`;
  return `PORT ${port} on HOST ${host} cannot be opened`;
}
