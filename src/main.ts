/** The bot's process: reads the settings, builds the parts, starts them, and stops them without losing what runs. */
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { inline } from '../handlers/inline.ts';
import { createBot } from './bot.ts';
import { type Config, describeFault, readConfig } from './config.ts';
import { isFailure } from './errors.ts';
import { firstSignal } from './first-signal.ts';
import { createHealth } from './http/health.ts';
import { createReadiness } from './http/readiness.ts';
import { CannotListen, startHttp } from './http/server.ts';
import { createInterpreter } from './interpreter/interpreter.ts';
import { createLog } from './log.ts';
import { createImageFitter } from './media/image.ts';
import { createVoiceEncoder } from './media/voice-note.ts';
import { createMetrics } from './metrics.ts';
import { whileLeader } from './queue/leadership.ts';
import { openPostgresQueue } from './queue/postgres.ts';
import type { Queue, QueueOptions } from './queue/queue.ts';
import { createSqliteQueue } from './queue/sqlite.ts';
import { createService } from './service/client.ts';
import { costYuan, createAccounting } from './store/accounting.ts';
import { createGivenAnswers } from './store/answers.ts';
import { createCancellations } from './store/cancellations.ts';
import { createClaims } from './store/claims.ts';
import { openDatabase } from './store/database.ts';
import { forgetPerson } from './store/forgetting.ts';
import { createGroups } from './store/groups.ts';
import { createLedger } from './store/ledger.ts';
import { parkUpdate, takeParkedUpdate } from './store/parked-updates.ts';
import { createPauses } from './store/pauses.ts';
import { createProgressMessages } from './store/progress-messages.ts';
import { prune } from './store/pruning.ts';
import { createResults } from './store/results.ts';
import { personSessions } from './store/sessions.ts';
import { tokenStore } from './store/tokens.ts';
import { writeAndErase } from './store/writable.ts';
import { createAlerts } from './telegram/alerts.ts';
import { BotApi } from './telegram/api.ts';
import { isOutage } from './telegram/api-remedies.ts';
import { apologise } from './telegram/apology.ts';
import { type Cancelling, createCancelling } from './telegram/cancelling.ts';
import { registerCommands } from './telegram/commands.ts';
import { createInlineMode } from './telegram/inline-mode.ts';
import { acknowledge, toQueued } from './telegram/intake.ts';
import { loadWords } from './telegram/locale.ts';
import { measured } from './telegram/measured-handling.ts';
import { createMergedAnswers } from './telegram/merged-answers.ts';
import { registerProfile } from './telegram/profile.ts';
import { startIntake } from './telegram/start-intake.ts';
import { whoAmI } from './telegram/who-am-i.ts';

/** How long a stop waits for what runs, in ms (spec §5). */
const GRACE_MS = 30_000;
/** An inline query whose translation takes longer than this is not waited for any more, in ms. */
const INLINE_GRACE_MS = 5000;
const PRUNE_EVERY_MS = 60 * 60 * 1000;
const DAY_MS = 24 * 60 * 60 * 1000;

if (existsSync('.env')) process.loadEnvFile('.env');
const settings = readConfig(process.env);
if (settings.ok) await run(settings.config);
else {
  for (const fault of settings.faults) process.stderr.write(`${describeFault(fault)}\n`);
  process.exitCode = 1;
}

