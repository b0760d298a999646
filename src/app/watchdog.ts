/** Ends the process when its event loop is blocked for good, so that its supervisor restarts it. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';

/**
 * Maximum block of the event loop, in ms: a hundred times longer than anything the bot does. Only time in which the process runs counts.
 */
const LIMIT_MS = 60_000;
/** How often the loop is checked within the limit. */
const LOOKS = 12;
/** In MB. The thread holds only a counter; without limits it could use as much as the bot. */
const MAX_MEMORY = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

/**
 * Checks the event loop from a thread until the process ends. An update that blocks the loop is treated like one that kills the process
 * (`MAX_STRIKES` in queue/request-table.ts): after some restarts it is a dead letter. Logs if the thread cannot start. Takes 3 ms.
 */
export function startWatchdog(log: Pick<Log, 'error'>, limitMs = LIMIT_MS): void {
  const everyMs = limitMs / LOOKS;
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), everyMs / 2).unref();
  const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
    workerData: { turns, everyMs, looks: LOOKS },
    resourceLimits: MAX_MEMORY,
    // Node's options for the bot are not for this thread.
    execArgv: [],
    env: {},
  });
  thread.unref();
  thread.on('error', (error) =>
    log.error({ error }, 'the watchdog did not start: a blocked event loop will go unnoticed'),
  );
}
