/**
 * The thread that checks whether the process's event loop turns. Plain JavaScript: for TypeScript, Node's translator would take 20 MB in
 * this thread as well.
 */
import { writeSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

/** @type {{ turns: Int32Array, everyMs: number, looks: number }} */
const { turns, everyMs, looks } = workerData;
const STANDARD_ERROR = 2;

let seen = -1;
let inVain = 0;
// Counts looks, not time: a process that was stopped, or a machine that slept, has missed looks as well as turns.
setInterval(() => {
  const now = Atomics.load(turns, 0);
  inVain = now === seen ? inVain + 1 : 0;
  seen = now;
  if (inVain < looks) return;
  writeSync(
    STANDARD_ERROR,
    'The event loop is blocked: killing the process, for its supervisor to restart.\n',
  );
  // A process whose event loop is blocked hears no other signal.
  process.kill(process.pid, 'SIGKILL');
}, everyMs);
