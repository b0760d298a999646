/** Whether the generator itself kept up: a figure measured by a late clock is worth nothing. */
import { monitorEventLoopDelay } from 'node:perf_hooks';

const RESOLUTION_MS = 1;

/** Starts watching; the function returns the 99th percentile of the event loop's delay, in ms. */
export function watchOwnLag(): () => number {
  const histogram = monitorEventLoopDelay({ resolution: RESOLUTION_MS });
  histogram.enable();
  return () => {
    histogram.disable();
    return Math.max(0, histogram.percentile(99) / 1e6 - RESOLUTION_MS);
  };
}
