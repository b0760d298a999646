/** Sound that can be heard again from its beginning, so that an encoder that fails costs no second call. */

export interface Replay {
  /** The sound from its beginning: first what has come already, then what comes. */
  listen(): AsyncIterable<Buffer>;
  /** False once there was too much of it to be kept. */
  canRepeat(): boolean;
  /** All of the sound, once it is over; undefined where there is too much of it to be kept. Throws what the source throws. */
  whole(): Promise<Buffer | undefined>;
  /** Lets go of the source. */
  close(): Promise<void>;
}

/** Keeps up to `maxBytes` of what `source` gives; longer sound is heard once. */
export function createReplay(source: AsyncGenerator<Buffer>, maxBytes: number): Replay {
  const chunks: Buffer[] = [];
  /** Chunks before this one have come; those before `forgotten` are kept no more. */
  let come = 0;
  let forgotten = 0;
  let bytes = 0;
  let isOver = false;
  let pulling: Promise<void> | undefined;
  /** What the source has failed with: a generator that was asked again would say that it is over. */
  let broken: { readonly error: unknown } | undefined;
  const canRepeat = (): boolean => bytes <= maxBytes;

  /** One at a time, so that a listener who has left meanwhile takes nothing away from the next. */
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
        if (!canRepeat()) {
          chunks.splice(0, index + 1 - forgotten);
          forgotten = index + 1;
        }
        yield chunk;
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
