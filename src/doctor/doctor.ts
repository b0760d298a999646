/** Checks a configuration step by step, from what everything needs to what only money shows. */
import { readConfig, readDatabaseConfig } from '../app/config.ts';
import { openDatabase } from '../store/database.ts';
import { checkDatabase } from './database.ts';
import { type Finding, open } from './finding.ts';
import { checkFfmpeg, checkPort } from './machine.ts';
import { checkService } from './service.ts';
import { checkAccess, checkEnvFile, checkMoney, checkSettings } from './settings.ts';
import { checkTelegram } from './telegram.ts';

interface Examination {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Paid calls may be made, too. */
  readonly mayPay: boolean;
}

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
  const { finding, isRunning } = await checkPort(config.http);
  yield finding;
  yield* checkTelegram(config, isRunning);
  const opened = isUsable ? await openDatabase(config.database) : undefined;
  try {
    yield* checkService(config.service, opened, mayPay);
  } finally {
    await opened?.close();
  }
}
