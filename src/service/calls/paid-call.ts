/** Makes paid calls: each try waits in line, is entered in the ledger before it is sent, and is settled once, whatever happens. */
import PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { CircuitOpen, type Permit } from './circuit.ts';
import { type Ending, endingOf, errorName, type OnEvent } from './events.ts';
import { cancelled, ServiceFailure } from './failure.ts';
import { withRetries } from './retry.ts';

interface PaidCall<T> {
  readonly kind: CallKind;
  /** In code points; 0 for a recognition. */
  readonly characters: number;
  readonly meter: Meter;
  /** Aborting it stops the call before its next try; a try that was sent goes on, since it is paid for. */
  readonly signal: AbortSignal;
  readonly permit: Permit;
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
  /** How many tries may be in flight. */
  readonly concurrency: number;
  readonly onEvent: OnEvent;
  readonly now: () => number;
  readonly random: () => number;
}

/** Creates paid calls that share one bulkhead. */
export function createPaidCalls({ concurrency, onEvent, now, random }: PaidCallsOptions): PaidCalls {
  const enter = createBulkhead(concurrency);
  /** The latest refusal of each kind that would meet every other call, too. */
  const refusals = new Map<CallKind, ServiceFailure>();
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
    const known = refusals.get(call.kind);
    const freePlace = await enter(call.signal);
    const send = async () => {
      if (call.permit.revoked()) throw new CircuitOpen();
      // Spares calls that waited in line a refusal that would meet them, too. Later calls are sent: their caller knows how long to pause.
      const refusal = refusals.get(call.kind);
      if (refusal !== undefined && refusal !== known) {
        throw new ServiceFailure(
          refusal.kind,
          'not sent: the service has just refused another call of its kind',
        );
      }
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
      if (isForAll(error)) refusals.set(kind, error);
      await settleQuietly(settle, outcomeOf(error), kind);
      throw error;
    }
  }

  return {
    make: (call) =>
      withRetries((attempt) => tryOnce(call, attempt), {
        signal: call.signal,
        random,
        mayRetry: () => !call.permit.probe && !call.permit.revoked(),
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

/**
 * Makes a bulkhead with `concurrency` places. It waits for a place; gives the function that frees it, after everything has heard of the
 * try's failure: if the circuit has just opened, the next in line must not be sent. Throws `cancelled` at once when `signal` aborts.
 */
function createBulkhead(concurrency: number): (signal: AbortSignal) => Promise<() => void> {
  const queue = new PQueue({ concurrency });
  return async (signal) => {
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
  };
}

/** Whether this refusal would meet every call of its kind. */
function isForAll(error: unknown): error is ServiceFailure {
  if (!(error instanceof ServiceFailure)) return false;
  return error.kind === 'quota' || (error.kind === 'auth' && !error.isRenewable);
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
