/** The machine's processes, seen from outside. */
import { readdirSync, readFileSync } from 'node:fs';

/** Ids of the processes that this one has started and that still run, or wait to be noticed. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readOf(pid, `task/${thread}/children`).split(' ').filter(Boolean).map(Number),
  );
}

/** True while a process with this id runs. */
export function isRunning(pid: number): boolean {
  return /^State:\t[^Z]/m.test(readOf(pid, 'status'));
}

/** Returns the ids of all processes that run exactly this command. */
export function processesOf(command: string): number[] {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return pids.map(Number).filter((pid) => readOf(pid, 'cmdline').replaceAll('\0', ' ').trim() === command);
}

/** The name of its program, without a path; empty if it has ended. */
export function programOf(pid: number): string {
  return readOf(pid, 'comm').trim();
}

/** Empty if the process, or the thread, has ended meanwhile. */
function readOf(pid: number, name: string): string {
  try {
    return readFileSync(`/proc/${pid}/${name}`, 'utf8');
  } catch {
    return '';
  }
}
