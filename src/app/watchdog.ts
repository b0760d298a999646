/** Ends the process when its event loop stands still for good, so that its supervisor starts it again. */
import { Worker } from 'node:worker_threads';
import type { Log } from '../log.ts';

interface WatchdogOptions {
  readonly log: Log;
  /** How long the event loop may stand still, in ms; what is measured is the time in which the process does run. */
  readonly limitMs?: number;
}

/** Nothing that the bot does takes a hundredth of it, and people who wrote meanwhile still wait. */
const LIMIT_MS = 60_000;
/** The loop is looked at so often within the limit. */
const LOOKS = 12;
/** In MB: it holds a counter. What it may use at most would else be as much as for the bot itself. */
const MOST_MEMORY = { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1, stackSizeMb: 1 };

export interface Watchdog {
  /** Begins to watch, the first time that it is called; takes 3 ms, and a thread's start beside it. */
  start(): void;
}

/**
 * Has a thread look whether the event loop turns, from its start until the process ends. An update that makes it stand still is found out as one
 * that kills the process is (queue.ts, strikes): after some restarts it is a dead letter. A thread that cannot be had is logged.
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
      // What Node was told for the bot is not meant for this.
      execArgv: [],
      env: {},
    });
    thread.unref();
    thread.on('error', onError);
  } catch (error) {
    // The machine has no process left for it (EAGAIN): the bot itself can do without.
    onError(error);
  }
}
