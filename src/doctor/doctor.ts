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

interface Examination {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly mayPay: boolean;
}

/** Changes nothing, and takes no update from a running bot. */
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

async function checkFfmpeg(): Promise<Finding> {
  try {
    await probeFfmpeg();
    return well('ffmpeg: runs, and encodes Opus');
  } catch (error) {
    return wrong(`ffmpeg: ${reasonOf(error)}`, 'sudo apt-get install ffmpeg (macOS: brew install ffmpeg)');
  }
}

interface PortCheck {
  readonly finding: Finding;
  readonly isRunning: boolean;
}

const PATIENCE_MS = 5000;

/** What `/readyz` says; `problem`: why no updates arrive, and the remedy. */
const readiness = z.object({ ready: z.boolean(), problem: z.string().optional() });

/** Without a report of `/readyz`, finds out whether the bot could listen there. */
async function checkPort({ host, port }: Config['http']): Promise<PortCheck> {
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${port}/readyz`;
  try {
    const answer = await fetch(address, { signal: AbortSignal.timeout(PATIENCE_MS) });
    const { ready, problem } = readiness.parse(await answer.json());
    const finding = ready
      ? well('Bot: running, and taking updates')
      : wrong('Bot: running, but taking no updates', problem ?? `see ${address} and its log`);
    return { finding, isRunning: true };
  } catch {
    // Nothing answers, or another program does.
  }
  const server = createServer();
  try {
    await once(server.listen({ host, port }), 'listening');
    return { finding: open('Bot: not running', 'npm start'), isRunning: false };
  } catch (error) {
    const problem = listenProblem(error, host, port);
    return { finding: wrong('Bot: not running, and cannot start', problem), isRunning: false };
  } finally {
    server.close();
  }
}
