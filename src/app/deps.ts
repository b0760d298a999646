/** Creates the bot's dependencies, one of each, and those that handlers get. */
import type { UserFromGetMe } from 'telegraf/types';
import { VOCABULARY } from '../bot.ts';
import { isFailure } from '../errors.ts';
import { createInterpreter, type Interpreter } from '../interpreter/interpreter.ts';
import type { Provider } from '../interpreter/provider.ts';
import type { Log } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { MAX_WAITING, Queue, QueueIsFull } from '../queue/queue.ts';
import type { NewRequest, RequestRow } from '../queue/request-row.ts';
import type { ServiceEvent } from '../service/calls/events.ts';
import { Service } from '../service/client.ts';
import { orDatabaseFailure } from '../store/database-errors.ts';
import { forgetPerson, forgetResults } from '../store/erasure.ts';
import { Groups } from '../store/kept/groups.ts';
import { createTokenStore } from '../store/kept/tokens.ts';
import {
  createAlerts,
  createBudgetNotices,
  createTellAdmins,
  type OnAlert,
  type TellAdmins,
} from '../telegram/answer/alerts.ts';
import { BotApi } from '../telegram/api/api.ts';
import { isOutage, retryAfterMs } from '../telegram/api/api-errors.ts';
import type { HandlerDeps } from '../telegram/deps.ts';
import { apologise, apologiseAsGuest } from '../telegram/intake/giving-up.ts';
import { loadWords, type Words } from '../telegram/locale.ts';
import { isIgnored } from '../telegram/middleware/admission.ts';
import type { Config } from './config.ts';
import { openStores, type Stores } from './database.ts';
import { createMetrics, type Metrics } from './metrics.ts';

/** The dependencies that exist before Telegram is reached. */
export interface Deps {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly words: Words;
  readonly stores: Stores;
  readonly metrics: Metrics;
  readonly api: BotApi;
  readonly alert: OnAlert;
  readonly tellAdmins: TellAdmins;
  readonly service: Provider;
  readonly interpreter: Interpreter;
  readonly queue: WatchedQueue;
}

/** Those that the service and the queue are made of. */
type SharedDeps = Omit<Deps, 'service' | 'interpreter' | 'queue'>;

interface Given extends Pick<Deps, 'config' | 'version' | 'log'> {
  readonly voiceEncoder: VoiceEncoder;
  /** Ends the wait for a database that another process uses, or that is away. */
  readonly stop: AbortSignal;
  /** Collects what ends the dependencies. */
  readonly ends: AsyncDisposableStack;
}

/**
 * Opens the dependencies; handles no update yet. If the database cannot be opened, prints the reason to standard error, makes the start
 * fail, and gives undefined; undefined also when `stop` aborts.
 */
export async function openDeps({ voiceEncoder, stop, ends, ...given }: Given): Promise<Deps | undefined> {
  const { config, version, log } = given;
  const words = loadWords(new URL('../../locales/', import.meta.url));
  const stores = await openStores({ config, log, stop, ends, onSpent: (spent) => noteSpent(spent) });
  if (stores === undefined) return undefined;
  const { sessions, spentTodayYuan } = stores;
  const metrics = createMetrics({ version, queueDepth: () => queue.requests.depth(), spentTodayYuan });
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => {
      metrics.telegramRetried(method);
      log.warn({ method, error }, 'a call to Telegram is repeated');
    },
  });
  const tellAdmins = createTellAdmins({ api, adminIds: config.adminIds, words, sessions, log });
  const noteSpent = createBudgetNotices({
    budgetYuan: config.limits.budgetYuan,
    pauses: stores.pauses,
    tellAdmins,
    now: stores.database.now,
    log,
  });
  const alert = createAlerts(tellAdmins, log);
  const shared = { ...given, stores, api, words, metrics, alert, tellAdmins };
  const service = openService(shared);
  const interpreter = createInterpreter({
    ...stores,
    provider: service,
    voiceEncoder,
    log,
    onAlert: alert,
    onReuse: metrics.reused,
  });
  const queue = openWatchedQueue(shared);
  // For a start that fails; a running bot stops the queue earlier and with more time.
  ends.defer(() => queue.stop(0));
  return { ...shared, service, interpreter, queue };
}

/** Chooses the provider; another one is another call here. Makes no request yet. */
function openService({ config, stores, metrics, log }: SharedDeps): Provider {
  return new Service({
    config: config.service,
    tokenStore: createTokenStore(stores.database.sql),
    now: stores.database.now,
    onEvent: (event) => {
      log[event.type.endsWith('-failed') ? 'warn' : 'debug'](event, 'service');
      count(metrics, event);
    },
  });
}

