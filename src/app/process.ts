/** The process: its signals, its end after an uncaught error, and pipes that Node would leave open. */
import { subscribe } from 'node:diagnostics_channel';
import { codeOf } from '../errors.ts';
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

/** The errors after which Node leaves the pipes of a child process that did not start open. */
const OF_FILES = new Set<string | undefined>(['EMFILE', 'ENFILE']);

/**
 * Closes such pipes, three file descriptors each; otherwise a short shortage of them would last as long as the bot runs. Not those that the
 * shortage kept from being opened: closing them corrupts the memory of Node 24.21, which dies of it later, somewhere else.
 */
export function closePipesOfFailedSpawns(): void {
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
      const isOpen = Number(property(handle, 'fd')) >= 0;
      if (isOpen && typeof close === 'function') Reflect.apply(close, handle, []);
    }
  });
}

function property(value: unknown, key: string): unknown {
  return typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined;
}
