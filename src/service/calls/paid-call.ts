/** A paid call: each try waits in line, is written down before it is sent, and is settled once whatever becomes of it. */
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { type Ending, endingOf, errorName, type OnEvent } from '../events.ts';
import { cancelled, ServiceFailure } from '../failure.ts';
import type { Meter, Settle } from '../meter.ts';
import type { Bulkhead } from './bulkhead.ts';
import { type Admission, CircuitOpen } from './circuit.ts';
import { holding } from './holding.ts';
import { createRefusals } from './refusals.ts';
import { withRetries } from './retrying.ts';

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

  /** Nobody waits for it: lost to a crash, an unsettled call counts as paid, as this one is. */
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

/** An error that nobody expected says nothing of what the service did. */
function outcomeOf(error: unknown): CallOutcome {
  return error instanceof ServiceFailure ? error.outcome : 'in-doubt';
}
