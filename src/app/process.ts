/** The process: its signals, and its end after an uncaught error. */
import type { Log } from '../log.ts';

/**
 * Aborts at the first SIGTERM, SIGINT or SIGHUP, for an orderly stop; a second SIGTERM or SIGINT exits at once. SIGHUP says that the
 * terminal is gone, which often follows Ctrl-C and asks for no haste.
 */
export function stopSignal(): AbortSignal {
  const aborter = new AbortController();
  let isAsked = false;
  const onAsked = (): void => {
    if (isAsked) process.exit(1);
    isAsked = true;
    aborter.abort();
  };
  process.on('SIGTERM', onAsked);
  process.on('SIGINT', onAsked);
  process.on('SIGHUP', () => aborter.abort());
  return aborter.signal;
}

/** Ignores SIGUSR1: Node would open its debugger on a port without authentication, for everybody on the machine. */
export function disableDebugger(): void {
  process.on('SIGUSR1', () => {});
}

/**
 * From now on an uncaught error or an unhandled rejection is logged like any other and ends the process with 1. Node would print all that
 * the error holds, including texts and secrets.
 */
export function logUncaughtErrors(log: Log): void {
  // Diagnostic reports (--report-on-signal) leave out the environment.
  if (process.report !== undefined) process.report.excludeEnv = true;
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error, origin }, 'an unforeseen error ends the process');
    process.exit(1);
  });
}
