/** Work that is asked for again and again, and done one time after another. */

interface Repeater {
  /** Begins a run; during a run, any number of calls cause one more. */
  readonly ask: () => void;
  /** Resolves when no run is active. */
  settled(): Promise<void>;
}

/** Makes a repeater of `work`, which must not throw. */
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
      // `ask` was called between the end of the last run and now.
      if (isWanted) ask();
    });
  };
  return { ask, settled: async () => running };
}
