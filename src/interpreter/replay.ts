/** Replays sound from its beginning, so that an encoder that fails costs no second call. */

export interface Replay {
  /** Gives the sound from its beginning: first what has come, then what comes. */
  listen(): AsyncIterable<Buffer>;
  /** False once there is too much sound to keep. */
  canRepeat(): boolean;
  /** Resolves with all of the sound at its end; undefined if it is too much to keep. Throws the source's error. */
  whole(): Promise<Buffer | undefined>;
  /** Closes the source. */
  close(): Promise<void>;
}

/** Keeps up to `maxBytes` of `source`; longer sound can be heard only once. */
export function createReplay(source: AsyncGenerator<Buffer>, maxBytes: number): Replay {
  const chunks: Buffer[] = [];
  /** The number of chunks that have come; those before `forgotten` are no longer kept. */
  let come = 0;
  let forgotten = 0;
  let bytes = 0;
  let isOver = false;
  let pulling: Promise<void> | undefined;
  /** The source's error, kept because a failed generator would afterwards say that it is done. */
  let broken: { readonly error: unknown } | undefined;
  const canRepeat = (): boolean => bytes <= maxBytes;

  /** One read at a time, so that a listener that has left takes nothing from the next one. */
  const pull = async (): Promise<void> => {
    if (broken !== undefined) throw broken.error;
    pulling ??= source
      .next()
      .then(({ done, value }) => {
        if (done) {
          isOver = true;
          return;
        }
        chunks.push(value);
        come += 1;
        bytes += value.length;
      })
      .catch((error: unknown) => {
        broken = { error };
        throw error;
      })
      .finally(() => {
        pulling = undefined;
      });
    await pulling;
  };

  return {
    async *listen() {
      for (let index = 0; ; index += 1) {
        while (index >= come && !isOver) await pull();
        const chunk = chunks[index - forgotten];
        if (chunk === undefined) return;
        yield chunk;
        // Only here: a listener that has left while it waited never comes past its `yield`, and takes nothing from the next one.
        if (!canRepeat()) {
          chunks.splice(0, index + 1 - forgotten);
          forgotten = index + 1;
        }
      }
    },
    canRepeat,
    whole: async () => {
      while (!isOver && canRepeat()) await pull();
      return canRepeat() ? Buffer.concat(chunks) : undefined;
    },
    close: async () => {
      await source.return(undefined);
    },
  };
}
