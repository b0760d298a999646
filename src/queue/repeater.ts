/** Runs the same work again on demand, never twice at once. */
export class Repeater {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isWanted = false;

  /** `work` must not throw. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Starts a run; during a run, any number of calls cause one more. */
  readonly ask = (): void => {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // `ask` was called after the last run and before now.
      if (this.#isWanted) this.ask();
    });
  };

  /** Resolves when no run is active. */
  async settled(): Promise<void> {
    await this.#running;
  }

  async #run(): Promise<void> {
    while (this.#isWanted) {
      this.#isWanted = false;
      await this.#work();
    }
  }
}
