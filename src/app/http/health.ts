/** Whether the process is alive (spec §7): its event loop turns, and its intake of updates moves. */

export interface Health {
  /** What is wrong, for the operator; undefined while all moves. */
  problem(): string | undefined;
  /** The intake moved, and rests on purpose for `restMs` before it moves again. */
  intakeMoved(restMs?: number): void;
  /** Nothing is under way at the intake, so nothing is expected of it. */
  intakeRests(): void;
}

export interface HealthOptions {
  /** How long the intake may take for one move, in ms: well beyond a long poll with its time limit. */
  readonly intakeStallMs?: number;
  /** How long the event loop may stand still, in ms. */
  readonly loopBlockedMs?: number;
}

const TICK_MS = 1000;
/** How long a blocked event loop is told afterwards, in ms: while it stands still the bot answers no one. */
const BLOCKED_IS_TOLD_MS = 30_000;

/** Begins to watch the event loop; nothing is expected of the intake until it has moved once. */
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
      // The request may be read before the timer that is late runs.
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