function count(metrics: Metrics, event: ServiceEvent): void {
  if (event.type === 'try') metrics.serviceCall(event.kind, event.outcome, event.ms);
  if (event.type === 'token') metrics.serviceCall('token', event.outcome, event.ms);
  if (event.type === 'speech-ended') metrics.speechEnded(event.outcome);
}

/** The problems in words for the operator. */
const UNWRITTEN =
  'updates have come and could not be written into the database; they wait at Telegram: see the log';
const FULL = `${MAX_WAITING} updates wait for their turn, so no more are taken in; those that come wait at Telegram`;

/**
 * How long a refused push counts, in ms. Polling tries again within 19 s, so a fault that lasts stays told. A process that gets no updates
 * because it is not ready, or because another polls, would otherwise never be ready again.
 */
const REFUSAL_COUNTS_MS = 60_000;

/** A queue that can tell why it takes no updates in, and alerts the operator when it cannot write them. */
class WatchedQueue extends Queue {
  #refusal: { readonly problem: string; readonly at: number } | undefined;
  readonly #alert: OnAlert;

  constructor(alert: OnAlert, ...queue: ConstructorParameters<typeof Queue>) {
    super(...queue);
    this.#alert = alert;
  }

  /** Why the last push was refused; undefined once one succeeds, or after `REFUSAL_COUNTS_MS`. */
  problem(): string | undefined {
    const { problem, at } = this.#refusal ?? { problem: undefined, at: 0 };
    return performance.now() - at < REFUSAL_COUNTS_MS ? problem : undefined;
  }

  override async push(updates: readonly NewRequest[]): Promise<ReadonlyMap<number, number>> {
    try {
      const taken = await super.push(updates);
      this.#refusal = undefined;
      return taken;
    } catch (error) {
      if (error instanceof QueueIsFull) this.#refusal = { problem: FULL, at: performance.now() };
      if (isFailure(error, 'database')) {
        this.#refusal = { problem: UNWRITTEN, at: performance.now() };
        this.#alert({ reason: 'database' });
      }
      throw error;
    }
  }
}

/** Opens the queue, which handles nothing before its `start`. */
function openWatchedQueue({ config, stores, api, words, metrics, log, alert }: SharedDeps): WatchedQueue {
  const apologiseUnlessIgnored = async (update: unknown, request: RequestRow): Promise<void> => {
    if (await isIgnored(stores.access, update)) return;
    apologise(api, words, log, update);
    await apologiseAsGuest({ api, words, log }, request, update);
  };
  return new WatchedQueue(alert, stores.database, {
    log,
    workers: config.workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'database'),
    retryAfterMs,
    onFailure: (error) => log.error({ error }, 'an update could not be handled, and is tried again'),
    onDeadLetter: (bodies, reason, request) => {
      metrics.deadLetters(bodies.length);
      log.error({ reason }, 'an update became a dead letter');
      void apologiseUnlessIgnored(bodies[0], request);
    },
  });
}

/** The dependencies of handlers; `me` is the bot as Telegram knows it. */
export function handlerDeps(deps: Deps, me: UserFromGetMe): HandlerDeps {
  const { config, version, api, words, log, alert, tellAdmins, stores, interpreter, queue } = deps;
  const { database, sessions, access, accounting, wholes } = stores;
  return {
    ...VOCABULARY,
    api,
    me,
    version,
    interpreter,
    words,
    log,
    now: database.now,
    giveUpIfSlept: queue.giveUpIfSlept,
    alert,
    access,
    accounting,
    adminIds: config.adminIds,
    tellAdmins,
    sessions,
    resultsTtlDays: config.resultsTtlDays,
    groups: new Groups(database, access.changed),
    requests: queue.requests,
    wholes,
    ownPhotos: stores.results,
    countDeadLetters: async () => (await queue.deadLetters.list()).length,
    forget: (person, { onceGone }) =>
      orDatabaseFailure(async () => {
        await forgetPerson(database, person);
        onceGone(database.erased);
        // What calls under way bring comes onto their account only now; no asker may wait for it any more.
        const eraseLate = async (): Promise<void> => {
          await interpreter.settled();
          await forgetResults(database, person);
          await database.erased();
        };
        eraseLate().catch((error: unknown) =>
          log.warn({ error }, 'late results of a person who is forgotten stay'),
        );
      }),
  };
}
