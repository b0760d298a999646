/** How much memory a process and all that it starts take together. */
import { readFileSync } from 'node:fs';

const LOOK_EVERY_MS = 5;

/** The work's result, and the maximum growth of the RSS of the process and its children meanwhile, in MB. */
export async function memoryGrowthMb<T>(
  pid: number | undefined,
  work: () => Promise<T>,
): Promise<{ growth: number; result: T }> {
  if (pid === undefined) throw new Error('there is no process');
  const atRest = treeMb(pid);
  let most = atRest;
  const looks = setInterval(() => {
    most = Math.max(most, treeMb(pid));
  }, LOOK_EVERY_MS);
  try {
    const result = await work();
    return { growth: most - atRest, result };
  } finally {
    clearInterval(looks);
  }
}

function treeMb(pid: number): number {
  try {
    const rss = /^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0;
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean);
    return children.reduce((sum, child) => sum + treeMb(Number(child)), (Number(rss) * 1024) / 1e6);
  } catch {
    // It has ended meanwhile.
    return 0;
  }
}
