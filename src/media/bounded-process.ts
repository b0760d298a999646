/** Runs a program on a file from a stranger, with bounded memory and time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { throwIfCancelled } from '../patience.ts';

interface Bounds {
  /** Writable memory of the process in kB (RLIMIT_DATA), including what its own code needs. Linux enforces it, whatever the file does. */
  readonly dataKb: number;
  readonly seconds: number;
  /** The most output that is kept, in bytes. */
  readonly mostBytes: number;
}

interface Ended {
  readonly code: number | null;
  /** Killed when its time was over, or by a library that got no memory. */
  readonly isKilled: boolean;
  /** Standard output. */
  readonly output: Buffer;
  /** The beginning of standard error. */
  readonly cause: Error;
}

/** The stack of each thread, which counts as data whether it is used or not. */
const STACK_KB = 2048;
/** As in nice(1), added to the bot's own. */
const NICENESS = 10;
/** Characters of standard error that are kept. */
const MOST_COMPLAINTS = 500;

/** Runs a command with `input` and gives its output. Throws `cancelled`, and the system's error if no process can be started. */
export async function runBounded(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  input: readonly Buffer[],
  { dataKb, seconds, mostBytes }: Bounds,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  throwIfCancelled(signal);
  const bounded = `ulimit -c 0; ulimit -s ${STACK_KB}; ulimit -d ${dataKb}; exec nice -n ${NICENESS} "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', ...command], {
    env,
    timeout: seconds * 1000,
    killSignal: 'SIGKILL',
  });
  const kill = () => child.kill('SIGKILL');
  signal?.addEventListener('abort', kill, { once: true });

  // One buffer from the beginning: joining pieces at the end would take twice the memory. Untouched pages of it take none.
  const output = Buffer.allocUnsafeSlow(mostBytes);
  let length = 0;
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => {
    length += piece.copy(output, length);
  });
  child.stderr.on('data', (words: Buffer) => {
    if (complaints.length < MOST_COMPLAINTS) complaints += words.toString();
  });
  // Fails if the process has ended; its exit says enough.
  child.stdin.on('error', () => {});
  for (const piece of input) child.stdin.write(piece);
  child.stdin.end();

  // `once` throws if the process cannot be started.
  const [code, endedBy] = await once(child, 'close').finally(() =>
    signal?.removeEventListener('abort', kill),
  );
  throwIfCancelled(signal);
  // Ctrl-C says nothing about the file.
  const isKilled = endedBy !== null && endedBy !== 'SIGINT';
  return {
    code,
    isKilled,
    output: output.subarray(0, length),
    cause: new Error(complaints.slice(0, MOST_COMPLAINTS)),
  };
}
