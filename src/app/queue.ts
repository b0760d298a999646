/** The queue of updates on the configured database, and the handling of updates that fail. */
import { isFailure } from '../errors.ts';
import type { Log } from '../log.ts';
import { openQueue } from '../queue/open-queue.ts';
import type { Queue, QueueOptions } from '../queue/queue.ts';
import type { OnAlert } from '../telegram/answer/alerts.ts';
import type { BotApi } from '../telegram/api/api.ts';
import { isOutage } from '../telegram/api/api-errors.ts';
import { apologise, apologiseAsGuest, createOwnOutage } from '../telegram/intake/giving-up.ts';
import type { Words } from '../telegram/locale.ts';
import { isIgnored } from '../telegram/middleware/admission.ts';
import type { Config } from './config.ts';
import type { Stores } from './database.ts';
import type { Metrics } from './metrics.ts';

interface QueueDeps {
  readonly config: Config;
  readonly stores: Stores;
  readonly api: BotApi;
  readonly words: Words;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly alert: OnAlert;
}

/** The problem in words for the operator. */
const UNWRITTEN =
  'updates have come and could not be written into the database; they wait at Telegram: see the log';

/** A queue that can tell why it takes no updates in. */
export interface WatchedQueue extends Queue {
  /** `UNWRITTEN` after a push that the database refused, until one succeeds. */
  problem(): string | undefined;
}

/** Opens the queue, which handles nothing before its `start`; alerts the operator when it cannot write updates. */
export async function openWatchedQueue({
  config,
  stores,
  api,
  words,
  metrics,
  log,
  alert,
}: QueueDeps): Promise<WatchedQueue> {
  const apologiseUnlessIgnored = async (update: unknown, isTold: boolean): Promise<void> => {
    if (await isIgnored(stores.access, update)) return;
    if (!isTold) apologise(api, words, log, update);
    await apologiseAsGuest({ api, words, log }, stores.guestAnswers, update);
  };
  const behaviour: QueueOptions = {
    workers: config.workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'database'),
    onFailure: (error) => log.error({ error }, 'an update could not be handled, and is tried again'),
    ownOutage: createOwnOutage(api, words),
    onDeadLetter: (bodies, reason, isTold) => {
      metrics.deadLetters(bodies.length);
      log.error({ reason }, 'an update became a dead letter');
      void apologiseUnlessIgnored(bodies[0], isTold);
    },
  };
  const queue = await openQueue(stores.database, { ...behaviour, log });
  let problem: string | undefined;
  return {
    ...queue,
    problem: () => problem,
    push: async (updates) => {
      try {
        await queue.push(updates);
        problem = undefined;
      } catch (error) {
        if (isFailure(error, 'database')) {
          problem = UNWRITTEN;
          alert({ reason: 'database' });
        }
        throw error;
      }
    },
  };
}
