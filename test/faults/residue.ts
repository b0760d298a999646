/** What a bot's process holds: children, sockets, timers and temporary files, seen from outside. */
import { readdirSync, readlinkSync } from 'node:fs';
import { expect } from 'vitest';
import { childrenOf } from '../processes.ts';

export interface Residue {
  readonly children: number;
  readonly sockets: number;
  /** Open files and pipes, sockets and the database aside. */
  readonly files: number;
  readonly timers: number;
  readonly temporaryFiles: number;
}

/** SQLite's own, of connections that are opened when they are first needed and last as long as the process. */
const OF_DATABASE = /\/lotsawa\.db(?:-\w+)*$/;

/** Counts what the process holds now; `httpPort` is where it serves its metrics. */
export async function residueOf(pid: number, httpPort: number, temporary: string): Promise<Residue> {
  const metrics = await (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text();
  const targets = readdirSync(`/proc/${pid}/fd`)
    .flatMap((fd) => targetOf(pid, fd))
    .filter((target) => !OF_DATABASE.test(target));
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return {
    children: childrenOf(pid).length,
    sockets,
    files: targets.length - sockets,
    timers: Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(metrics)?.[1] ?? 0),
    temporaryFiles: readdirSync(temporary, { recursive: true }).length,
  };
}

/** Connections that wait to be used again, and the timers that watch over them. */
const IDLE_CONNECTIONS = 3;

/** Waits until the bot holds no more than it did before, but for a few connections. */
export async function leavesNothing(now: () => Promise<Residue>, before: Residue): Promise<void> {
  await expect.poll(now, { interval: 500 }).toEqual({
    children: 0,
    temporaryFiles: 0,
    files: before.files,
    sockets: expect.toSatisfy((sockets: number) => sockets <= before.sockets + IDLE_CONNECTIONS),
    timers: expect.toSatisfy((timers: number) => timers <= before.timers + IDLE_CONNECTIONS),
  });
}

/** A descriptor may be closed between the listing and the look. */
function targetOf(pid: number, fd: string): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
  } catch {
    return [];
  }
}
