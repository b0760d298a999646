/** Replays sound from its beginning, so that a failed encoder costs no second call. */
export class Replay {
  readonly #source: AsyncGenerator<Buffer>;
  readonly #maxBytes: number;
  readonly #chunks: Buffer[] = [];
  /** Chunks received so far; those before `forgotten` are no longer kept. */
  #come = 0;
  #forgotten = 0;
  #bytes = 0;
  #isOver = false;
  #pulling: Promise<void> | undefined;
  /** The source's error; a generator that failed would afterwards report its end. */
  #broken: { readonly error: unknown } | undefined;

  /** Keeps up to `maxBytes`; longer sound can be read only once. */
  constructor(source: AsyncGenerator<Buffer>, maxBytes: number) {
    this.#source = source;
    this.#maxBytes = maxBytes;
  }

  /** False once there is too much sound to keep. */
  get canRepeat(): boolean {
    return this.#bytes <= this.#maxBytes;
  }

  /** Yields the sound from its beginning: first what was received, then what is coming. */
  async *listen(): AsyncGenerator<Buffer> {
    for (let index = 0; ; index += 1) {
      while (index >= this.#come && !this.#isOver) await this.#pull();
      const chunk = this.#chunks[index - this.#forgotten];
      if (chunk === undefined) return;
      yield chunk;
      // Forget only here: a reader that left while waiting never gets past its `yield`, and takes nothing from the next one.
      if (!this.canRepeat) {
        this.#chunks.splice(0, index + 1 - this.#forgotten);
        this.#forgotten = index + 1;
      }
    }
  }

  /** Resolves with all of the sound at its end; undefined if it is too long to keep. Throws the source's error. */
  async whole(): Promise<Buffer | undefined> {
    while (!this.#isOver && this.canRepeat) await this.#pull();
    return this.canRepeat ? Buffer.concat(this.#chunks) : undefined;
  }

  /** Closes the source. */
  async close(): Promise<void> {
    await this.#source.return(undefined);
  }

  /** Reads one chunk at a time, so that a reader that left takes nothing from the next one. */
  async #pull(): Promise<void> {
    if (this.#broken !== undefined) throw this.#broken.error;
    this.#pulling ??= this.#readOn().finally(() => {
      this.#pulling = undefined;
    });
    await this.#pulling;
  }

  async #readOn(): Promise<void> {
    try {
      const { done, value } = await this.#source.next();
      this.#isOver = done === true;
      if (done) return;
      this.#chunks.push(value);
      this.#come += 1;
      this.#bytes += value.length;
    } catch (error) {
      this.#broken = { error };
      throw error;
    }
  }
}
