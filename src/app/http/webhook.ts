/** The webhook: accepts updates only from Telegram, and confirms each once it is stored in the queue (spec §5, §6). */
import { hash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance, FastifyReply } from 'fastify';
import type { Log } from '../../log.ts';
import type { TakeIn } from '../../telegram/intake/take-in.ts';
import { isUpdate } from '../../telegram/request/update.ts';
import type { Health } from './health.ts';

// An import of node:http would touch all its exports and load a WebSocket client: 30 ms of each start.
const { STATUS_CODES } = process.getBuiltinModule('node:http');

export interface WebhookOptions {
  /** The public address; only its path matters here. */
  readonly url: string;
  readonly secret: string;
  readonly takeIn: TakeIn;
}

/** The header in which Telegram sends the secret (Bot API, setWebhook). */
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
/** In bytes, far above any update. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Answers 200 to stored updates (and to anything that is no update, which would only be repeated); 503 to updates that could not be stored
 * and during a stop, so that Telegram repeats them; 401 without the secret, before the body is read.
 */
export function addWebhook(
  app: FastifyInstance,
  { url, secret, takeIn }: WebhookOptions,
  log: Log,
  health: Health,
): void {
  const { pathname } = new URL(url);
  const store = watched(takeIn, health);

  // The router would take the path itself for a pattern.
  app.post('*', {
    bodyLimit: MAX_BODY_BYTES,
    onRequest: async (request, reply) => {
      if (request.url.split('?', 1)[0] !== pathname) return refuse(reply, 404);
      if (!isSame(request.headers[SECRET_HEADER], secret)) {
        log.debug('a webhook request without the secret was refused');
        return refuse(reply, 401);
      }
      if (health.isStopping) return refuse(reply, 503);
    },
    handler: async ({ body }, reply) => {
      if (!isUpdate(body)) {
        log.warn('a webhook request contained no update');
        return reply.send();
      }
      try {
        await store([body], false);
      } catch (error) {
        log.error({ error }, 'storing an update failed');
        return refuse(reply, 503);
      }
      return reply.send();
    },
  });
}

/** Answers with the status and its standard text alone, and closes the connection without reading the rest of the body. */
export function refuse(reply: FastifyReply, status: number): FastifyReply {
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

/** Wraps `takeIn` for the health check: the intake must move while updates are being stored, and is idle when none is. */
function watched(takeIn: TakeIn, health: Health): TakeIn {
  let underWay = 0;
  return async (bodies, isLate) => {
    if (underWay === 0) health.intakeMoved();
    underWay += 1;
    try {
      await takeIn(bodies, isLate);
    } finally {
      underWay -= 1;
      if (underWay === 0) health.intakeRests();
      else health.intakeMoved();
    }
  };
}
