/** Runs the bot: opens its parts, starts its work, and stops it without losing requests. */
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import PQueue from 'p-queue';
import { inline } from '../../handlers/inline.ts';
import packageJson from '../../package.json' with { type: 'json' };
import { createBot, VOCABULARY } from '../bot.ts';
import type { Log } from '../log.ts';
import { type Database, openDatabase, writeAndErase } from '../store/database.ts';
import { databaseProblem, UnfitDatabase } from '../store/database-errors.ts';
import { ownDatabase } from '../store/sqlite/sqlite-files.ts';
import { InlineMode } from '../telegram/inline/inline-mode.ts';
import { fetchAccount, takeUpdates } from '../telegram/intake/intake.ts';
import { PollConflict } from '../telegram/intake/polling.ts';
import { type TakeIn, takeIn } from '../telegram/intake/take-in.ts';
import { type Config, EXIT_CODES } from './config.ts';
import { type Deps, openDeps } from './deps.ts';
import { Health } from './health.ts';
import { listenProblem, startHttp, WaitingPage } from './http.ts';
import { startUpkeep } from './upkeep.ts';
import { startWatchdog } from './watchdog.ts';

/** Time that a stop waits for running work, in ms. */
const GRACE_MS = 30_000;

/** Runs the bot until `stop` aborts. If it cannot start, logs the reason and sets the exit code. */
export async function run(config: Config, log: Log, stop: AbortSignal): Promise<void> {
  const { version } = packageJson;
  // Everything closes in reverse order: the intake of updates first, the database last.
  await using ends = new AsyncDisposableStack();
  ends.defer(() => log.info('stopped'));

  const database = await openOwnDatabase(config, log, stop, ends);
  if (database === undefined) return;
  const deps = openDeps({ config, version, log, database });
  const { api, metrics, service, interpreter, queue } = deps;
  // For a start that fails; a running bot stops the queue earlier and with more time.
  ends.defer(() => queue.stop(0));

  const conflict = new PollConflict();
  const health = new Health({
    writeDatabase: () => writeAndErase(database),
    reachTelegram: (signal) => api.callApi('getMe', {}, { signal }),
    serviceState: () => service.state(),
    stop,
    problem: () => {
      const ofProxy = api.transport.proxyProblem;
      if (ofProxy === undefined) return conflict.problem();
      return `TELEGRAM_PROXY lets nothing through (${ofProxy}): see npm run doctor`;
    },
  });
  metrics.gauge('ready', '1 while updates are taken, as /readyz has it', async () =>
    Number((await health.readiness()).ready),
  );
  // Before Telegram is reached: probes find the bot alive but not ready, and deliveries wait.
  const reached = Promise.withResolvers<TakeIn>();
  const webhook = config.webhook && {
    ...config.webhook,
    takeIn: async (bodies: readonly unknown[], isBacklog: boolean) =>
      (await reached.promise)(bodies, isBacklog),
  };
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
  await takeOver(deps, me.id);
  const bot = { ...VOCABULARY, ...deps, me };
  const inlineMode = new InlineMode(bot, inline, (outcome, ms) =>
    metrics.handled('inline_query', outcome, 1, ms),
  );
  const parts = { bot, database, inlineMode, signs: new PQueue() };
  const taking: TakeIn = takeIn.bind(undefined, parts);
  reached.resolve(taking);
  // Before the first update is handled: it may be the one that hung the previous process.
  startWatchdog(log);
  await queue.start(metrics.measured(createBot(bot)));
  ends.defer(async () => {
    const stopped = queue.stop(GRACE_MS);
    // Telegram may ask for a longer wait than the grace. Set after the queue's own timer, so that the work is aborted by then.
    const over = delay(GRACE_MS, undefined, { ref: false }).then(() => api.endWaits());
    await stopped;
    // A call continues after its asker has cancelled, and its result is kept.
    await Promise.race([interpreter.account.settled(), over]);
  });
  ends.defer(() => inlineMode.stop());

  const intake = new AbortController();
  const takingIn = takeUpdates(
    {
      api,
      log,
      webhook: config.webhook,
      takeIn: taking,
      conflict,
      onMove: (restMs) => health.intakeMoved(restMs),
      onFailure: (kind) => metrics.pollFailures.inc({ kind }),
      database,
      onBegun: () => {
        health.begin();
        const { limits, access, database } = config;
        const intake = webhook === undefined ? 'polling' : 'webhook';
        const settings = { version, intake, database: database.engine, limits, access };
        log.info({ event: 'ready', ...settings }, `@${me.username} is ready`);
        startUpkeep(deps, stop);
      },
    },
    intake.signal,
  );
  ends.defer(async () => {
    intake.abort();
    await takingIn;
  });

  if (!stop.aborted) await once(stop, 'abort');
  log.info('stopping');
}

/** The key of the id of the bot whose updates the database has. */
const BOT_KEY = 'bot';

/** Begins the work of this bot on a database that another bot had before. Throws `database`. */
async function takeOver(
  { results, requests }: Pick<Deps, 'results' | 'requests'>,
  bot: number,
): Promise<void> {
  const former = await results.text(BOT_KEY);
  if (former === String(bot)) return;
  if (former !== undefined) await requests.disown();
  await results.keep(BOT_KEY, '', String(bot));
}

/** Opens the database once no other process uses it. Undefined if `stop` aborts the wait, or if the start fails, which is logged. */
async function openOwnDatabase(
  { database: config, http }: Config,
  log: Log,
  stop: AbortSignal,
  ends: AsyncDisposableStack,
): Promise<Database | undefined> {
  await using page = new WaitingPage(http);
  try {
    const release = await ownDatabase(config, stop, (pid) => {
      const who = pid === undefined ? 'another process of the bot' : `process ${pid} of the bot`;
      const reason = `${who} uses this database: waiting for it to end`;
      log.warn(reason);
      page.because(reason);
    });
    if (release === undefined) return undefined;
    ends.defer(release);
    const onUnreachable = (error: unknown) => {
      log.warn({ error }, 'the database is unreachable: trying again');
      page.because(databaseProblem(error, config));
    };
    const database = await openDatabase(config, onUnreachable, stop);
    ends.defer(() => database.close());
    return database;
  } catch (error) {
    if (stop.aborted) return undefined;
    log.fatal(databaseProblem(error, config));
    process.exitCode = error instanceof UnfitDatabase ? EXIT_CODES.config : EXIT_CODES.failure;
    return undefined;
  }
}
