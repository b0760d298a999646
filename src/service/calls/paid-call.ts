/** Makes paid calls. Each try waits in line, is entered in the ledger before it is sent, and is settled once, whatever happens. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { patiently } from '../../patience.ts';
import type { Circuit } from './circuit.ts';
import { type Ending, endingOf, errorName, type OnEvent } from './events.ts';
import { cancelled, retryWaitMs, ServiceFailure } from './failure.ts';

/** Records the outcome of the try; called once. */
type Settle = (outcome: CallOutcome) => Promise<void>;

export interface Meter {
  /** Enters a try before it is sent, in case of a kill; if it throws, nothing is sent. `characters`: code points; 0 for a recognition. */
  begin(call: { readonly kind: CallKind; readonly characters: number }): Promise<Settle>;
}

interface PaidCall<T> {
  readonly kind: CallKind;
  readonly characters: number;
  readonly meter: Meter;
  /** Aborting it stops the call before its next try; a try that was sent continues, since it is paid for. */
  readonly signal?: AbortSignal | undefined;
  readonly circuit: Circuit;
  /** Free work before each try, such as getting a token; it is retried like the call. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  send(): Promise<Sent<T>>;
}

interface Sent<T> {
  readonly result: T;
  readonly traceId?: string | undefined;
  /** Resolves when the result no longer uses its connection, and the call leaves its place in line; by default at once. */
  readonly over?: Promise<void>;
}

interface PaidCallsOptions {
  /** How many tries may be in flight. */
  readonly concurrency: number;
  /** Aborts when the client is closed: no further try begins. */
  readonly closing: AbortSignal;
  readonly onEvent: OnEvent;
}

export class PaidCalls {
  readonly #options: PaidCallsOptions;
  readonly #line: PQueue;
  /** The latest refusal of each kind that would also meet every other call. */
  readonly #refusals = new Map<CallKind, ServiceFailure>();

  constructor(options: PaidCallsOptions) {
    this.#options = options;
    this.#line = new PQueue({ concurrency: options.concurrency });
  }

  /** Throws the last try's failure, `cancelled`, or what the meter's `begin` throws. */
  async make<T>(call: PaidCall<T>): Promise<T> {
    const { kind, circuit } = call;
    const { closing } = this.#options;
    // This costs no memory as long as no listener stays on it.
    const signal = call.signal === undefined ? closing : AbortSignal.any([call.signal, closing]);
    if (signal.aborted) throw cancelled();
    const isProbe = circuit.enter();
    const known = this.#refusals.get(kind);
    const mustBeSendable = (): void => {
      if (signal.aborted) throw cancelled();
      if (!isProbe) circuit.throwIfOpen();
      // Calls that waited in line would be refused, too. Later calls are sent: their caller knows when to pause.
      const refusal = this.#refusals.get(kind);
      if (refusal === undefined || refusal === known) return;
      throw new ServiceFailure(refusal.kind, 'not sent: another call of its kind has just been refused');
    };
    try {
      const result = await patiently(
        async (attempt) => {
          await call.prepare?.(signal);
          return this.#try(call, attempt, signal, mustBeSendable);
        },
        // A probe is a single try.
        (error, attempt) => (circuit.isOpen ? undefined : retryWaitMs(error, attempt)),
        { signal },
      );
      circuit.leave(isProbe, kind);
      return result;
    } catch (error) {
      circuit.leave(isProbe, kind, error);
      if (error instanceof ServiceFailure) error.nextTryAt = circuit.nextTryAt;
      throw error;
    }
  }

  async settled(): Promise<void> {
    await this.#line.onIdle();
  }

  /** Waits for a place in line; keeps it until the try is settled and its result is over. `mustBeSendable` is asked when the place is free. */
  #try<T>(
    { kind, characters, meter, send }: PaidCall<T>,
    attempt: number,
    signal: AbortSignal,
    mustBeSendable: () => void,
  ): Promise<T> {
    const { onEvent } = this.#options;
    const answered = Promise.withResolvers<T>();
    const run = async (): Promise<void> => {
      mustBeSendable();
      const settle = await meter.begin({ kind, characters });
      const settleOrReport = (outcome: CallOutcome): Promise<void> =>
        settle(outcome).catch((error: unknown) =>
          onEvent({ type: 'settle-failed', kind, error: errorName(error) }),
        );
      const startedAt = performance.now();
      const report = (outcome: Ending, traceId: string | undefined): void =>
        onEvent({ type: 'try', kind, outcome, attempt, ms: performance.now() - startedAt, traceId });
      try {
        if (signal.aborted) throw cancelled();
        const { result, traceId, over } = await send();
        report('ok', traceId);
        answered.resolve(result);
        // Not awaited by the caller: if a crash loses the settlement, the call counts as paid, which it is.
        await Promise.all([settleOrReport('charged'), over]);
      } catch (error) {
        report(endingOf(error), isFailure(error) ? error.traceId : undefined);
        const failure = error instanceof ServiceFailure ? error : undefined;
        if (failure?.kind === 'quota' || failure?.kind === 'auth') this.#refusals.set(kind, failure);
        // An unexpected error does not tell whether the service did the work.
        await settleOrReport(failure?.outcome ?? 'in-doubt');
        answered.reject(error);
        // The circuit learns of it before the next call gets this place.
        await nextTurn();
      }
    };
    // Without the signal: on abort, p-queue would free the place of a call that was sent.
    this.#line.add(run).catch(answered.reject);
    return answered.promise;
  }
}
