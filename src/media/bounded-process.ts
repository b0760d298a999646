/** Runs a program over what a stranger has sent, with bounded memory and time. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { throwIfCancelled } from '../patience.ts';

interface Bounds {
  /** kB that the process may have for writing (RLIMIT_DATA), its own code's needs included: Linux keeps it whatever a file does. */
  readonly dataKb: number;
  readonly seconds: number;
  /** Bytes of its output that are kept. */
  readonly mostBytes: number;
}

interface Ended {
  readonly code: number | null;
  /** By our clock, or by a library that ends the process where it gets no memory. */
  readonly isKilled: boolean;
  /** Standard output. */
  readonly output: Buffer;
  /** The beginning of standard error. */
  readonly cause: Error;
}

/** Of each thread's stack, which counts as data whether it is used or not. */
const STACK_KB = 2048;
/** As in nice(1), on top of the bot's own, with which it shares the processor. */
const NICENESS = 10;
/** Characters kept of what the process says of an error. */
const MOST_COMPLAINTS = 500;

/** Gives what the command writes, fed with `input`. Throws `cancelled`, and what the machine says where it can start no process. */
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

  // In one piece from the beginning: joined at the end it would be held twice. Memory that is never written to takes no room.
  const output = Buffer.allocUnsafeSlow(mostBytes);
  let length = 0;
  let complaints = '';
  child.stdout.on('data', (piece: Buffer) => {
    length += piece.copy(output, length);
  });
  child.stderr.on('data', (words: Buffer) => {
    if (complaints.length < MOST_COMPLAINTS) complaints += words.toString();
  });
  // A process that has ended reads no more; how it ended says enough.
  child.stdin.on('error', () => {});
  for (const piece of input) child.stdin.write(piece);
  child.stdin.end();

  // `once` throws what keeps the process from being started.
  const [code, endedBy] = await once(child, 'close').finally(() =>
    signal?.removeEventListener('abort', kill),
  );
  throwIfCancelled(signal);
  // Ctrl-C says nothing of the file.
  const isKilled = endedBy !== null && endedBy !== 'SIGINT';
  return {
    code,
    isKilled,
    output: output.subarray(0, length),
    cause: new Error(complaints.slice(0, MOST_COMPLAINTS)),
  };
}
