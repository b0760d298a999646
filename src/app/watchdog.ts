/** Ends the process when its event loop is blocked for good, so that its supervisor restarts it. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';

interface WatchdogOptions {
  readonly log: Log;
  /** How long the event loop may be blocked, in ms; only time in which the process runs counts. */
  readonly limitMs?: number;
}

/** A hundred times longer than anything the bot does, and short enough that people still wait. */
const LIMIT_MS = 60_000;
/** How often the loop is checked within the limit. */
const LOOKS = 12;
/** In MB. The thread holds only a counter; without limits it may use as much as the bot itself. */
const MOST_MEMORY = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

export interface Watchdog {
  /** Starts to watch, on the first call; takes 3 ms, and a thread's start beside it. */
  start(): void;
}

/**
 * A thread checks the event loop, from `start` until the process ends. An update that blocks the loop is treated like one that kills the
 * process (`STRIKES` in queue/queue-rows.ts): after some restarts it is a dead letter. If the thread cannot start, that is logged.
 */
export function createWatchdog(options: WatchdogOptions): Watchdog {
  let isStarted = false;
  return {
    start: () => {
      if (!isStarted) watch(options);
      isStarted = true;
    },
  };
}

function watch({ log, limitMs = LIMIT_MS }: WatchdogOptions): void {
  const everyMs = limitMs / LOOKS;
  const turns = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
  setInterval(() => Atomics.add(turns, 0, 1), everyMs / 2).unref();
  const onError = (error: unknown): void => log.error({ error }, 'nobody watches the event loop');
  try {
    const thread = new Worker(new URL('./watchdog-thread.mjs', import.meta.url), {
      workerData: { turns, everyMs, looks: LOOKS },
      resourceLimits: MOST_MEMORY,
      // Node's options for the bot are not meant for this thread.
      execArgv: [],
      env: {},
    });
    thread.unref();
    thread.on('error', onError);
  } catch (error) {
    // The machine has no room for another thread (EAGAIN); the bot itself can do without.
    onError(error);
  }
}
