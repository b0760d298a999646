/** Whether the generator itself kept up: a figure measured by a late clock is worth nothing. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;

/** Starts watching; the function gives the delay of the event loop that 99 % of all moments stayed under, in ms. */
export function watchOwnLag(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return () => {
    histogram.disable();
    return Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
  };
}
