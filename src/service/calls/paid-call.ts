/** A paid call: each try waits in line, is written down before it is sent, and is settled once whatever becomes of it. */
import PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { type Ending, endingOf, errorName, type OnEvent } from '../events.ts';
import { type Admission, CircuitOpen } from './circuit.ts';
import { cancelled, ServiceFailure } from './failure.ts';
import { withRetries } from './retry.ts';

interface PaidCall<T> {
  readonly kind: CallKind;
  /** code points of the text; 0 for a recognition */
  readonly characters: number;
  readonly meter: Meter;
  readonly signal: AbortSignal;
  readonly admission: Admission;
  /** Sends one try and gives its result. */
  send(): Promise<T>;
  /** The service's id for a result, as it may be logged. */
  readonly traceIdOf?: (result: T) => string | undefined;
  /** How long a result goes on using its connection, and so its place in line. */
  readonly heldUntil?: (result: T) => Promise<void>;
}

export interface PaidCalls {
  /** The result of a call, with its retries; throws the last try's failure, or what the meter's `begin` throws. */
  make<T>(call: PaidCall<T>): Promise<T>;
  /** Resolves when all that succeeded by now is settled. */
  settled(): Promise<void>;
}

interface PaidCallsOptions {
  readonly bulkhead: Bulkhead;
  readonly onEvent: OnEvent;
  readonly now: () => number;
  readonly random: () => number;
}

/** Paid calls through one bulkhead. */
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

  /** It is not waited for: lost to a crash, an unsettled call counts as paid, as this one is. */
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

/** An unexpected error says nothing of what the service did. */
function outcomeOf(error: unknown): CallOutcome {
  return error instanceof ServiceFailure ? error.outcome : 'in-doubt';
}

/** Writes down the outcome of the try that was begun; called once. */
type Settle = (outcome: CallOutcome) => Promise<void>;

export interface Meter {
  /**
   * Called before each try is sent, so that a process killed midway leaves a trace of it.
   * Where it throws, nothing is sent and its error reaches the caller as it is.
   * `characters` are the code points of a text; 0 for a recognition.
   */
  begin(call: { readonly kind: CallKind; readonly characters: number }): Promise<Settle>;
}

interface Bulkhead {
  /**
   * Waits for a place and gives the function that frees it, once all that hears of the try's failure has heard of it (the circuit above all:
   * the next in line must not be sent when it has just opened). Throws `cancelled` at once when `signal` aborts meanwhile.
   */
  enter(signal: AbortSignal): Promise<() => void>;
}

/** A bulkhead with `concurrency` places. */
export function createBulkhead(concurrency: number): Bulkhead {
  const queue = new PQueue({ concurrency });
  return {
    async enter(signal) {
      if (signal.aborted) throw cancelled();
      // p-queue would free the place of a running task on abort; a place is free only when its try is over.
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
  /** To be asked before a call waits; the function given back throws `quota` or `auth` where one of its kind was refused meanwhile. */
  watch(kind: CallKind): () => void;
  /** Tells how a try of this kind failed. */
  note(kind: CallKind, error: unknown): void;
}

/** Nothing is refused yet. A call that comes later is sent: its caller knows how long to leave the service alone. */
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

/** What `work` gives; `release` is called when it failed, else once `heldUntil` of its result resolves (at once without one). */
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
