/** The process as its host sees it: how it is asked to stop, what it says when it ends by itself, and what Node would leave open. */
import { subscribe } from 'node:diagnostics_channel';
import { codeOf } from '../errors.ts';
import type { Log } from '../log.ts';

/** Aborts at the first SIGTERM, SIGINT or SIGHUP (its terminal is closed), for a stop in good order; a second one leaves at once. */
export function firstSignal(): AbortSignal {
  const aborter = new AbortController();
  const onSignal = (): void => {
    if (aborter.signal.aborted) process.exit(1);
    aborter.abort();
  };
  process.on('SIGTERM', onSignal);
  process.on('SIGINT', onSignal);
  process.on('SIGHUP', onSignal);
  return aborter.signal;
}

/**
 * SIGUSR1 does nothing from now on. Node would open its debugger for it, on a port without authentication: everybody on the
 * machine could read the secrets and run what they like.
 */
export function keepDebuggerShut(): void {
  process.on('SIGUSR1', () => {});
}

/**
 * From now on an uncaught error, or an unhandled rejection, is logged as any other and ends the process with 1. Node would
 * print all that the error holds, texts and secrets too.
 */
export function endsWithoutSecrets(log: Log): void {
  // What an operator may have Node write about the process (--report-on-signal) goes without its environment.
  if (process.report !== undefined) process.report.excludeEnv = true;
  process.on('uncaughtException', (error, origin) => {
    log.fatal({ error, origin }, 'an unforeseen error ends the process');
    process.exit(1);
  });
}

/** The shortages after which Node leaves the pipes to a process that it could not start as they are. */
const OF_FILES = new Set<string | undefined>(['EMFILE', 'ENFILE']);

/**
 * Closes such pipes from now on. Each try would leave three file descriptors open until none was left: what a moment of shortage
 * begins would last for as long as the bot runs.
 */
export function closesPipesOfUnstarted(): void {
  const pipesOf = new WeakMap<object, Iterable<unknown>>();
  subscribe('tracing:child_process.spawn:start', (started) => {
    const child = property(started, 'process');
    const pipes = property(property(started, 'options'), 'stdio');
    if (typeof child === 'object' && child !== null && Array.isArray(pipes)) pipesOf.set(child, pipes);
  });
  subscribe('tracing:child_process.spawn:error', (failed) => {
    const child = property(failed, 'process');
    if (typeof child !== 'object' || child === null) return;
    if (!OF_FILES.has(codeOf(property(failed, 'error')))) return;
    for (const pipe of pipesOf.get(child) ?? []) {
      const handle = property(pipe, 'handle');
      const close = property(handle, 'close');
      if (typeof close === 'function') Reflect.apply(close, handle, []);
    }
  });
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
