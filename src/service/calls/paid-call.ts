/** Makes paid calls: each try waits in line, is entered in the ledger before it is sent, and is settled once, whatever happens. */
import PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { type Ending, endingOf, errorName, type OnEvent } from '../events.ts';
import { type Admission, CircuitOpen } from './circuit.ts';
import { cancelled, ServiceFailure } from './failure.ts';
import { withRetries } from './retry.ts';

interface PaidCall<T> {
  readonly kind: CallKind;
  /** In code points; 0 for a recognition. */
  readonly characters: number;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly admission: Admission;
  /** Sends one try; gives its result. */
  send(): Promise<T>;
  /** The service's id for a result, fit for the log. */
  readonly traceIdOf?: (result: T) => string | undefined;
  /** Resolves when a result no longer uses its connection, and so its place in line. */
  readonly heldUntil?: (result: T) => Promise<void>;
}

export interface PaidCalls {
  /** Makes a call with its retries. Throws the last try's failure, or what the meter's `begin` throws. */
  make<T>(call: PaidCall<T>): Promise<T>;
  /** Resolves when all calls that have succeeded are settled. */
  settled(): Promise<void>;
}

interface PaidCallsOptions {
  readonly bulkhead: Bulkhead;
  readonly onEvent: OnEvent;
  readonly now: () => number;
  readonly random: () => number;
}

/** Creates paid calls that share one bulkhead. */
export function createPaidCalls({ bulkhead, onEvent, now, random }: PaidCallsOptions): PaidCalls {
  const refusals = createRefusals();
  const settling = new Set<Promise<void>>();

  async function settleQuietly(settle: Settle, outcome: CallOutcome, kind: CallKind): Promise<void> {
    try {
      await settle(outcome);
    } catch (error) {
      onEvent({ type: 'settle-failed', kind, error: errorName(error) });
    }
  }

  /** Does not wait: if a crash loses the settlement, the unsettled call counts as paid, which it is. */
  function settleCharged(settle: Settle, kind: CallKind): void {
    const settled = settleQuietly(settle, 'charged', kind).finally(() => settling.delete(settled));
    settling.add(settled);
  }

  async function tryOnce<T>(call: PaidCall<T>, attempt: number): Promise<T> {
    const throwIfRefused = refusals.watch(call.kind);
    const freePlace = await bulkhead.enter(call.signal);
    const send = async () => {
      if (call.admission.revoked()) throw new CircuitOpen();
      throwIfRefused();
      return metered(call, attempt);
    };
    return holding(freePlace, send, call.heldUntil);
  }

  async function metered<T>(call: PaidCall<T>, attempt: number): Promise<T> {
    const { kind, characters, meter, signal } = call;
    const settle = await meter.begin({ kind, characters });
    const startedAt = now();
    const report = (outcome: Ending, traceId: string | undefined) =>
      onEvent({ type: 'try', kind, outcome, attempt, ms: now() - startedAt, traceId });
    try {
      if (signal.aborted) throw cancelled();
      const result = await call.send();
      report('ok', call.traceIdOf?.(result));
      settleCharged(settle, kind);
      return result;
    } catch (error) {
      report(endingOf(error), isFailure(error) ? error.traceId : undefined);
      refusals.note(kind, error);
      await settleQuietly(settle, outcomeOf(error), kind);
      throw error;
    }
  }

  return {
    make: (call) =>
      withRetries((attempt) => tryOnce(call, attempt), {
        signal: call.signal,
        random,
        mayRetry: () => !call.admission.probe && !call.admission.revoked(),
      }),
    async settled() {
      await Promise.all(settling);
    },
  };
}

/** An unexpected error does not tell what the service did. */
function outcomeOf(error: unknown): CallOutcome {
  return error instanceof ServiceFailure ? error.outcome : 'in-doubt';
}

/** Enters the outcome of the begun try; called once. */
type Settle = (outcome: CallOutcome) => Promise<void>;

export interface Meter {
  /**
   * Called before each try is sent, so that a process killed midway leaves an entry. If it throws, nothing is sent, and the caller gets its
   * error. `characters`: code points of a text; 0 for a recognition.
   */
  begin(call: { readonly kind: CallKind; readonly characters: number }): Promise<Settle>;
}

interface Bulkhead {
  /**
   * Waits for a place; gives the function that frees it, after everything has heard of the try's failure: if the circuit has just opened,
   * the next in line must not be sent. Throws `cancelled` at once when `signal` aborts.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** Creates a bulkhead with `concurrency` places. */
export function createBulkhead(concurrency: number): Bulkhead {
  const queue = new PQueue({ concurrency });
  return {
    async enter(signal) {
      if (signal.aborted) throw cancelled();
      // On abort p-queue would free the place of a running task; but a place is free only when its try is over.
      const waiting = new AbortController();
      const stopWaiting = () => waiting.abort();
      signal.addEventListener('abort', stopWaiting, { once: true });
      const entered = Promise.withResolvers<() => void>();
      queue
        .add(() => new Promise<void>((freePlace) => entered.resolve(() => setImmediate(freePlace))), {
          signal: waiting.signal,
        })
        .catch(() => entered.reject(cancelled()));
      try {
        return await entered.promise;
      } finally {
        signal.removeEventListener('abort', stopWaiting);
      }
    },
  };
}

interface Refusals {
  /** Call before a call waits; gives a function that throws `quota` or `auth` if a call of this kind was refused meanwhile. */
  watch(kind: CallKind): () => void;
  /** Notes how a try of this kind failed. */
  note(kind: CallKind, error: unknown): void;
}

/**
 * Spares calls that already wait in line a refusal that would meet them, too. Later calls are sent: their caller knows how long to pause.
 */
function createRefusals(): Refusals {
  const latest = new Map<CallKind, ServiceFailure>();
  return {
    watch(kind) {
      const before = latest.get(kind);
      return () => {
        const now = latest.get(kind);
        if (now === undefined || now === before) return;
        throw new ServiceFailure(now.kind, 'not sent: the service has just refused another call of its kind');
      };
    },
    note(kind, error) {
      if (error instanceof ServiceFailure && isForAll(error)) latest.set(kind, error);
    },
  };
}

function isForAll({ kind, isRenewable }: ServiceFailure): boolean {
  return kind === 'quota' || (kind === 'auth' && !isRenewable);
}

/** Runs `work`; calls `release` when it fails, or when `heldUntil` of its result resolves (at once without one). */
export async function holding<T>(
  release: () => void,
  work: () => Promise<T>,
  heldUntil?: (result: T) => Promise<void>,
): Promise<T> {
  let over: Promise<void> | undefined;
  try {
    const result = await work();
    over = heldUntil?.(result);
    return result;
  } finally {
    if (over === undefined) release();
    else void over.then(release);
  }
}
