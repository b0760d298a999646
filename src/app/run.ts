/** Runs the bot: opens its parts, starts its work, and stops it without losing requests. */
import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import PQueue from 'p-queue';
import { guest } from '../../handlers/guest.ts';
import { inline } from '../../handlers/inline.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createBot } from '../bot.ts';
import type { Log } from '../log.ts';
import { VoiceEncoder } from '../media/voice/voice-note.ts';
import type { QueueHandler } from '../queue/attempt.ts';
import { writeAndErase } from '../store/database.ts';
import { GuestMode } from '../telegram/inline/guest-mode.ts';
import { InlineMode } from '../telegram/inline/inline-mode.ts';
import { fetchAccount, takeUpdates } from '../telegram/intake/intake.ts';
import { PollConflict } from '../telegram/intake/polling.ts';
import { type TakeIn, takeIn } from '../telegram/intake/take-in.ts';
import { kindOf } from '../telegram/request/update.ts';
import { type Config, EXIT_CODES } from './config.ts';
import { handlerDeps, openDeps } from './deps.ts';
import { Health } from './health.ts';
import { listenProblem, startHttp } from './http.ts';
import type { Metrics } from './metrics.ts';
import { openStores } from './stores.ts';
import { startUpkeep } from './upkeep.ts';
import { startWatchdog } from './watchdog.ts';

/** Time that a stop waits for running work, in ms (spec §5). */
const GRACE_MS = 30_000;
/** Time that a stop waits for the translation of an inline query, in ms. */
const INLINE_GRACE_MS = 5000;

/** Runs the bot until `stop` aborts. If it cannot start, logs the reason and sets the exit code. */
export async function run(config: Config, log: Log, stop: AbortSignal): Promise<void> {
  const { version } = packageJson;
  // One more than cores: an encoder mostly waits for speech.
  const voiceEncoder = new VoiceEncoder(availableParallelism() + 1);
  // Everything closes in reverse order: the intake of updates first, the database last.
  await using ends = new AsyncDisposableStack();
  ends.defer(() => log.info('stopped'));

  const stores = await openStores({ config, log, stop, ends });
  if (stores === undefined) return;
  const deps = openDeps({ config, version, log, stores, voiceEncoder });
  const { database, sessions } = stores;
  const { api, metrics, service, interpreter, queue } = deps;
  // For a start that fails; a running bot stops the queue earlier and with more time.
  ends.defer(() => queue.stop(0));

  const conflict = new PollConflict();
  const health = new Health({
    writeDatabase: () => writeAndErase(database),
    reachTelegram: (signal) => api.callApi('getMe', {}, { signal }),
    serviceState: () => service.state(),
    problem: () => {
      const ofProxy = api.transport.proxyProblem();
      if (ofProxy === undefined) return conflict.problem();
      return `TELEGRAM_PROXY lets nothing through (${ofProxy}): see npm run doctor`;
    },
  });
  metrics.gauge('ready', '1 while updates are taken, as /readyz has it', async () =>
    Number((await health.readiness()).ready),
  );
  let taking: TakeIn = async () => {
    throw new Error('updates stay at Telegram until the bot has reached it');
  };
  // Before Telegram is reached: probes find the bot alive but not ready.
  const takeInNow: TakeIn = (bodies, isLate) => taking(bodies, isLate);
  const webhook = config.webhook && { ...config.webhook, takeIn: takeInNow };
  const server = await startHttp({ ...config.http, log, health, metrics, webhook }).catch(
    (error: unknown) => {
      log.fatal({ error }, listenProblem(error, config.http.host, config.http.port));
      process.exitCode = EXIT_CODES.failure;
    },
  );
  if (server === undefined) return;
  log.info({ host: config.http.host, port: server.port }, 'HTTP server is listening');
  ends.defer(() => server.close());
  ends.defer(() => interpreter.close());

  const me = await fetchAccount(api, log, stop);
  if (me === undefined) {
    if (!stop.aborted) process.exitCode = EXIT_CODES.config;
    return;
  }
  const bot = handlerDeps(deps, me);
  const guestMode = new GuestMode(bot, guest);
  const inlineMode = new InlineMode(bot, inline, (outcome, ms) =>
    metrics.handled('inline_query', outcome, 1, ms),
  );
  const parts = { bot, queue, inlineMode, guestMode, signs: new PQueue() };
  taking = (bodies, isLate) => takeIn(parts, bodies, isLate);
  // Before the first update is handled: it may be the one that hung the previous process.
  startWatchdog(log);
  await queue.start(measured(createBot(bot, sessions, guestMode), metrics));
  ends.defer(async () => {
    const stopped = queue.stop(GRACE_MS);
    const over = Promise.withResolvers<void>();
    // Telegram may ask for a longer wait than the grace. Set after the queue's own timer, so that the work is aborted by then.
    const timer = setTimeout(() => {
      api.endWaits();
      over.resolve();
    }, GRACE_MS);
    await stopped;
    // A call continues after its asker has cancelled, and its result is kept.
    await Promise.race([interpreter.account.settled(), over.promise]);
    clearTimeout(timer);
  });
  ends.defer(() => inlineMode.stop(INLINE_GRACE_MS));

  const broken = new AbortController();
  const ended = AbortSignal.any([stop, broken.signal]);
  const intake = new AbortController();
  const takingIn = takeUpdates(
    {
      api,
      log,
      webhook: config.webhook,
      takeIn: taking,
      conflict,
      onMove: (restMs) => health.intakeMoved(restMs),
      onRest: () => health.intakeMoved(Number.POSITIVE_INFINITY),
      onFailure: (kind) => metrics.pollFailures.inc({ kind }),
      database,
      onBegun: () => {
        health.begin();
        log.info({ event: 'ready' }, readyLine(config, me.username, version));
        startUpkeep(deps, ended, () => broken.abort());
      },
    },
    intake.signal,
  );
  ends.defer(async () => {
    intake.abort();
    await takingIn;
  });

  if (!ended.aborted) await once(ended, 'abort');
  log.info('stopping');
  health.stop();
}

/** Makes the log line of a ready bot: name, release, intake, database, limits and access; no address and no secret. */
function readyLine(config: Config, username: string, version: string): string {
  const { callsPerUser, callsPerGroup, budgetYuan } = config.limits;
  const perDay = (calls: number) => (Number.isFinite(calls) ? String(calls) : 'no limit');
  const budget = Number.isFinite(budgetYuan) ? `${budgetYuan} yuan` : 'no budget';
  return [
    `@${username} is ready`,
    `Lotsawa ${version}`,
    config.webhook === undefined ? 'long polling' : 'webhook',
    config.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    `a day: ${perDay(callsPerUser)} calls a person, ${perDay(callsPerGroup)} a group, ${budget} in all`,
    config.access === 'open' ? 'open to all of Telegram' : 'members only',
  ].join(' · ');
}

/** Wraps a handler so that its attempts are counted. */
function measured(handler: QueueHandler, metrics: Metrics): QueueHandler {
  return async (work) => {
    const kind = kindOf(work.bodies[0]) ?? 'other';
    const startedAt = performance.now();
    const note = (outcome: 'ok' | 'failed') =>
      metrics.handled(kind, outcome, work.bodies.length, performance.now() - startedAt);
    try {
      const outcome = await handler(work);
      note('ok');
      return outcome;
    } catch (error) {
      note('failed');
      throw error;
    }
  };
}
