/** Begins calls while the circuit permits them, and ends them with the whole client, or with their caller before they are sent. */
import type { Circuit, Permit } from './circuit.ts';
import { cancelled } from './failure.ts';
import { holding, type Meter } from './paid-call.ts';

/** What a permitted call works with. */
interface PermittedCall {
  /** Aborts when the caller or the whole client stops: then no try begins. */
  readonly signal: AbortSignal;
  /** Aborts when the whole client stops. Nothing else cuts a try that was sent, since it is paid for. */
  readonly untilClosed: AbortSignal;
  readonly permit: Permit;
  readonly meter: Meter;
}

/**
 * Runs `work` if the circuit permits it. The call stays linked to its caller and to the end of the client until its result is there, or
 * until `heldUntil` of the result resolves. Throws `cancelled`, or `unavailable` at once.
 */
export function runPermitted<T>(
  signals: CallSignals,
  circuit: Circuit,
  { signal: caller, meter }: { readonly signal?: AbortSignal | undefined; readonly meter: Meter },
  work: (call: PermittedCall) => Promise<T>,
  heldUntil?: (result: T) => Promise<void>,
): Promise<T> {
  const { signal, release: releaseCaller } = signals.link(caller);
  const { signal: untilClosed, release: releaseClient } = signals.link(undefined);
  const release = () => {
    releaseCaller();
    releaseClient();
  };
  const enter = async () => {
    if (signal.aborted) throw cancelled();
    return circuit.run((permit) => work({ signal, untilClosed, permit, meter }));
  };
  return holding(release, enter, heldUntil);
}

interface LinkedSignal {
  /** Aborts when the caller or the client stops. */
  readonly signal: AbortSignal;
  /** Ends the link; the call is over. */
  release(): void;
}

export interface CallSignals {
  link(caller: AbortSignal | undefined): LinkedSignal;
  /** Aborts all running calls, and every later one. */
  abortAll(): void;
}

/**
 * Links each call to two signals, its caller's and the end of the client, without leaving listeners behind. `AbortSignal.any` keeps some
 * memory for every call if one signal lives as long as the client.
 */
export function createCallSignals(): CallSignals {
  const underWay = new Set<AbortController>();
  let isEnded = false;
  return {
    link(caller) {
      const controller = new AbortController();
      const abort = () => controller.abort();
      if (isEnded || caller?.aborted) abort();
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
    abortAll() {
      isEnded = true;
      for (const controller of underWay) controller.abort();
    },
  };
}
