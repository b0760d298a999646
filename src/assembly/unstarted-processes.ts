/** Closes what Node leaves open of a process that it could not start for want of file descriptors. */
import { subscribe } from 'node:diagnostics_channel';
import { codeOf } from '../error-code.ts';

/** The shortages after which Node leaves the pipes to the process as they are: the last ones had just been opened for them. */
const OF_FILES = new Set<string | undefined>(['EMFILE', 'ENFILE']);

/**
 * From now on such pipes are closed. Three file descriptors would stay open for each try, until none was left: what a moment of
 * shortage begins would then last for as long as the bot runs.
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
