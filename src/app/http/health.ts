/** Tells whether the process is alive (spec §7): its event loop turns, and its intake of updates moves. */

export interface Health {
  /** The problem, in words for the operator; undefined while all is well. */
  problem(): string | undefined;
  /** The intake moved, and rests on purpose for `restMs` before it moves again. */
  intakeMoved(restMs?: number): void;
  /** The intake is idle, so nothing is expected of it. */
  intakeRests(): void;
}

export interface HealthOptions {
  /** How long the intake may take for one move, in ms: well beyond a long poll with its timeout. */
  readonly intakeStallMs?: number;
  /** How long the event loop may be blocked, in ms. */
  readonly loopBlockedMs?: number;
}

const TICK_MS = 1000;
/** How long a blocked event loop is reported afterwards, in ms: during the block nothing answers. */
const BLOCKED_IS_TOLD_MS = 30_000;

/** Starts to watch the event loop; nothing is expected of the intake before its first move. */
export function createHealth({
  intakeStallMs = 120_000,
  loopBlockedMs = 10_000,
}: HealthOptions = {}): Health {
  let tickedAt = performance.now();
  let blockedAt = Number.NEGATIVE_INFINITY;
  let intakeDueAt = Number.POSITIVE_INFINITY;

  const tick = (): void => {
    const now = performance.now();
    if (now - tickedAt - TICK_MS > loopBlockedMs) blockedAt = now;
    tickedAt = now;
  };
  setInterval(tick, TICK_MS).unref();

  return {
    problem: () => {
      const now = performance.now();
      // This request may be handled before the late timer runs.
      const isLate = now - tickedAt - TICK_MS > loopBlockedMs;
      if (isLate || now - blockedAt < BLOCKED_IS_TOLD_MS) return 'the event loop was blocked';
      return now > intakeDueAt ? 'the intake of updates stands still' : undefined;
    },
    intakeMoved: (restMs = 0) => {
      intakeDueAt = performance.now() + restMs + intakeStallMs;
    },
    intakeRests: () => {
      intakeDueAt = Number.POSITIVE_INFINITY;
    },
  };
}
