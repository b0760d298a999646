/** The bot from its settings to its last moment: has the parts built, starts them, and stops them without losing what runs. */
import { inline } from '../../handlers/inline.ts';
import { createBot } from '../bot.ts';
import type { Config } from '../config.ts';
import { createLog, openTerminal } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { whileLeader } from '../queue/leadership.ts';
import { createInlineMode } from '../telegram/inline/inline-mode.ts';
import { acknowledge, type OnReceived } from '../telegram/intake/intake.ts';
import { measured } from '../telegram/intake/measured-handling.ts';
import { createPollConflict } from '../telegram/intake/poll-failure.ts';
import { startIntake } from '../telegram/intake/start-intake.ts';
import { whoAmI } from '../telegram/intake/who-am-i.ts';
import { createCancelling } from '../telegram/middleware/cancelling.ts';
import { createSuperseding } from '../telegram/middleware/superseding.ts';
import { seeToTheRest } from './after-start.ts';
import { createCollaborators } from './collaborators.ts';
import { failStart } from './fail-start.ts';
import { openHttp } from './http.ts';
import { openParts } from './parts.ts';
import { readyLine } from './ready-line.ts';
import { endsWithoutSecrets } from './unforeseen-end.ts';
import { startUpkeep } from './upkeep.ts';
import { readVersion } from './version.ts';
import { createWatchdog } from './watchdog.ts';

/** How long a stop waits for what runs, in ms (spec §5). */
const GRACE_MS = 30_000;
/** An inline query whose translation takes longer than this is not waited for any more, in ms. */
const INLINE_GRACE_MS = 5000;

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

  const parts = await openParts({ config, version, log, voiceEncoder, stop, ends });
  if (parts === undefined) return;
  const { records, api, words, alert, metrics, service, interpreter, queue } = parts;
  const { database, sessions, cancellations } = records;

  const inlineMode = createInlineMode({
    bot: { api, interpreter, words, log, now: database.now, alert },
    sessions,
    handle: inline,
  });
  const superseding = createSuperseding();
  const listeners: OnReceived[] = [
    (update) => acknowledge(api, log, update),
    superseding.onReceived,
    (update, isLate) => {
      if (!isLate) inlineMode.take(update);
    },
  ];
  const onReceived: OnReceived = (update, isLate) => {
    for (const listener of listeners) listener(update, isLate);
  };
  // Before Telegram is reached: whoever watches finds a bot that is alive and not ready yet.
  const conflict = createPollConflict();
  const intakeProblem = () => conflict.problem() ?? queue.problem() ?? database.problem();
  const http = await openHttp({ ...parts, onReceived, intakeProblem });
  if (http === undefined) return;
  const { server, health, readiness } = http;
  ends.defer(() => server.close());
  ends.defer(() => service.close());

  const me = await whoAmI(api, log, stop);
  if (me === undefined) return stop.aborted ? undefined : failStart();
  const { username } = me;
  const cancelling = createCancelling({ cancellations, username, log });
  listeners.push(cancelling.onReceived);
  const handle = createBot(createCollaborators({ ...parts, me }), sessions, cancelling, superseding);
  const watchdog = createWatchdog({ log });
  const handleMeasured = measured(handle, metrics);
  await queue.start((work) => {
    // Before anything is handled: what hung the process before this one may be the first in the queue.
    watchdog.start();
    return handleMeasured(work);
  });
  ends.defer(() => queue.stop(GRACE_MS));
  ends.defer(() => inlineMode.stop(INLINE_GRACE_MS));

  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => end());
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
      seeToTheRest({ config, database, voiceEncoder, watchdog, log, end });
    },
  });
  ends.defer(() => intake.stop());
  ends.defer(startUpkeep({ api, words, log, adminIds: config.adminIds, records }));

  if (!stop.aborted) await ended;
  log.info('stopping');
  readiness.stop();
  health.intakeRests();
}
