/** The bot's process: reads the settings, builds the parts, starts them, and stops them without losing what runs. */
import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { TelegramError } from 'telegraf';
import type { UserFromGetMe } from 'telegraf/types';
import { createBot } from './bot.ts';
import { type Config, describeFault, readConfig } from './config.ts';
import { isFailure } from './errors.ts';
import { createInterpreter } from './interpreter/interpreter.ts';
import { createLog, type Log } from './log.ts';
import { createImageFitter } from './media/image.ts';
import { createVoiceEncoder } from './media/voice-note.ts';
import { createSqliteQueue } from './queue/sqlite.ts';
import { createService } from './service/client.ts';
import { createAccounting } from './store/accounting.ts';
import { openDatabase } from './store/database.ts';
import { forgetPerson } from './store/forgetting.ts';
import { setGroupLimit } from './store/groups.ts';
import { createLedger } from './store/ledger.ts';
import { parkUpdate, takeParkedUpdate } from './store/parked-updates.ts';
import { createPauses } from './store/pauses.ts';
import { prune } from './store/pruning.ts';
import { createResults } from './store/results.ts';
import { personSessions } from './store/sessions.ts';
import { tokenStore } from './store/tokens.ts';
import { createAlerts } from './telegram/alerts.ts';
import { BotApi } from './telegram/api.ts';
import { isOutage } from './telegram/api-remedies.ts';
import { apologise } from './telegram/apology.ts';
import { registerCommands } from './telegram/commands.ts';
import { acknowledge, toQueued } from './telegram/intake.ts';
import { loadWords } from './telegram/locale.ts';
import { startPolling } from './telegram/polling.ts';

/** How long a stop waits for what runs, in ms (spec §5). */
const GRACE_MS = 30_000;
const GET_ME_BACKOFF_MS = 3000;
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
  const log = createLog(config.logLevel);
  const words = loadWords(new URL('../locales/', import.meta.url));
  const database = await openDatabase(config.database);
  const money = { database: database.sql, now: Date.now };
  const sessions = personSessions(database.sessions);
  const api = new BotApi({
    ...config.telegram,
    onRetry: (method, error) => log.warn({ method, error }, 'a call to Telegram is repeated'),
  });
  const voices = createVoiceEncoder({ concurrency: availableParallelism() });
  const service = createService({
    config: config.service,
    tokenStore: tokenStore(database.sql),
    onEvent: (event) => log[event.type.endsWith('-failed') ? 'warn' : 'debug'](event, 'service'),
  });
  const results = createResults({ ...money, ttlMs: config.resultsTtlDays * DAY_MS });
  const alert = createAlerts({ api, adminIds: config.adminIds, words, sessions, log });
  const interpreter = createInterpreter({
    service,
    images: createImageFitter({ concurrency: 1 }),
    voices,
    ledger: createLedger({ ...money, limits: config.limits, adminIds: config.adminIds }),
    results,
    pauses: createPauses(database.sql, Date.now),
    log,
    onAlert: alert,
  });
  const queue = createSqliteQueue(database.sql, {
    workers: config.workers,
    isOutage: (error) => isOutage(error) || isFailure(error, 'ledger'),
    onFailure: (error) => log.error({ error }, 'an update could not be handled, and is tried again'),
    onSetAside: ([update], reason) => {
      log.error({ reason }, 'an update was set aside');
      apologise(api, words, log, update);
    },
  });

  await voices.warm();
  const me = await whoAmI(api, log);
  if (me === undefined) return database.close();
  const handle = createBot(
    {
      api,
      me,
      interpreter,
      words,
      log,
      accounting: createAccounting({ ...money, limits: config.limits, adminIds: config.adminIds }),
      groups: {
        mostCalls: config.limits.callsPerGroup || Number.POSITIVE_INFINITY,
        setLimit: (group, dailyCalls) => setGroupLimit(database.sql, group, dailyCalls),
      },
      adminIds: config.adminIds,
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
  );
  await queue.start(handle);
  const polling = startPolling({ api, queue, log, onReceived: (update) => acknowledge(api, log, update) });
  registerCommands(api, words).catch((error: unknown) =>
    log.warn({ error }, 'the command menu was not registered'),
  );
  const pruning = setInterval(() => {
    prune(database.sql, results, Date.now()).catch((error: unknown) => log.warn({ error }, 'pruning failed'));
  }, PRUNE_EVERY_MS);
  log.info({ bot: me.username, mode: 'polling' }, 'ready');

  onFirstSignal(async () => {
    log.info('stopping');
    clearInterval(pruning);
    await polling.stop();
    await queue.stop(GRACE_MS);
    await service.close();
    await database.close();
    log.info('stopped');
  });
}

/** The bot's own account. Telegram being out of reach is waited for; a refused token is said and ends the start. */
async function whoAmI(api: BotApi, log: Log): Promise<UserFromGetMe | undefined> {
  for (;;) {
    try {
      return await api.getMe();
    } catch (error) {
      if (error instanceof TelegramError && (error.code === 401 || error.code === 404)) {
        log.fatal('TELEGRAM_BOT_TOKEN is not known to Telegram: copy it from BotFather once more');
        process.exitCode = 1;
        return undefined;
      }
      log.warn({ error }, 'Telegram cannot be reached yet');
      await delay(GET_ME_BACKOFF_MS);
    }
  }
}

/** The first signal stops in good order; a second one leaves at once. */
function onFirstSignal(stop: () => Promise<void>): void {
  let stopping = false;
  const onSignal = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    void stop();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
}
