/** The processes behind one encoder: a failing start does not end the bot, what they say is bounded, and they end all together. */
import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { outlastShortage } from '../../patience.ts';

/** A process that has ended may leave its pipes open for so many ms. Processes that it has started may hold them for ever. */
const PIPES_CLOSE_WITHIN_MS = 3_000;
/** ffmpeg may take so many ms to start. fluent-ffmpeg first asks it what it can do. */
const STARTS_WITHIN_MS = 20_000;
/** In characters. ffmpeg says far less of errors, and fluent-ffmpeg keeps a line of any length. */
const MOST_COMPLAINTS = 1_000_000;

interface EncoderProcesses {
  /** Ends at once every process that runs or is started later. To SIGTERM ffmpeg would answer with a shortened file. */
  kill(): void;
  /** The same, for when all is over. */
  end(): void;
}

interface Handlers {
  /** A process could not be started, where fluent-ffmpeg would throw in a callback of its own. */
  readonly onUnstarted: (error: unknown) => void;
  /** The encoder has ended, and its pipes were cut off from whatever still held them: nothing comes any more. */
  readonly onCutOff: () => void;
}

/**
 * Takes the processes of `command` in hand before it runs; called once for each command. Each gets a process group of its own, so
 * that the processes which it starts itself (a wrapper around ffmpeg) end with it. Only one that leaves its group escapes.
 */
export function holdProcesses(command: FfmpegCommand, { onUnstarted, onCutOff }: Handlers): EncoderProcesses {
  const held = new Set<ChildProcess>();
  let isKilled = false;
  const kill = (): void => {
    isKilled = true;
    for (const child of held) killGroup(child);
  };
  const unstarted = setTimeout(kill, STARTS_WITHIN_MS);
  command.once('start', () => clearTimeout(unstarted));

  const hold = (child: ChildProcess): void => {
    held.add(child);
    if (isKilled) killGroup(child);
    boundComplaints(child);
    const over = new AbortController();
    if (child.pid !== undefined) void giveWayAsSession(child.pid, over.signal);
    child.once('exit', () => {
      over.abort();
      const cutOff = setTimeout(() => {
        killGroup(child);
        for (const pipe of [child.stdin, child.stdout, child.stderr]) pipe?.destroy();
        onCutOff();
      }, PIPES_CLOSE_WITHIN_MS);
      child.once('close', () => clearTimeout(cutOff));
    });
  };
  guardStart(command, hold, onUnstarted);
  return {
    kill,
    end: () => {
      clearTimeout(unstarted);
      kill();
    },
  };
}

function boundComplaints(child: ChildProcess): void {
  let length = 0;
  child.stderr?.on('data', (words: string | Buffer) => {
    length += words.length;
    if (length > MOST_COMPLAINTS) killGroup(child);
  });
}

/** Also when its first process has ended: while any process of the group is left, no other group gets its number. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // There is none any more.
  }
}

/**
 * A process that cannot even be started (no memory, process or file descriptor left, no `nice`) makes fluent-ffmpeg throw in a
 * callback of its own, where it cannot be caught: the bot would end with it. So its private way to start one is guarded, and
 * told to open a group of processes.
 */
function guardStart(
  command: FfmpegCommand,
  onProcess: (child: ChildProcess) => void,
  onUnstarted: (error: unknown) => void,
): void {
  const start: unknown = Reflect.get(command, '_spawnFfmpeg');
  if (typeof start !== 'function') return;
  Reflect.set(command, '_spawnFfmpeg', (args: unknown, options: object, ...callbacks: unknown[]) => {
    const onEnd = callbacks.pop();
    const [onStart] = callbacks;
    const started = (child: ChildProcess, ...output: unknown[]): void => {
      onProcess(child);
      if (typeof onStart === 'function') onStart(child, ...output);
    };
    const end = (error: unknown, ...output: unknown[]): void => {
      if (error !== undefined && output[0] === undefined) onUnstarted(error);
      else if (typeof onEnd === 'function') onEnd(error, ...output);
    };
    try {
      Reflect.apply(start, command, [args, { ...options, detached: true }, started, end]);
    } catch (error) {
      // Without a file descriptor the child has no pipes, over which fluent-ffmpeg throws here; the reason is emitted in the next turn.
      setImmediate(onUnstarted, error);
    }
  });
}

/** Of -20 to 19, as in nice(1): a tenth of the processor beside a process that has 0. A long speech must not slow anyone's text. */
export const NICENESS = 10;

/** Linux takes one such request in so many ms from all users but root, and refuses the others (EAGAIN). */
const ASKED_AGAIN_AFTER_MS = 120;
/** A voice note takes less than that long, in all but the worst of times. */
const ASKED_FOR_MS = 6000;

/**
 * Gives the session that this process leads the niceness of the process. Linux may share the processor among sessions before it looks at
 * the processes in them (`sched_autogroup_enabled`, sched(7)); then every encoder would count as much as the whole bot, however nice it
 * is. Resolves when that is done or impossible; `signal` says that the process has ended.
 */
async function giveWayAsSession(pid: number, signal: AbortSignal): Promise<void> {
  const ask = async (): Promise<void> => {
    if (!signal.aborted) await writeFile(`/proc/${pid}/autogroup`, String(NICENESS));
  };
  const patience = { firstMs: ASKED_AGAIN_AFTER_MS, withinMs: ASKED_FOR_MS, signal };
  await outlastShortage(ask, patience).catch(() => {
    // Other systems have no such file.
  });
}
