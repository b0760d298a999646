/** The queue of updates on the configured database, and what is done about those that fail. */
import { isFailure } from '../errors.ts';
import type { OnAlert } from '../interpreter/service-pause.ts';
import type { Log } from '../log.ts';
import type { Metrics } from '../metrics.ts';
import type { Queue, QueueOptions } from '../queue/queue.ts';
import { createSqliteQueue } from '../queue/sqlite.ts';
import type { Database } from '../store/database.ts';
import type { BotApi } from '../telegram/api.ts';
import { isOutage } from '../telegram/api-remedies.ts';
import { apologise } from '../telegram/apology.ts';
import type { Words } from '../telegram/locale.ts';
import { createOwnTrouble } from '../telegram/own-trouble.ts';

interface OpenQueueOptions {
  readonly database: Database;
  readonly workers: number;
  readonly api: BotApi;
  readonly words: Words;
  readonly metrics: Metrics;
  readonly log: Log;
  readonly alert: OnAlert;
}

/** A queue that handles nothing before its `start`; when it cannot write updates down, whoever runs the bot is told. */
export async function openQueue(options: OpenQueueOptions): Promise<Queue> {
  const { database, workers, api, words, metrics, log, alert } = options;
  const behaviour: QueueOptions = {
    workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'ledger'),
    onFailure: (error) => log.error({ error }, 'an update could not be handled, and is tried again'),
    ownTrouble: createOwnTrouble(api, words),
    onSetAside: (bodies, reason, isTold) => {
      metrics.setAside(bodies.length);
      log.error({ reason }, 'an update was set aside');
      if (!isTold) apologise(api, words, log, bodies[0]);
    },
  };
  const open = async (): Promise<Queue> => {
    if (database.engine === 'sqlite') {
      return createSqliteQueue(database.sql, behaviour, database.soon, database.flushed);
    }
    // Not loaded by a bot on SQLite: see openDatabase.
    const { openPostgresQueue } = await import('../queue/postgres.ts');
    return openPostgresQueue(database, { ...behaviour, log });
  };
  const queue = await open();
  return {
    ...queue,
    push: async (updates) => {
      try {
        await queue.push(updates);
      } catch (error) {
        if (isFailure(error, 'ledger')) alert({ reason: 'ledger' });
        throw error;
      }
    },
  };
}
