/** The parts of the bot that stand before it reaches Telegram: what it keeps, what it can do, and the line in which updates wait. */
import type { Config } from '../config.ts';
import type { OnAlert } from '../interpreter/alert.ts';
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { createMetrics, type Metrics } from '../metrics.ts';
import { createAlerts } from '../telegram/answer/alerts.ts';
import { BotApi } from '../telegram/api/api.ts';
import { loadWords, type Words } from '../telegram/locale.ts';
import { type Abilities, createAbilities } from './abilities.ts';
import { openRecords, type Records } from './records.ts';
import { openWatchedQueue, type WatchedQueue } from './watched-queue.ts';

/** One of each. */
export interface Parts extends Abilities {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly words: Words;
  readonly records: Records;
  readonly metrics: Metrics;
  readonly api: BotApi;
  readonly alert: OnAlert;
  readonly queue: WatchedQueue;
}

interface PartsOptions {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly voiceEncoder: VoiceEncoder;
  /** Ends the waiting for a database that another process has, or that is away. */
  readonly stop: AbortSignal;
  /** Takes what ends the parts again. */
  readonly ends: AsyncDisposableStack;
}

/**
 * Nothing is handled yet. Where the database or the queue cannot be had the reason is told on standard error, the start fails, and
 * undefined is given, as it is when `stop` aborts meanwhile.
 */
export async function openParts(options: PartsOptions): Promise<Parts | undefined> {
  const { config, version, log, voiceEncoder, stop, ends } = options;
  const words = loadWords(new URL('../../locales/', import.meta.url));
  const records = await openRecords({ config, log, stop, ends });
  if (records === undefined) return undefined;
  const { database, sessions, spentTodayYuan } = records;
  const metrics = createMetrics({ version, queueDepth: () => queue.depth(), spentTodayYuan });
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => {
      metrics.telegramRetried(method);
      log.warn({ method, error }, 'a call to Telegram is repeated');
    },
  });
  const alert = createAlerts({ api, adminIds: config.adminIds, words, sessions, log });
  const abilities = createAbilities({ config: config.service, voiceEncoder, records, metrics, log, alert });
  const { workers } = config;
  const shared = { api, words, metrics, log, alert };
  const opened = await openWatchedQueue({ config: config.database, database, workers, stop, ...shared });
  if (opened === undefined) return undefined;
  const queue = opened;
  // For a start that fails; one that succeeds stops it earlier and longer.
  ends.defer(() => queue.stop(0));
  return { config, version, records, queue, ...shared, ...abilities };
}
