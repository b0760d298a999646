/**
 * Loaded into a bot with `--import`: how long its event loop is held up by its own work. CPU time of the thread between two
 * ticks of a fast timer is own work; what the wall clock shows beyond it is the machine giving the core to somebody else.
 */
import { threadCpuClock } from './thread-cpu-clock.ts';

const TICK_MS = 2;

const threadCpuMs = threadCpuClock();
let cpuBefore = threadCpuMs();
let wallBefore = performance.now();
let longestCpuMs = 0;
let longestWallMs = 0;

setInterval(() => {
  const cpu = threadCpuMs();
  const wall = performance.now();
  longestCpuMs = Math.max(longestCpuMs, cpu - cpuBefore);
  longestWallMs = Math.max(longestWallMs, wall - wallBefore - TICK_MS);
  cpuBefore = cpu;
  wallBefore = wall;
}, TICK_MS).unref();

/** Tells what was longest since it was last asked. */
process.on('message', () => {
  process.send?.({ longestCpuMs, longestWallMs });
  longestCpuMs = 0;
  longestWallMs = 0;
});
process.channel?.unref();
