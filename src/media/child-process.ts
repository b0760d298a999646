/** Child processes: each has bounded memory and time, yields the processor to the bot, and leads a process group that ends with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Readable } from 'node:stream';
import { throwIfCancelled } from '../patience.ts';

/** From -20 to 19, as in nice(1), added to the bot's own; 10 gets a tenth of the processor beside a process with 0. */
const NICENESS = 10;

/** The ffmpeg to run: a path (FFMPEG_PATH), or a name to look up in PATH. */
export function ffmpegPath(): string {
  return process.env.FFMPEG_PATH || 'ffmpeg';
}

/** None of the bot's variables, which hold its secrets; one thread beside Node's own, and a heap that returns freed memory. */
const BARE_ENVIRONMENT = { UV_THREADPOOL_SIZE: '1', MALLOC_ARENA_MAX: '2', MALLOC_MMAP_THRESHOLD_: '262144' };

/** Exit codes of our programs when they cannot use a file. */
export const EXIT_CODES = { unreadable: 65, tooLarge: 66, encrypted: 67, tooLong: 68, blank: 69 } as const;

interface Bounds {
  /** Writable memory of the process in kB (RLIMIT_DATA), including that of its own code. Linux enforces it, whatever the file contains. */
  readonly dataKb: number;
  /** Processor time, of all threads together (RLIMIT_CPU). */
  readonly seconds: number;
  /** Output that is kept, in bytes; a process that writes more is killed. */
  readonly maxBytes: number;
}

export interface Ended {
  /** Null if a signal ended it: it timed out, or a library ran out of memory. */
  readonly code: number | null;
  /** The beginning of standard error. */
  readonly cause: Error;
  readonly output: Buffer;
}

/** Characters of standard error that are kept. */
const KEPT_STDERR = 500;
/** The stack of each thread, which counts as data even if unused. */
const STACK_KB = 2048;
/** For a process that hangs, in ms. One that works has a tenth of a busy processor, and speech may arrive as slowly as it is spoken. */
const MAX_BY_CLOCK_MS = 20 * 60 * 1000;
/**
 * Linux may first share the processor among sessions (`sched_autogroup_enabled`, sched(7)), and each of these processes leads one. It accepts
 * one such write in 100 ms from all users but root together, so a subshell tries again for as long as the process (`$$`) lives.
 */
const AUTOGROUP = '/proc/self/autogroup';
const LOWER_AUTOGROUP_PRIORITY =
  `while [ -e ${AUTOGROUP} ] && kill -0 $$ && ! echo ${NICENESS} >${AUTOGROUP}; do sleep 0.2; done` +
  ' </dev/null >/dev/null 2>&1 &';

/**
 * Runs a command with bounded memory and time, and returns its output once it, its group and its pipes are gone. `input` must not emit
 * errors. Throws `cancelled`, and the system's error if no process can be started (no memory).
 */
export async function runBounded(
  command: readonly string[],
  env: NodeJS.ProcessEnv,
  input: Readable | Iterable<Buffer>,
  { dataKb, seconds, maxBytes }: Bounds,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  throwIfCancelled(signal);
  const limits = `ulimit -c 0; ulimit -s ${STACK_KB}; ulimit -d ${dataKb}; ulimit -t ${seconds}`;
  const bounded = `${LOWER_AUTOGROUP_PRIORITY} ${limits}; exec nice -n ${NICENESS} "$@"`;
  const child = spawn('/bin/sh', ['-c', bounded, 'sh', ...command], { env, detached: true });
  // Without file descriptors there are no pipes, and the rest would fail.
  await once(child, 'spawn');
  const { pid, stdin, stdout, stderr } = child;
  if (pid === undefined) throw new Error('a process was started without an id');

  const kill = (): void => {
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // No process is left.
    }
  };
  const late = setTimeout(kill, MAX_BY_CLOCK_MS);
  child.once('exit', () => {
    clearTimeout(late);
    // What it has started may hold its pipes open for ever.
    kill();
  });
  if (signal?.aborted) kill();
  signal?.addEventListener('abort', kill, { once: true });

  let stderrText = '';
  stderr.on('data', (words: Buffer) => {
    if (stderrText.length < KEPT_STDERR) stderrText += words.toString();
  });
  // One buffer from the start: joining pieces at the end would take twice the memory. Its untouched pages take none.
  const output = Buffer.allocUnsafeSlow(maxBytes);
  let length = 0;
  stdout.on('data', (piece: Buffer) => {
    const copied = piece.copy(output, length);
    length += copied;
    if (copied < piece.length) kill();
  });
  // If the process stops reading, its exit says why.
  stdin.on('error', () => {});
  (input instanceof Readable ? input : Readable.from(input)).pipe(stdin);

  const [code] = await once(child, 'close');
  signal?.removeEventListener('abort', kill);
  throwIfCancelled(signal);
  return { code, cause: new Error(stderrText.slice(0, KEPT_STDERR)), output: output.subarray(0, length) };
}

/** Runs a program of ours, which opens a person's file and begins with `task.mjs`. Throws as `runBounded` does. */
export function runProgram(
  command: readonly string[],
  task: object,
  file: Buffer,
  bounds: Bounds,
  signal: AbortSignal | undefined,
): Promise<Ended> {
  const line = Buffer.from(`${JSON.stringify({ ...task, exitCodes: EXIT_CODES })}\n`);
  const whole = [...command, `${line.length + file.length}`];
  return runBounded(whole, BARE_ENVIRONMENT, [line, file], bounds, signal);
}
