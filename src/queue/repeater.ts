/** Work that is asked for again and again, and done one time after another. */
export class Repeater {
  readonly #work: () => Promise<void>;
  #running: Promise<void> | undefined;
  #isWanted = false;

  /** `work` must not throw. */
  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Begins a run; during a run, any number of calls cause one more. */
  readonly ask = (): void => {
    this.#isWanted = true;
    this.#running ??= this.#run().finally(() => {
      this.#running = undefined;
      // `ask` was called between the end of the last run and now.
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
