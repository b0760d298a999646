/** Checks a configuration step by step, from what everything needs to what only money shows. */
import { type Config, readConfig, readDatabaseConfig } from '../app/config.ts';
import { type Database, openDatabase } from '../store/database.ts';
import { Ledger } from '../store/money/ledger.ts';
import { NO_LIMITS } from '../store/money/scopes.ts';
import { BotApi } from '../telegram/api/api.ts';
import { checkDatabase } from './database.ts';
import { type Finding, open } from './finding.ts';
import { checkBotBeside, checkFfmpeg } from './machine.ts';
import { checkService, makePaidCalls, openService, secretUnproven } from './service.ts';
import { checkAccess, checkAdmins, checkEnvFile, checkMoney, checkSettings } from './settings.ts';
import { checkAccount, checkFiles, checkWebhook } from './telegram.ts';

interface Examination {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paid calls may be made, too. */
  readonly mayPay: boolean;
}

/** Maximum time of one check at Telegram, with its retries, in ms. */
const TELEGRAM_PATIENCE_MS = 15_000;

/** Yields findings one by one. Changes nothing, and takes no update from a running bot. */
export async function* examine({ env, mayPay }: Examination): AsyncGenerator<Finding> {
  const settings = readConfig(env);
  yield* checkSettings(settings.ok ? [] : settings.faults);
  yield* checkEnvFile();
  yield await checkFfmpeg();
  const database = readDatabaseConfig(env);
  const { findings, isUsable } = database.ok
    ? await checkDatabase(database.config)
    : { findings: [], isUsable: false };
  yield* findings;
  if (!settings.ok) {
    yield open('Telegram and the service: not checked before all settings are valid');
    return;
  }
  const { config } = settings;
  yield checkMoney(config);
  yield* checkAccess(config);
  yield* examineTelegram(config);
  const opened = isUsable ? await openDatabase(config.database) : undefined;
  try {
    yield* examineService(config.service, mayPay, opened);
  } finally {
    await opened?.close();
  }
}

async function* examineTelegram({
  telegram,
  webhook,
  http,
  access,
  adminIds,
}: Config): AsyncGenerator<Finding> {
  const { finding, isRunning } = await checkBotBeside(http);
  yield finding;
  const api = new BotApi(telegram);
  const signal = () => AbortSignal.timeout(TELEGRAM_PATIENCE_MS);
  const account = await checkAccount(api, signal(), telegram.proxy);
  yield* account.findings;
  if (account.botId === undefined) return;
  yield* await checkWebhook({ api, signal: signal(), configured: webhook, isRunning });
  yield* await checkFiles(api, account.botId, signal());
  yield* await checkAdmins(api, { access, adminIds }, signal());
}

async function* examineService(
  config: Config['service'],
  mayPay: boolean,
  database: Database | undefined,
): AsyncGenerator<Finding> {
  yield* checkService(config, database);
  if (!mayPay) {
    yield secretUnproven();
    return;
  }
  const service = openService(config, database);
  const ledger = database && new Ledger(database, { limits: NO_LIMITS, adminIds: [] });
  yield* makePaidCalls(service, ledger);
  await service.close();
}
