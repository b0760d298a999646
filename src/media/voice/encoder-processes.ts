/** The processes behind one encoder: a failed start does not end the bot, their messages are bounded, and they all end together. */
import type { ChildProcess } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { outlastShortage } from '../../patience.ts';

/** How long the pipes may stay open after the process has ended, in ms: processes that it started may hold them for ever. */
const PIPES_CLOSE_WITHIN_MS = 3_000;
/** Time limit for ffmpeg's start, in ms. fluent-ffmpeg first asks it for its formats. */
const STARTS_WITHIN_MS = 20_000;
/** Characters on standard error. ffmpeg writes far less, and fluent-ffmpeg keeps lines of any length. */
const MOST_COMPLAINTS = 1_000_000;

interface EncoderProcesses {
  /** Kills every process, also those started later. After SIGTERM ffmpeg would write a shortened file. */
  kill(): void;
  /** Kills what is left and stops the timers, once all is over. */
  end(): void;
}

interface Handlers {
  /** A process could not be started; fluent-ffmpeg would throw in a callback of its own. */
  readonly onUnstarted: (error: unknown) => void;
  /** The encoder has ended, and its pipes were destroyed because something still held them: nothing more comes. */
  readonly onCutOff: () => void;
}

/**
 * Controls the processes of `command`; call it once for each command, before it runs. Each process leads a group of its own, so that
 * processes which it starts itself (a wrapper around ffmpeg) end with it. Only one that leaves the group escapes.
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

/** Safe also after the group's leader has ended: its id is not reused while any process of the group lives. */
function killGroup({ pid }: ChildProcess): void {
  if (pid === undefined) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // None is left.
  }
}

/**
 * If a process cannot be started (no memory, process or file descriptor left, no `nice`), fluent-ffmpeg throws in a callback of its own,
 * where nobody can catch it, and the bot would end. So this wraps its private start method, and also opens a process group.
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
      // Without file descriptors the child has no pipes, and fluent-ffmpeg throws here; the child emits the reason in the next turn.
      setImmediate(onUnstarted, error);
    }
  });
}

/** From -20 to 19, as in nice(1); 10 gets a tenth of the processor beside a process with 0. A long speech must not slow texts. */
export const NICENESS = 10;

/** Linux accepts one such request within this time from users other than root, and refuses more (EAGAIN). In ms. */
const ASKED_AGAIN_AFTER_MS = 120;
/** Longer than almost any voice note takes, in ms. */
const ASKED_FOR_MS = 6000;

/**
 * Gives the process's niceness to the session that it leads, too. Linux may share the processor among sessions first
 * (`sched_autogroup_enabled`, sched(7)); then every encoder would count as much as the whole bot, however nice it is. Resolves once this
 * is done or impossible; `signal` aborts when the process has ended.
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
