/** The bot from its settings to its last moment: has the parts built, starts them, and stops them without losing what runs. */
import { inline } from '../../handlers/inline.ts';
import { createBot } from '../bot.ts';
import type { Config } from '../config.ts';
import { createLog, openTerminal } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { createMetrics } from '../metrics.ts';
import { whileLeader } from '../queue/leadership.ts';
import { UnfitDatabase } from '../store/unfit-database.ts';
import { createAlerts } from '../telegram/answer/alerts.ts';
import { BotApi } from '../telegram/api/api.ts';
import { createInlineMode } from '../telegram/inline/inline-mode.ts';
import { acknowledge, type OnReceived } from '../telegram/intake/intake.ts';
import { measured } from '../telegram/intake/measured-handling.ts';
import { createPollConflict } from '../telegram/intake/poll-failure.ts';
import { startIntake } from '../telegram/intake/start-intake.ts';
import { whoAmI } from '../telegram/intake/who-am-i.ts';
import { loadWords } from '../telegram/locale.ts';
import { type Cancelling, createCancelling } from '../telegram/middleware/cancelling.ts';
import { createSuperseding } from '../telegram/middleware/superseding.ts';
import { createAbilities } from './abilities.ts';
import { createCollaborators } from './collaborators.ts';
import { tellDatabaseTrouble } from './database-trouble.ts';
import { failStart } from './fail-start.ts';
import { openHttp } from './http.ts';
import { openWatchedQueue } from './queue.ts';
import { readyLine } from './ready-line.ts';
import { openRecords } from './records.ts';
import { endsWithoutSecrets } from './unforeseen-end.ts';
import { startUpkeep } from './upkeep.ts';
import { readVersion } from './version.ts';
import { warmUp } from './warm-up.ts';

/** How long a stop waits for what runs, in ms (spec §5). */
const GRACE_MS = 30_000;
/** An inline query whose translation takes longer than this is not waited for any more, in ms. */
const INLINE_GRACE_MS = 5000;
/** The first request for updates goes out before anything else is loaded, in ms. */
const WARM_UP_AFTER_MS = 50;

interface RunOptions {
  readonly config: Config;
  readonly voiceEncoder: VoiceEncoder;
  /** Aborts when the bot is told to stop. */
  readonly stop: AbortSignal;
}

/** Runs the bot until it is told to stop; what keeps it from starting is told on standard error, and in the exit code. */
export async function run({ config, voiceEncoder, stop }: RunOptions): Promise<void> {
  const version = readVersion();
  const log = createLog(config.logLevel, process.stdout.isTTY ? await openTerminal() : undefined);
  endsWithoutSecrets(log);
  // What was begun is ended in the reverse order: first the intake of updates, last the database.
  await using ends = new AsyncDisposableStack();
  ends.defer(() => log.info('stopped'));

  const words = loadWords(new URL('../../locales/', import.meta.url));
  const records = await openRecords({ config, log, stop, ends });
  if (records === undefined) return;
  const { database, sessions } = records;
  const metrics = createMetrics({
    version,
    queueDepth: () => queue.depth(),
    spentTodayYuan: records.spentTodayYuan,
  });
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => {
      metrics.telegramRetried(method);
      log.warn({ method, error }, 'a call to Telegram is repeated');
    },
  });
  const alert = createAlerts({ api, adminIds: config.adminIds, words, sessions, log });
  const { service, interpreter } = createAbilities({
    config: config.service,
    voiceEncoder,
    records,
    metrics,
    log,
    alert,
  });
  const { workers } = config;
  const opened = await openWatchedQueue({
    config: config.database,
    database,
    workers,
    api,
    words,
    metrics,
    log,
    alert,
    stop,
  });
  if (opened === undefined) return;
  const queue = opened;
  // For a start that fails; one that succeeds stops it earlier and longer.
  ends.defer(() => queue.stop(0));

  const inlineMode = createInlineMode({
    bot: { api, interpreter, words, log, now: database.now, alert },
    sessions,
    handle: inline,
  });
  let cancelling: Cancelling | undefined;
  const superseding = createSuperseding();
  const onReceived: OnReceived = (update, isLate) => {
    acknowledge(api, log, update);
    cancelling?.onReceived(update);
    superseding.onReceived(update);
    if (!isLate) inlineMode.take(update);
  };
  // Before Telegram is reached: whoever watches finds a bot that is alive and not ready yet.
  const conflict = createPollConflict();
  const intakeProblem = () => conflict.problem() ?? queue.problem() ?? database.problem();
  const shownOverHttp = { log, metrics, records, api, service, queue, onReceived, intakeProblem };
  const http = await openHttp({ config, ...shownOverHttp });
  if (http === undefined) return;
  const { server, health, readiness } = http;
  ends.defer(() => server.close());
  ends.defer(() => service.close());

  const me = await whoAmI(api, log, stop);
  if (me === undefined) return stop.aborted ? undefined : failStart();
  const { username } = me;
  cancelling = createCancelling({ cancellations: records.cancellations, username, log });
  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => end());
  const giveUp = (error: unknown): void => {
    log.fatal({ error }, 'no speech could be sent');
    failStart();
    end();
  };
  const lookOver = async (): Promise<void> => {
    if (!(await database.isDamaged())) return;
    tellDatabaseTrouble(new UnfitDatabase('damaged'), config.database);
    end();
  };
  const shared = { api, me, words, log, alert, interpreter, records, queue };
  const collaborators = createCollaborators({ config, version, ...shared });
  const handle = createBot(collaborators, sessions, cancelling, superseding);
  await queue.start(measured(handle, metrics));
  ends.defer(() => queue.stop(GRACE_MS));
  ends.defer(() => inlineMode.stop(INLINE_GRACE_MS));
  const intake = startIntake({
    api,
    queue,
    log,
    webhook: config.webhook,
    onReceived,
    onMove: health.intakeMoved,
    onFailure: metrics.pollFailed,
    conflict,
    onRest: health.intakeRests,
    whileLeader: (signal, poll) => whileLeader({ database, log, signal }, poll),
    onBegun: () => {
      readiness.begin();
      log.info({ event: 'ready' }, readyLine(config, { username, version }));
      setTimeout(() => {
        void lookOver();
        warmUp(voiceEncoder, log).catch(giveUp);
      }, WARM_UP_AFTER_MS);
    },
  });
  ends.defer(() => intake.stop());
  ends.defer(startUpkeep({ api, words, log, adminIds: config.adminIds, records }));

  if (!stop.aborted) await ended;
  log.info('stopping');
  readiness.stop();
  health.intakeRests();
}
