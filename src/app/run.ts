/** Runs the bot: opens its dependencies, starts it, and stops it without losing running work. */
import { readFileSync } from 'node:fs';
import type { UserFromGetMe } from 'telegraf/types';
import { z } from 'zod';
import { guest } from '../../handlers/guest.ts';
import { inline } from '../../handlers/inline.ts';
import { createBot, VOCABULARY } from '../bot.ts';
import { createLog, openTerminal } from '../log.ts';
import type { VoiceEncoder } from '../media/voice/voice-note.ts';
import { whileLeader } from '../queue/leadership.ts';
import type { QueueHandler } from '../queue/work.ts';
import { writeAndErase } from '../store/database.ts';
import { createGuestMode } from '../telegram/inline/guest-mode.ts';
import { createInlineMode } from '../telegram/inline/inline-mode.ts';
import { createAcknowledging } from '../telegram/intake/acknowledging.ts';
import { FirstSigns } from '../telegram/intake/first-signs.ts';
import { fetchAccount, startIntake } from '../telegram/intake/intake.ts';
import { createPollConflict } from '../telegram/intake/polling.ts';
import { createUnusableLog, type OnReceived, type Receive, receive } from '../telegram/intake/receipt.ts';
import { GUEST_KIND, isGuestUpdate, kindOf } from '../telegram/intake/usable-update.ts';
import { unlessIgnored } from '../telegram/middleware/admission.ts';
import { createCancelling } from '../telegram/middleware/running-work.ts';
import { type Config, isSandbox } from './config.ts';
import { type Deps, handlerDeps, openDeps } from './deps.ts';
import { createHealth } from './http/health.ts';
import { createReadiness } from './http/readiness.ts';
import { CannotListen, startHttp } from './http/server.ts';
import type { Metrics } from './metrics.ts';
import { logUncaughtErrors } from './process.ts';
import { afterStart, startUpkeep } from './upkeep.ts';
import { createWatchdog } from './watchdog.ts';

/** How long a stop waits for running work, in ms (spec §5). */
const GRACE_MS = 30_000;
/** How long a stop waits for the translation of an inline query, in ms. */
const INLINE_GRACE_MS = 5000;

interface RunOptions {
  readonly config: Config;
  readonly voiceEncoder: VoiceEncoder;
  /** Aborts when the bot is told to stop. */
  readonly stop: AbortSignal;
}

/** Runs the bot until it is told to stop; prints a reason not to start to standard error, and sets the exit code. */
export async function run({ config, voiceEncoder, stop }: RunOptions): Promise<void> {
  const version = readVersion();
  const log = createLog(config.logLevel, process.stdout.isTTY ? await openTerminal() : undefined);
  logUncaughtErrors(log);
  // Everything ends in reverse order: the intake of updates first, the database last.
  await using ends = new AsyncDisposableStack();
  ends.defer(() => log.info('stopped'));

  const deps = await openDeps({ config, version, log, voiceEncoder, stop, ends });
  if (deps === undefined) return;
  const { stores, api, words, alert, metrics, interpreter, queue } = deps;
  const { database, access, sessions, wholes } = stores;
  const { requests } = queue;

  const inlineMode = createInlineMode({
    bot: { access, adminIds: config.adminIds, api, interpreter, words, log, now: database.now, alert },
    sessions,
    onEnd: (outcome, ms) => metrics.handled('inline_query', outcome, 1, ms),
    handle: inline,
  });
  const listeners: OnReceived[] = [
    createAcknowledging({ api, words, sessions, stores: { requests, wholes }, log }),
    createCancelling({ requests, api, log }),
    createUnusableLog(log),
    ({ body }, isLate) => {
      if (!isLate) inlineMode.take(body);
    },
  ];
  const onReceived = unlessIgnored(access, (received, isLate, request) => {
    for (const listener of listeners) listener(received, isLate, request);
  });
  let me: UserFromGetMe | undefined;
  const receiveHere: Receive = (body) => receive(body, VOCABULARY, me);
  // Before Telegram is reached, so that probes find a bot that is alive but not ready.
  const conflict = createPollConflict();
  const intakeProblem = () => conflict.problem() ?? queue.problem() ?? database.problem();
  const http = await openHttp({ ...deps, receive: receiveHere, onReceived, intakeProblem });
  if (http === undefined) return;
  const { server, health, readiness } = http;
  ends.defer(() => server.close());
  ends.defer(() => interpreter.close());

  me = await fetchAccount(api, log, stop);
  if (me === undefined) {
    if (!stop.aborted) process.exitCode = 1;
    return;
  }
  const shared = database.engine === 'postgres' ? requests : undefined;
  const firstSigns = new FirstSigns({ api, known: { ...VOCABULARY, me }, shared });
  const bot = handlerDeps(deps, me);
  const guestMode = createGuestMode({ bot, answer: guest });
  listeners.push(firstSigns.onReceived, guestMode.onReceived);
  const handleRequest = createBot(bot, sessions);
  const handle: QueueHandler = (work) =>
    isGuestUpdate(work.bodies[0]) ? guestMode.handle(work) : handleRequest(work);
  const watchdog = createWatchdog({ log });
  const handleMeasured = measured(handle, metrics);
  await queue.start((work) => {
    // Before the first update is handled: it may be the one that hung the previous process.
    watchdog.start();
    firstSigns.begun(work.request.lane);
    return handleMeasured(work);
  });
  ends.defer(async () => {
    const stopped = queue.stop(GRACE_MS);
    const over = Promise.withResolvers<void>();
    // What Telegram asks to wait for may be longer than the grace. Set after the queue's own timer, so that the work is aborted by then.
    const timer = setTimeout(() => {
      api.endWaits();
      over.resolve();
    }, GRACE_MS);
    await stopped;
    // A call goes on after its asker has cancelled, and its result is kept.
    await Promise.race([interpreter.settled(), over.promise]);
    clearTimeout(timer);
  });
  ends.defer(() => inlineMode.stop(INLINE_GRACE_MS));

  const { promise: ended, resolve: end } = Promise.withResolvers<void>();
  stop.addEventListener('abort', () => end());
  const intake = startIntake({
    api,
    queue,
    receive: receiveHere,
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
      log.info({ event: 'ready' }, readyLine(config, { username: me.username, version }));
      afterStart(deps, { voiceEncoder, watchdog, end });
    },
  });
  ends.defer(() => intake.stop());
  ends.defer(startUpkeep(deps));

  if (!stop.aborted) await ended;
  log.info('stopping');
  readiness.stop();
  health.intakeRests();
}

