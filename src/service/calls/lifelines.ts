/** Ties every call to two signals, its caller's and the stop of the whole service, without leaving listeners behind. */

interface Lifeline {
  /** Aborts when the caller or the service gives up. */
  readonly signal: AbortSignal;
  /** The call is over: lets go of both. */
  release(): void;
}

export interface Lifelines {
  tie(caller: AbortSignal | undefined): Lifeline;
  /** Aborts every call under way and every later one. */
  cutAll(): void;
}

/** Not `AbortSignal.any`: with a signal as long-lived as the service it keeps some memory for every call. */
export function createLifelines(): Lifelines {
  const underWay = new Set<AbortController>();
  let cut = false;
  return {
    tie(caller) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (cut || caller?.aborted) abort();
      underWay.add(controller);
      caller?.addEventListener('abort', abort, { once: true });
      return {
        signal: controller.signal,
        release() {
          underWay.delete(controller);
          caller?.removeEventListener('abort', abort);
        },
      };
    },
    cutAll() {
      cut = true;
      for (const controller of underWay) controller.abort();
    },
  };
}
