/** Decides when a speech gets an encoder: few run at once, and nobody waits for another's slow source. */
import PQueue from 'p-queue';

export interface EncoderSlots {
  /**
   * Runs `encode` in the first slot that is free for it, and gives what it gives. `complete` settles when all
   * of the speech is there. Once `stop` aborts, an `encode` that has not begun never does. `onWaiting` is told when all of the
   * speech has been there for `LONG_WAIT_MS` and no slot was free.
   */
  run<T>(
    encode: () => Promise<T>,
    complete: Promise<unknown>,
    stop: AbortSignal,
    onWaiting?: () => void,
  ): Promise<T>;
}

/** In ms. What is done for those who wait costs the others time: with 300 speech was a tenth slower where all slots are busy. */
const LONG_WAIT_MS = 1000;

/**
 * `concurrency` slots for speech that is still arriving, and one more for speech that is all there. An
 * encoder mostly waits for its source, so the first could be held for as long as slow sources talk; the last
 * is left within a moment (10 s of speech take 0.1 s), so whoever finds the others held loses that moment and
 * never waits for another's source. A speech queues for the first, to be ready with its last byte, and from
 * its end on also for the last.
 */
export function createEncoderSlots(concurrency: number): EncoderSlots {
  const arriving = new PQueue({ concurrency });
  const arrived = new PQueue({ concurrency: 1 });

  return {
    run<T>(
      encode: () => Promise<T>,
      complete: Promise<unknown>,
      stop: AbortSignal,
      onWaiting = () => {},
    ): Promise<T> {
      const outcome = Promise.withResolvers<T>();
      let taken = false;
      let waiting: NodeJS.Timeout | undefined;
      const take = (begin: () => Promise<T>) => async () => {
        if (taken) return;
        taken = true;
        clearTimeout(waiting);
        stop.removeEventListener('abort', giveUp);
        await begin().then(outcome.resolve, outcome.reject);
      };
      const giveUp = take(() => Promise.reject(stop.reason));

      if (stop.aborted) void giveUp();
      else stop.addEventListener('abort', giveUp, { once: true });
      void arriving.add(take(encode));
      complete.then(
        () => {
          if (taken) return;
          waiting = setTimeout(onWaiting, LONG_WAIT_MS);
          void arrived.add(take(encode));
        },
        () => {},
      );
      return outcome.promise;
    },
  };
}
