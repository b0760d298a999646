/** How often a person is told that a limit is reached: each time, except in a flood, which Telegram would hold against the bot. */

/** So often at once; then now and then. */
const MOST_AT_ONCE = 20;
const ONE_MORE_EVERY_MS = 60_000;
/** From so many people on, those who have been quiet are forgotten. */
const MOST_KEPT = 10_000;

/** Tells whether the notice with this key may be said now, and counts it as said. */
export type LimitNotices = (key: string) => boolean;

/** Notices of one process; `now` in ms, of a clock that is never set back. */
export function createLimitNotices(now: () => number = () => performance.now()): LimitNotices {
  /** By key, until when its notices are used up at one for each interval (the generic cell rate algorithm). */
  const dueAt = new Map<string, number>();
  let sweptAt = 0;

  const sweep = (quietSince: number): void => {
    for (const [key, at] of dueAt) if (at <= quietSince) dueAt.delete(key);
  };

  return (key) => {
    const time = now();
    const quietSince = time - MOST_AT_ONCE * ONE_MORE_EVERY_MS;
    const due = Math.max(dueAt.get(key) ?? quietSince, quietSince);
    if (due + ONE_MORE_EVERY_MS > time) return false;
    // Now and then only: a crowd that floods must not make each of its notices slow.
    if (dueAt.size >= MOST_KEPT && time - sweptAt >= ONE_MORE_EVERY_MS) {
      sweptAt = time;
      sweep(quietSince);
    }
    dueAt.set(key, due + ONE_MORE_EVERY_MS);
    return true;
  };
}
