import { once } from 'node:events';
import { createServer } from 'node:net';
import { z } from 'zod';
import { type Config, readConfig, readDatabaseConfig } from '../app/config.ts';
import { listenProblem } from '../app/http.ts';
import { probeFfmpeg } from '../media/voice/opus.ts';
import { openDatabase } from '../store/database.ts';
import { checkDatabase } from './database.ts';
import { type Finding, open, reasonOf, well, wrong } from './finding.ts';
import { checkService } from './service.ts';
import { checkAccess, checkEnvFile, checkMoney, checkSettings } from './settings.ts';
import { checkTelegram } from './telegram.ts';

/** Changes nothing, and takes no update from a running bot. Makes paid calls only if `mayPay`. */
export async function* examine(env: NodeJS.ProcessEnv, mayPay: boolean): AsyncGenerator<Finding> {
  const settings = readConfig(env);
  yield* checkSettings(settings.ok ? [] : settings.faults);
  yield* checkEnvFile();
  yield await checkFfmpeg();
  const database = readDatabaseConfig(env);
  const isUsable = database.ok && (yield* checkDatabase(database.config));
  if (!settings.ok) {
    yield open('Telegram and the service: not checked before all settings are valid');
    return;
  }
  const { config } = settings;
  yield checkMoney(config);
  yield* checkAccess(config);
  yield await checkPort(config.http);
  yield* checkTelegram(config);
  const opened = isUsable ? await openDatabase(config.database) : undefined;
  try {
    yield* checkService(config.service, opened, mayPay);
  } finally {
    await opened?.close();
  }
}

async function checkFfmpeg(): Promise<Finding> {
  try {
    await probeFfmpeg();
    return well('ffmpeg: runs, and encodes Opus');
  } catch (error) {
    return wrong(`ffmpeg: ${reasonOf(error)}`, 'sudo apt-get install ffmpeg (macOS: brew install ffmpeg)');
  }
}

const PATIENCE_MS = 5000;

/** What `/readyz` says; `problem`: why no updates arrive, and the remedy. */
const readiness = z.object({ ready: z.boolean(), problem: z.string().optional() });

/** Without a report of `/readyz`, finds out whether the bot could listen there. */
async function checkPort({ host, port }: Config['http']): Promise<Finding> {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { ready, problem } = readiness.parse(await answer.json());
    if (ready) return well('Bot: running, and taking updates');
    return wrong('Bot: running, but taking no updates', problem ?? `see ${address} and its log`);
  } catch {
    // Nothing answers, or another program does.
  }
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
    return open('Bot: not running', 'npm start');
  } catch (error) {
    return wrong('Bot: not running, and cannot start', listenProblem(error, host, port));
  } finally {
    server.close();
  }
}