async function run(config: Config): Promise<void> {
  const stop = firstSignal();
  const log = createLog(config.logLevel);
  // What was begun is ended in the reverse order: first the intake of updates, last the database.
  await using ends = new AsyncDisposableStack();
  ends.defer(() => log.info('stopped'));

  const words = loadWords(new URL('../locales/', import.meta.url));
  const database = await openDatabase(config.database, (error) =>
    log.warn({ error }, 'the database cannot be reached yet'),
  ).catch((error: unknown) => {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown reason';
    const problem = `cannot be opened or written (${code})`;
    process.stderr.write(
      `${describeFault({ variable: 'DATABASE_URL', problem, example: 'sqlite:data/lotsawa.db' })}\n`,
    );
  });
  if (database === undefined) return failStart();
  ends.defer(() => database.close());
  const money = { database: database.sql, now: Date.now };
  const accounting = createAccounting({ ...money, limits: config.limits, adminIds: config.adminIds });
  const metrics = createMetrics({
    queueDepth: () => queue.depth(),
    spentTodayYuan: async () => {
      const [today] = await accounting.days(1);
      return costYuan(Object.values(today?.calls ?? {}).reduce((sum, calls) => sum + calls, 0));
    },
  });
  const sessions = personSessions(database.sessions);
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => {
      metrics.telegramRetried(method);
      log.warn({ method, error }, 'a call to Telegram is repeated');
    },
  });
  const voices = createVoiceEncoder({ concurrency: availableParallelism() });
  const service = createService({
    config: config.service,
    tokenStore: tokenStore(database.sql),
    onEvent: (event) => {
      log[event.type.endsWith('-failed') ? 'warn' : 'debug'](event, 'service');
      if (event.type === 'try') metrics.serviceCall(event.kind, event.outcome, event.ms);
      if (event.type === 'token') metrics.serviceCall('token', event.outcome, event.ms);
      if (event.type === 'speech-ended') metrics.speechEnded(event.outcome);
    },
  });
  const results = createResults({ ...money, ttlMs: config.resultsTtlDays * DAY_MS });
  const alert = createAlerts({ api, adminIds: config.adminIds, words, sessions, log });
  const interpreter = createInterpreter({
    service,
    images: createImageFitter({ concurrency: 1 }),
    voices,
    claims: createClaims(database),
    ledger: createLedger({ ...money, limits: config.limits, adminIds: config.adminIds }),
    results,
    pauses: createPauses(database.sql, Date.now),
    credentials: fingerprint(config.service),
    log,
    onAlert: alert,
    onReuse: metrics.reused,
  });
  const queueOptions: QueueOptions = {
    workers: config.workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'ledger'),
    onFailure: (error) => log.error({ error }, 'an update could not be handled, and is tried again'),
    onSetAside: (bodies, reason) => {
      metrics.setAside(bodies.length);
      log.error({ reason }, 'an update was set aside');
      apologise(api, words, log, bodies[0]);
    },
  };
  const queue =
    database.engine === 'sqlite'
      ? createSqliteQueue(database.sql, queueOptions)
      : await openPostgresQueue(database, { ...queueOptions, log });
  // For a start that fails; one that succeeds stops it earlier and longer.
  ends.defer(() => queue.stop(0));

  /** Where updates are taken in; when they cannot be written down, whoever runs the bot has to know. */
  const intoQueue: Pick<Queue, 'push'> = {
    push: async (updates) => {
      try {
        await queue.push(updates);
      } catch (error) {
        if (isFailure(error, 'ledger')) alert({ reason: 'ledger' });
        throw error;
      }
    },
  };

  const health = createHealth();
  const readiness = createReadiness({
    writeDatabase: () => writeAndErase(database.sql),
    reachTelegram: (signal) => api.callApi('getMe', {}, { signal }),
    serviceState: service.state,
  });
  const inlineMode = createInlineMode({
    bot: { api, interpreter, words, log, alert },
    sessions,
    handle: inline,
  });
  let cancelling: Cancelling | undefined;
  const onReceived = (update: unknown, isLate = false) => {
    acknowledge(api, log, update);
    cancelling?.onReceived(update);
    if (!isLate) inlineMode.take(update);
  };
  const webhook = config.webhook && { ...config.webhook, queue: intoQueue, onReceived };
  const http = await startHttp({ ...config.http, log, health, readiness, metrics, webhook }).catch(
    (error: unknown) => {
      if (!(error instanceof CannotListen)) throw error;
      log.fatal(error.message);
    },
  );
  if (http === undefined) return failStart();
  log.info({ host: config.http.host, port: http.port }, 'HTTP is served');
  ends.defer(() => http.close());
  ends.defer(() => service.close());

  await voices.warm();
  const me = await whoAmI(api, log, stop);
  if (me === undefined) return stop.aborted ? undefined : failStart();
  const cancellations = createCancellations(database.sql, Date.now);
  cancelling = createCancelling({ cancellations, username: me.username, log });
  const handle = createBot(
    {
      api,
      me,
      interpreter,
      words,
      log,
      accounting,
      groups: {
        ...createGroups(database),
        mostCalls: config.limits.callsPerGroup || Number.POSITIVE_INFINITY,
      },
      sendToGroup: createMergedAnswers(api),
      progressMessages: createProgressMessages(database.sql, Date.now),
      answers: createGivenAnswers(database.sql, Date.now),
      cancellations,
      adminIds: config.adminIds,
      countSetAside: async () => (await queue.listSetAside()).length,
      resultsTtlDays: config.resultsTtlDays,
      alert,
      forget: (person) => forgetPerson(database, person),
      parked: {
        park: (person, update) => parkUpdate(database.sql, person, update),
        repeat: async (id, person) => {
          const queued = toQueued(await takeParkedUpdate(database.sql, id, person));
          // Without its id: it was received before, and is meant to be handled again.
          if (queued !== undefined) await queue.push([{ ...queued, updateId: undefined }]);
          return queued !== undefined;
        },
      },
    },
    sessions,
    cancelling,
  );
  await queue.start(measured(handle, metrics));
  ends.defer(() => queue.stop(GRACE_MS));
  ends.defer(() => inlineMode.stop(INLINE_GRACE_MS));
  const intake = startIntake({
    api,
    queue: intoQueue,
    log,
    webhook: config.webhook,
    onReceived,
    onMove: health.intakeMoved,
    onRest: health.intakeRests,
    whileLeader: (signal, poll) => whileLeader({ database, log, signal }, poll),
    onBegun: () => {
      readiness.begin();
      log.info({ bot: me.username, mode: config.webhook === undefined ? 'polling' : 'webhook' }, 'ready');
    },
  });
  ends.defer(() => intake.stop());
  registerCommands(api, words, config.adminIds).catch((error: unknown) =>
    log.warn({ error }, 'the command menu was not registered'),
  );
  registerProfile(api, words).catch((error: unknown) =>
    log.warn({ error }, 'the profile was not registered'),
  );
  const pruning = setInterval(() => {
    prune(database.sql, results, Date.now()).catch((error: unknown) => log.warn({ error }, 'pruning failed'));
  }, PRUNE_EVERY_MS);
  ends.defer(() => clearInterval(pruning));

  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
  readiness.stop();
  health.intakeRests();
}

/** Tells configured credentials apart without giving them away. */
function fingerprint({ apiKey, secretKey, xSecret }: Config['service']): string {
  return createHash('sha256')
    .update(JSON.stringify([apiKey, secretKey, xSecret]))
    .digest('hex')
    .slice(0, 12);
}

function failStart(): void {
  process.exitCode = 1;
}