interface HttpDeps extends Deps {
  readonly receive: Receive;
  readonly onReceived: OnReceived;
  /** See createReadiness. */
  readonly intakeProblem: () => string | undefined;
}

/** Opens the HTTP server. If HOST and PORT cannot be used, logs the reason, makes the start fail, and gives undefined. */
async function openHttp(deps: HttpDeps) {
  const { config, log, metrics, stores, api, service, queue, receive, onReceived, intakeProblem } = deps;
  const health = createHealth();
  const readiness = createReadiness({
    writeDatabase: () => writeAndErase(stores.database.sql),
    reachTelegram: (signal) => api.callApi('getMe', {}, { signal }),
    obstacle: () => {
      const problem = api.transport.proxyProblem();
      return problem && `TELEGRAM_PROXY lets nothing through (${problem}): npm run doctor says what to do`;
    },
    serviceState: service.state,
    intakeProblem,
  });
  const webhook = config.webhook && { ...config.webhook, queue, receive, onReceived };
  try {
    const server = await startHttp({ ...config.http, log, health, readiness, metrics, webhook });
    log.info({ host: config.http.host, port: server.port }, 'HTTP is served');
    return { server, health, readiness };
  } catch (error) {
    if (!(error instanceof CannotListen)) throw error;
    log.fatal(error.message);
    process.exitCode = 1;
    return undefined;
  }
}

/** What the log says of a ready bot: name, release, intake, database, limits and access; no address and no secret. */
function readyLine(config: Config, bot: { readonly username: string; readonly version: string }): string {
  const parts = [
    `@${bot.username} is ready`,
    `Lotsawa ${bot.version}`,
    config.webhook === undefined ? 'long polling' : 'webhook',
    config.database.engine === 'sqlite' ? 'SQLite' : 'PostgreSQL',
    limitsOf(config.limits),
    config.access === 'open' ? 'open to all of Telegram' : 'members only',
  ];
  if (isSandbox(config)) parts.push('SANDBOX: Telegram and the service are on this machine');
  return parts.join(' · ');
}

function limitsOf({ callsPerUser, callsPerGroup, budgetYuan }: Config['limits']): string {
  const perDay = (calls: number) => (Number.isFinite(calls) ? String(calls) : 'no limit');
  const budget = Number.isFinite(budgetYuan) ? `${budgetYuan} yuan` : 'no budget';
  return `a day: ${perDay(callsPerUser)} calls a person, ${perDay(callsPerGroup)} a group, ${budget} in all`;
}

const manifest = z.object({ version: z.string() });

/** The version of package.json. */
function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  return manifest.parse(JSON.parse(text)).version;
}

/** Wraps a handler so that its attempts are counted. */
function measured(handler: QueueHandler, metrics: Pick<Metrics, 'handled'>): QueueHandler {
  return async (work) => {
    const kind = isGuestUpdate(work.bodies[0]) ? GUEST_KIND : (kindOf(work.bodies[0]) ?? 'other');
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
