/** A measured bot process: its start, its end, and the CPU and memory of it and its children. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { childrenOf } from '../test/processes.ts';

export interface Usage {
  /** CPU of the process and of all its children that have ended or still run, in seconds. */
  readonly cpuS: number;
  /** The same for the process alone, without ffmpeg. */
  readonly ownCpuS: number;
  /** Highest so far, in MB: of any one process, and of all at one moment. */
  readonly largestMb: number;
  readonly treeMb: number;
  /** Now, of the bot's own process, in MB. */
  readonly ownMb: number;
  readonly openFiles: number;
}

export interface BotProcess {
  readonly startedAt: number;
  usage(): Usage;
  /** Forgets the highest so far. */
  resetPeaks(): void;
  /** The messages of an `--import`ed probe, in order. */
  readonly told: readonly unknown[];
  /** Asks the probe for what it has measured. */
  ask(): void;
  readonly hasEnded: () => boolean;
  /** Its last words. */
  readonly errors: () => string;
  stop(): Promise<void>;
}

export interface StartOptions {
  readonly program: string;
  readonly env: Readonly<Record<string, string>>;
  readonly cwd: string;
  /** A probe, which talks with its parent. */
  readonly nodeOptions?: readonly string[];
  /** Limits of V8's heap, as `npm start` sets them. */
  readonly v8Limits?: readonly string[];
}

/**
 * Linux removes an ended child's folder in `/proc` when its parent reaps it, and waits until nobody reads there: looks at encoders that are
 * more frequent delay the bot by 50 ms.
 */
const SAMPLE_EVERY_MS = 200;
const STOP_WITHIN_MS = 5000;
/** Linux counts CPU time in these. */
const TICKS_PER_S = 100;
const LAST_WORDS = 4000;

/** Starts `program` with only `env` as its environment, and measures it from now on. */
export function startBot(options: StartOptions): BotProcess {
  const { program, env, cwd, nodeOptions = [], v8Limits = [] } = options;
  const startedAt = performance.now();
  const child = spawn(process.execPath, [...v8Limits, ...nodeOptions, program], {
    cwd,
    env: { PATH: process.env.PATH ?? '', HOME: cwd, ...env },
    // Only for a probe; a bot by itself has no parent to talk to.
    stdio: ['ignore', 'ignore', 'pipe', ...(nodeOptions.length > 0 ? (['ipc'] as const) : [])],
  });
  const pid = child.pid ?? 0;
  // A bot must not inherit the generator's priority.
  setPriority(pid, 0);
  let errors = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    errors = (errors + chunk.toString()).slice(-LAST_WORDS);
  });
  const told: unknown[] = [];
  child.on('message', (message) => told.push(message));
  let largestMb = 0;
  let treeMb = 0;
  const sample = (): void => {
    const sizes = tree(pid).map(residentMb);
    largestMb = Math.max(largestMb, ...sizes);
    treeMb = Math.max(
      treeMb,
      sizes.reduce((sum, size) => sum + size, 0),
    );
  };
  const timer = setInterval(sample, SAMPLE_EVERY_MS);

  return {
    startedAt,
    told,
    ask: () => void child.send('tell'),
    usage: () => {
      sample();
      const ownMb = residentMb(pid);
      const openFiles = read(() => readdirSync(`/proc/${pid}/fd`).length) ?? Number.NaN;
      return { cpuS: cpuSeconds(pid), ownCpuS: ownCpuSeconds(pid), largestMb, treeMb, ownMb, openFiles };
    },
    resetPeaks: () => {
      largestMb = 0;
      treeMb = 0;
    },
    hasEnded: () => hasEnded(child),
    errors: () => errors,
    stop: async () => {
      clearInterval(timer);
      if (hasEnded(child)) return;
      child.kill('SIGTERM');
      const killing = setTimeout(() => child.kill('SIGKILL'), STOP_WITHIN_MS);
      await once(child, 'exit');
      clearTimeout(killing);
    },
  };
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** The process and all below it. */
function tree(pid: number): number[] {
  const children = read(() => childrenOf(pid));
  return [pid, ...(children ?? []).flatMap(tree)];
}

function residentMb(pid: number): number {
  const status = read(() => readFileSync(`/proc/${pid}/status`, 'utf8'));
  return Number(/VmRSS:\s+(\d+)/.exec(status ?? '')?.[1] ?? 0) / 1024;
}

/** proc(5), stat: time in user and kernel mode of the process itself, and of its children waited for. */
function ticksOf(pid: number): { own: number; children: number } {
  const stat = read(() => readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? '';
  const fields = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .map(Number);
  const [user = 0, system = 0, childUser = 0, childSystem = 0] = fields.slice(11, 15);
  return { own: user + system, children: childUser + childSystem };
}

function ownCpuSeconds(pid: number): number {
  return ticksOf(pid).own / TICKS_PER_S;
}

/** CPU of the process and of all below it, also of those that have ended, in seconds. */
export function cpuSeconds(pid: number): number {
  const ticks = tree(pid).map(ticksOf);
  return ticks.reduce((sum, { own, children }) => sum + own + children, 0) / TICKS_PER_S;
}

/** Undefined for a process that has just ended. */
function read<T>(reading: () => T): T | undefined {
  try {
    return reading();
  } catch {
    return undefined;
  }
}
