/** The process: its settings, its log, its signals, and its end after an uncaught error. */
import { createLog, type Log, openTerminal } from '../log.ts';
import {
  type Config,
  describeFault,
  dropSecrets,
  EnvFileUnreadable,
  EXIT_CODES,
  isUnconfigured,
  readConfig,
  readEnvironment,
} from './config.ts';

/** Printed in a terminal when there are no settings yet. */
const FIRST_STEPS = `Lotsawa has no settings yet. To only look at it, without an account or a key:  npm run sandbox

To run it in Telegram:
  1. cp .env.example .env        the settings, each with its explanation; fill in six of them:
  2. In Telegram, write to @BotFather: /newbot, choose a name, and copy the token that it
     gives you after TELEGRAM_BOT_TOKEN=. For @yourbot in any chat, send it /setinline, too.
  3. From the provider of the recognition, translation and speech service: two addresses
     (SERVICE_AUTH_URL, SERVICE_BASE_URL), an API Key with its Secret Key (SERVICE_API_KEY,
     SERVICE_SECRET_KEY), and the X-Secret (SERVICE_X_SECRET).
  4. npm run doctor              checks all of it, and says how to fix it
  5. npm start
`;

/** Runs the bot until a signal stops it. If it cannot start, logs the reason and sets the exit code. */
export async function start(): Promise<void> {
  // Before the rest is loaded: the first process of a container gets only signals that it listens for.
  const stop = stopSignal();
  // Ignored: Node would open its debugger on a port without authentication.
  process.on('SIGUSR1', () => {});
  const terminal = process.stdout.isTTY ? await openTerminal() : undefined;
  const settings = readSettings();
  const log = createLog(settings.config?.logLevel ?? 'info', terminal);
  if (settings.config === undefined) {
    if (settings.isFirstStart && terminal !== undefined) process.stderr.write(FIRST_STEPS);
    else for (const problem of settings.problems) log.fatal(problem);
    process.exitCode = EXIT_CODES.config;
    return;
  }
  logUncaughtErrors(log);
  // Loaded last: loading this code takes most of the start.
  const { run } = await import('./run.ts');
  await run(settings.config, log, stop);
}

type Settings =
  | { readonly config: Config }
  | { readonly config?: undefined; readonly problems: readonly string[]; readonly isFirstStart: boolean };

/** Reads the settings, and takes the secrets out of the environment. */
function readSettings(): Settings {
  try {
    const environment = readEnvironment();
    const settings = readConfig(environment);
    if (!settings.ok)
      return { problems: settings.faults.map(describeFault), isFirstStart: isUnconfigured(environment) };
    dropSecrets(environment);
    return { config: settings.config };
  } catch (error) {
    if (!(error instanceof EnvFileUnreadable)) throw error;
    return { problems: [error.message], isFirstStart: false };
  }
}

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP, for an orderly stop; a second SIGTERM or SIGINT exits at once. SIGHUP means that the
 * terminal is gone, which often follows Ctrl-C and needs no haste.
 */
function stopSignal(): AbortSignal {
  const aborter = new AbortController();
  let isAsked = false;
  const onAsked = (): void => {
    if (isAsked) process.exit(EXIT_CODES.failure);
    isAsked = true;
    aborter.abort();
  };
  process.on('SIGTERM', onAsked);
  process.on('SIGINT', onAsked);
  process.on('SIGHUP', () => aborter.abort());
  return aborter.signal;
}

/**
 * Logs an uncaught error or unhandled rejection like any other and ends the process with 1. Node would print everything that the error
 * holds, including texts and secrets.
 */
function logUncaughtErrors(log: Log): void {
  // Diagnostic reports (--report-on-signal) leave out the environment.
  if (process.report !== undefined) process.report.excludeEnv = true;
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error, origin }, 'uncaught error: the process ends');
    process.exit(EXIT_CODES.failure);
  });
}
