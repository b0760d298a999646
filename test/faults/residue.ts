/** What a bot's process holds: children, sockets, timers and temporary files, seen from outside. */
import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

export interface Residue {
  readonly children: number;
  readonly sockets: number;
  /** Open files and pipes, sockets aside. */
  readonly files: number;
  readonly timers: number;
  readonly temporaryFiles: number;
}

/** Counts what the process holds now; `httpPort` is where it serves its metrics. */
export async function residueOf(pid: number, httpPort: number, temporary: string): Promise<Residue> {
  const metrics = await (await fetch(`http://127.0.0.1:${httpPort}/metrics`)).text();
  const targets = readdirSync(`/proc/${pid}/fd`).flatMap((fd) => targetOf(pid, fd));
  const sockets = targets.filter((target) => target.startsWith('socket:')).length;
  return {
    children: childrenOf(pid).length,
    sockets,
    files: targets.length - sockets,
    timers: Number(/^nodejs_active_resources\{type="Timeout"\} (\d+)$/m.exec(metrics)?.[1] ?? 0),
    temporaryFiles: readdirSync(temporary, { recursive: true }).length,
  };
}

/** The processes that this one has started and that still run, or wait to be noticed. */
export function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((task) =>
    readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  );
}

/** A descriptor may be closed between the listing and the look. */
function targetOf(pid: number, fd: string): string[] {
  try {
    return [readlinkSync(`/proc/${pid}/fd/${fd}`)];
  } catch {
    return [];
  }
}
