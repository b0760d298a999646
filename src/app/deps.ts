/** Opens the bot's parts, one of each; most are what handlers depend on. */
import { availableParallelism } from 'node:os';
import { isFailure } from '../errors.ts';
import { Interpreter } from '../interpreter/interpreter.ts';
import type { Log } from '../log.ts';
import { VoiceEncoder } from '../media/voice/voice-note.ts';
import { Queue } from '../queue/queue.ts';
import { Service } from '../service/client.ts';
import { Access } from '../store/access/access.ts';
import type { Database } from '../store/database.ts';
import { forgetPerson, forgetResults } from '../store/erasure.ts';
import { Groups } from '../store/kept/groups.ts';
import { Results } from '../store/kept/results.ts';
import { PersonSessions } from '../store/kept/sessions.ts';
import { KeptTokens } from '../store/kept/tokens.ts';
import { Ledger } from '../store/money/ledger.ts';
import { Pauses } from '../store/money/pauses.ts';
import { Alerts } from '../telegram/alerts.ts';
import { BotApi } from '../telegram/api/api.ts';
import { isOutage, retryAfterMs } from '../telegram/api/api-errors.ts';
import { loadWords } from '../telegram/locale.ts';
import { apologise } from '../telegram/middleware/failure-boundary.ts';
import type { Config } from './config.ts';
import { Metrics } from './metrics.ts';

export type Deps = ReturnType<typeof openDeps>;

interface Given {
  readonly config: Config;
  readonly version: string;
  readonly log: Log;
  readonly database: Database;
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** Makes no request, and handles no update yet. */
export function openDeps({ config, version, log, database }: Given) {
  const { adminIds, limits, resultsTtlDays } = config;
  const { now } = database;
  const access = new Access(database, { isOpen: config.access === 'open', adminIds });
  const sessions = new PersonSessions(database.sessions);
  const results = new Results(database, resultsTtlDays * DAY_MS, config.telegram.token);
  const pauses = new Pauses(database);
  // One more than cores: an encoder mostly waits for speech.
  const voiceEncoder = new VoiceEncoder(availableParallelism() + 1);
  const words = loadWords(new URL('../../locales/', import.meta.url));
  const metrics = new Metrics(version);
  metrics.gauge('queue_depth', 'Updates that wait or run', () => queue.requests.depth());
  metrics.gauge(
    'spent_today_yuan',
    'What paid calls cost in the present UTC day',
    async () => (await ledger.costToday()) / 100,
  );
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => {
      metrics.telegramRetries.inc({ method });
      // The start and /readyz request the account repeatedly, and report an outage themselves.
      const level = method === 'getMe' ? 'debug' : 'warn';
      log[level]({ method, error }, 'a call to Telegram failed: retrying');
    },
  });
  const { budgetYuan } = limits;
  const alerts = new Alerts({ api, adminIds, words, sessions, pauses, budgetYuan, now, log });
  const ledger = new Ledger(database, { limits, adminIds, onSpent: (spent) => alerts.noteSpent(spent) });
  // The provider; for another one, change this call.
  const service = new Service({
    config: config.service,
    tokenStore: new KeptTokens(database.sql),
    now,
    onEvent: (event) => {
      const { type } = event;
      if (type === 'circuit' && event.state === 'down')
        log.warn(event, `the service is down (${event.reason}): calls are suspended until ${event.nextTry}`);
      else if (type === 'circuit') log.info(event, 'the service is up again');
      else log[type.endsWith('-failed') ? 'warn' : 'debug'](event, 'service');
      if (type === 'try') metrics.serviceCall(event.kind, event.outcome, event.ms);
      if (type === 'token') metrics.serviceCall('token', event.outcome, event.ms);
      if (type === 'speech-ended') metrics.speechStreams.inc({ outcome: event.outcome });
    },
  });
  const interpreter = new Interpreter({
    access,
    results,
    pauses,
    ledger,
    provider: service,
    voiceEncoder,
    log,
    onAlert: (alert) => alerts.raise(alert),
    onReuse: (kind) => metrics.cacheHits.inc({ kind }),
  });
  const queue = new Queue(database, {
    log,
    workers: config.workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'database'),
    retryAfterMs,
    onDeadLetter: (bodies, reason, request) => {
      metrics.deadLetters.inc(bodies.length);
      log.error({ reason }, 'an update became a dead letter: see npm run queue');
      void apologise({ api, words, log, access }, bodies[0], request);
    },
  });
  return {
    config,
    version,
    log,
    database,
    now,
    adminIds,
    resultsTtlDays,
    access,
    sessions,
    results,
    pauses,
    groups: new Groups(database),
    voiceEncoder,
    words,
    metrics,
    api,
    alerts,
    ledger,
    service,
    interpreter,
    queue,
    requests: queue.requests,
    forget: async (person: string): Promise<void> => {
      await forgetPerson(database, person);
      // Results of running calls are stored only now; nobody may wait for them any more.
      const eraseLate = async (): Promise<void> => {
        await interpreter.account.settled();
        await forgetResults(database, person);
        await database.erased();
      };
      eraseLate().catch((error: unknown) =>
        log.warn({ error }, 'late results of a forgotten person were not erased'),
      );
    },
  };
}
