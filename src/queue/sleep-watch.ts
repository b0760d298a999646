/** Notices that this process did not run for a while: it was stopped, its machine was paused, or its event loop held up. */

const TICK_MS = 1000;

/** Calls `onSlept`, before anything else goes on, when nothing has run for longer than `longestMs`; gives what ends the watch. */
export function watchSleep(longestMs: number, onSlept: () => void): () => void {
  let tickedAt = performance.now();
  const timer = setInterval(() => {
    const now = performance.now();
    const sleptMs = now - tickedAt;
    tickedAt = now;
    if (sleptMs > longestMs) onSlept();
  }, TICK_MS);
  timer.unref();
  return () => clearInterval(timer);
}
