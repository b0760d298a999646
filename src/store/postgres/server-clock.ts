/** The time as the database's server has it, so that processes on several machines agree on it whatever their own clocks say. */

export interface ServerClock {
  /** ms since the epoch; NaN before the server was heard. Between two answers it goes by a clock of this process that nobody sets. */
  now(): number;
  /** Takes what the server said of its time, as ms since the epoch, in answer to a question of this moment of `performance.now()`. */
  heard(serverMs: number, askedAt: number): void;
}

/**
 * An answer tells the time no more exactly than half its way there and back: the most exact one counts, until another shows that one
 * of the clocks was set, or goes wrong.
 */
export function createServerClock(): ServerClock {
  let ahead = Number.NaN;
  let errorMs = Number.POSITIVE_INFINITY;

  return {
    now: () => Math.round(performance.now() + ahead),
    heard: (serverMs, askedAt) => {
      const answeredAt = performance.now();
      const heardAhead = serverMs - (askedAt + answeredAt) / 2;
      const heardErrorMs = (answeredAt - askedAt) / 2;
      const isContradiction = Math.abs(heardAhead - ahead) > heardErrorMs + errorMs;
      if (heardErrorMs >= errorMs && !isContradiction) return;
      ahead = heardAhead;
      errorMs = heardErrorMs;
    },
  };
}
