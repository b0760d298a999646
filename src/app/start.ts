/** The process: its settings, its log, its signals, and its end after an uncaught error. */
import { createLog, type Log, openTerminal } from '../log.ts';
import { dropSecrets, EXIT_CODES, isUnconfigured, loadEnvFile, readConfig } from './config.ts';

/** Printed in a terminal when there are no settings yet. */
const FIRST_STEPS = `Lotsawa has no settings yet. To only look at it, without an account or a key:  npm run sandbox
To run it in Telegram:  cp .env.example .env, fill in the six values that it explains, npm run doctor, npm start
`;

export async function start(): Promise<void> {
  // Before the rest is loaded: the first process of a container gets only signals that it listens for.
  const stop = stopSignal();
  // Ignored: Node would open its debugger on a port without authentication.
  process.on('SIGUSR1', () => {});
  const terminal = process.stdout.isTTY ? await openTerminal() : undefined;
  const fileFault = loadEnvFile();
  const settings =
    fileFault === undefined ? readConfig(process.env) : { ok: false as const, faults: [fileFault] };
  const log = createLog(settings.ok ? settings.config.logLevel : 'info', terminal);
  if (!settings.ok) {
    const isFirstStart = fileFault === undefined && isUnconfigured(process.env);
    if (isFirstStart && terminal !== undefined) process.stderr.write(FIRST_STEPS);
    else for (const fault of settings.faults) log.fatal(fault);
    process.exitCode = EXIT_CODES.config;
    return;
  }
  dropSecrets(process.env);
  logUncaughtErrors(log);
  // Loaded last: loading this code takes most of the start.
  const { run } = await import('./run.ts');
  await run(settings.config, log, stop);
}

/** How often to see whether npm still runs, in ms. */
const LOOK_AGAIN_MS = 1000;

/** Aborts at SIGTERM, SIGINT or SIGHUP, for an orderly stop; a second SIGTERM, or a second SIGINT, ends the process at once; under npm a third. */
function stopSignal(): AbortSignal {
  const aborter = new AbortController();
  const stop = (): void => aborter.abort();
  const isOfNpm = process.env.npm_lifecycle_event !== undefined;
  for (const signal of ['SIGTERM', 'SIGINT'])
    process.once(signal, () => {
      stop();
      // npm passes on the Ctrl-C that the terminal has sent to both.
      if (isOfNpm) process.once(signal, stop);
    });
  // A terminal that is closed sends it, and so does its shell: no haste.
  process.on('SIGHUP', stop);
  // Of the signals that end npm it passes on two; after any other the bot would go on unseen, and keep its database from the next one.
  const { ppid } = process;
  if (isOfNpm) setInterval(() => process.ppid === ppid || stop(), LOOK_AGAIN_MS).unref();
  return aborter.signal;
}

/** Logs uncaught errors like any other and exits with 1: Node would print all that an error holds, including texts and secrets. */
function logUncaughtErrors(log: Log): void {
  // Diagnostic reports (--report-on-signal) leave out the environment.
  if (process.report !== undefined) process.report.excludeEnv = true;
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error, origin }, 'uncaught error: the process ends');
    process.exit(EXIT_CODES.failure);
  });
}
