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
  // As text: for a file in TypeScript, Node's translator would take 20 MB in the thread as well.
  const thread = new Worker(`(${watch})(require('node:worker_threads').workerData)`, {
    eval: true,
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

/** Runs in the thread, without this file's scope. Counts looks, not time: a stopped process or a sleeping machine misses both alike. */
function watch({ turns, everyMs, looks }: { turns: Int32Array; everyMs: number; looks: number }): void {
  let seen = -1;
  let inVain = 0;
  setInterval(() => {
    const now = Atomics.load(turns, 0);
    inVain = now === seen ? inVain + 1 : 0;
    seen = now;
    if (inVain < looks) return;
    const words = 'The event loop is blocked: killing the process, for its supervisor to restart.\n';
    process.getBuiltinModule('node:fs').writeSync(2, words);
    // A process whose event loop is blocked hears no other signal.
    process.kill(process.pid, 'SIGKILL');
  }, everyMs);
}
