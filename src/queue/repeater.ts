/** Work that is asked for again and again, and does all that was asked for in as few runs as it takes. */

export interface Repeater {
  /** Begins a run; while one is under way, one more follows it, however often that is asked for. */
  ask(): void;
  /** Resolves when no run is under way. */
  settled(): Promise<void>;
}

/** `work` must not throw. */
export function createRepeater(work: () => Promise<void>): Repeater {
  let running: Promise<void> | undefined;
  let isWanted = false;

  const run = async (): Promise<void> => {
    while (isWanted) {
      isWanted = false;
      await work();
    }
  };

  const ask = (): void => {
    isWanted = true;
    running ??= run().finally(() => {
      running = undefined;
      // Asked for between the end of the last run and now.
      if (isWanted) ask();
    });
  };
  return { ask, settled: async () => running };
}
