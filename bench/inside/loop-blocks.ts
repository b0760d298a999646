/**
 * Loaded into a bot with `--import`: measures how long its own work blocks its event loop. The thread's CPU time between two ticks of a fast
 * timer is its own work; the rest of the wall-clock time the core worked for other processes.
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

/** Reports the longest block since the last question. */
process.on('message', () => {
  process.send?.({ longestCpuMs, longestWallMs });
  longestCpuMs = 0;
  longestWallMs = 0;
});
process.channel?.unref();
