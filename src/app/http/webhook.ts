/** The webhook: takes updates from Telegram alone, and confirms one only when it is safe in the queue (spec §5, §6). */
import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import type { Log } from '../../log.ts';
import type { Queue } from '../../queue/queue.ts';
import type { OnReceived, Receive } from '../../telegram/intake/intake.ts';
import { isUpdate } from '../../telegram/intake/usable-update.ts';
import { refuse } from './guard.ts';
import type { Health } from './health.ts';
import type { Readiness } from './readiness.ts';

export interface WebhookOptions {
  /** The public address that Telegram was given; only its path matters here. */
  readonly url: string;
  readonly secret: string;
  readonly queue: Pick<Queue, 'push'>;
  readonly receive: Receive;
  /** Called for each update once it is safe in the queue, beside its lane: for what must not wait (acknowledging a callback query). */
  readonly onReceived: OnReceived;
}

interface Surroundings {
  readonly log: Log;
  readonly health: Health;
  readonly readiness: Readiness;
}

/** Bot API, setWebhook: where Telegram repeats the secret. */
const SECRET_HEADER = 'x-telegram-bot-api-secret-token';
/** Far above any update, in bytes. */
const MAX_BODY_BYTES = 1024 * 1024;

/**
 * Answers 200 to what is in the queue (and to what is no update at all, which would only come again), 503 to what could not
 * be written and while the process stops, so that Telegram repeats it; 401 without the secret, before anything of the body is read.
 */
export function addWebhook(
  app: FastifyInstance,
  { url, secret, queue, receive, onReceived }: WebhookOptions,
  { log, health, readiness }: Surroundings,
): void {
  const { pathname } = new URL(url);
  const push = watched(queue, health);

  // Not the path itself, which the router would read as a pattern.
  app.post('*', {
    bodyLimit: MAX_BODY_BYTES,
    onRequest: async (request, reply) => {
      if (request.url.split('?', 1)[0] !== pathname) return refuse(reply, 404);
      if (!isSame(request.headers[SECRET_HEADER], secret)) {
        log.debug('a webhook request without the secret was refused');
        return refuse(reply, 401);
      }
      if (readiness.isStopping) return refuse(reply, 503);
    },
    handler: async ({ body }, reply) => {
      if (!isUpdate(body)) {
        log.warn('a webhook request held no update');
        return reply.send();
      }
      const received = receive(body);
      try {
        if (received.queued !== undefined) await push([received.queued]);
      } catch (error) {
        log.error({ error }, 'an update could not be written');
        return refuse(reply, 503);
      }
      onReceived(received, false);
      return reply.send();
    },
  });
}

/** Takes as long for every wrong value: how much of it is right cannot be told from the time. */
function isSame(given: string | string[] | undefined, secret: string): boolean {
  return typeof given === 'string' && timingSafeEqual(sha256(given), sha256(secret));
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

/** Pushes that tell how the intake moves: it must while any is under way, and rests when none is. */
function watched(queue: Pick<Queue, 'push'>, health: Health): Queue['push'] {
  let underWay = 0;
  return async (updates) => {
    if (underWay === 0) health.intakeMoved();
    underWay += 1;
    try {
      await queue.push(updates);
    } finally {
      underWay -= 1;
      if (underWay === 0) health.intakeRests();
      else health.intakeMoved();
    }
  };
}
