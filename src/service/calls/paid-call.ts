/** Makes paid calls. Each try waits in line, is entered in the ledger before it is sent, and is settled once, whatever happens. */
import PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { sleep, unlessAborted } from '../../patience.ts';
import type { Circuit } from './circuit.ts';
import { endingOf, errorName, type OnEvent } from './events.ts';
import { cancelled, retryWaitMs, ServiceFailure } from './failure.ts';

/** Records the outcome of the try; called once. */
type Settle = (outcome: CallOutcome) => Promise<void>;

export interface Meter {
  /**
   * Called before each try is sent, so that a process killed midway leaves an entry. If it throws, nothing is sent, and the caller gets its
   * error. `characters`: code points of a text; 0 for a recognition.
   */
  begin(call: { readonly kind: CallKind; readonly characters: number }): Promise<Settle>;
}

interface PaidCall<T> {
  readonly kind: CallKind;
  /** In code points; 0 for a recognition. */
  readonly characters: number;
  readonly meter: Meter;
  /** Aborting it stops the call before its next try; a try that was sent continues, since it is paid for. */
  readonly signal?: AbortSignal | undefined;
  readonly circuit: Circuit;
  /** Free work before each try, such as getting a token; if it fails, so does the call. */
  readonly prepare?: (signal: AbortSignal) => Promise<void>;
  send(): Promise<Sent<T>>;
}

interface Sent<T> {
  readonly result: T;
  /** The service's id for troubleshooting. */
  readonly traceId?: string | undefined;
  /** Resolves when the result no longer uses its connection, which frees its place in line; by default at once. */
  readonly over?: Promise<void>;
}

interface PaidCallsOptions {
  /** How many tries may be in flight. */
  readonly concurrency: number;
  /** Aborts when the client is closed: no further try begins. */
  readonly closing: AbortSignal;
  readonly onEvent: OnEvent;
  /** ms since the epoch */
  readonly now: () => number;
  /** 0 to 1 */
  readonly random: () => number;
}

export class PaidCalls {
  readonly #options: PaidCallsOptions;
  readonly #line: PQueue;
  /** The latest refusal of each kind that would also meet every other call. */
  readonly #refusals = new Map<CallKind, ServiceFailure>();
  readonly #settling = new Set<Promise<void>>();

  constructor(options: PaidCallsOptions) {
    this.#options = options;
    this.#line = new PQueue({ concurrency: options.concurrency });
  }

  /** Makes a call with its retries. Throws the last try's failure, `cancelled`, or what the meter's `begin` throws. */
  async make<T>(call: PaidCall<T>): Promise<T> {
    const { kind, circuit } = call;
    const { closing, random } = this.#options;
    // This costs no memory as long as no listener stays on it.
    const signal = call.signal === undefined ? closing : AbortSignal.any([call.signal, closing]);
    if (signal.aborted) throw cancelled();
    const isProbe = circuit.enter();
    const known = this.#refusals.get(kind);
    try {
      for (let attempt = 1; ; attempt += 1) {
        await call.prepare?.(signal);
        const leaveLine = await this.#enterLine(signal);
        let over: Promise<void> | undefined;
        let waitMs: number | undefined;
        try {
          if (!isProbe) circuit.throwUnlessClosed();
          // Calls that waited in line would be refused, too. Later calls are sent: their caller knows when to pause.
          const refusal = this.#refusals.get(kind);
          if (refusal !== undefined && refusal !== known) {
            throw new ServiceFailure(
              refusal.kind,
              'not sent: another call of its kind has just been refused',
            );
          }
          const sent = await this.#try(call, attempt, signal);
          ({ over } = sent);
          circuit.leave(isProbe, kind);
          return sent.result;
        } catch (error) {
          // A probe is a single try.
          if (circuit.state === 'closed') waitMs = retryWaitMs(error, attempt, random());
          if (waitMs === undefined) throw error;
        } finally {
          if (over === undefined) leaveLine();
          else void over.then(leaveLine);
        }
        await sleep(waitMs, signal);
      }
    } catch (error) {
      circuit.leave(isProbe, kind, error);
      if (error instanceof ServiceFailure) error.nextTryAt = circuit.nextTryAt;
      throw error;
    }
  }

  /** Resolves when all calls that have succeeded are settled. */
  async settled(): Promise<void> {
    await Promise.all(this.#settling);
  }

  async #try<T>(
    { kind, characters, meter, send }: PaidCall<T>,
    attempt: number,
    signal: AbortSignal,
  ): Promise<Sent<T>> {
    const { onEvent, now } = this.#options;
    const settle = await meter.begin({ kind, characters });
    const startedAt = now();
    const settleOrReport = (outcome: CallOutcome): Promise<void> =>
      settle(outcome).catch((error: unknown) =>
        onEvent({ type: 'settle-failed', kind, error: errorName(error) }),
      );
    try {
      if (signal.aborted) throw cancelled();
      const sent = await send();
      onEvent({ type: 'try', kind, outcome: 'ok', attempt, ms: now() - startedAt, traceId: sent.traceId });
      // Not awaited: if a crash loses the settlement, the call counts as paid, which it is.
      const settled = settleOrReport('charged').finally(() => this.#settling.delete(settled));
      this.#settling.add(settled);
      return sent;
    } catch (error) {
      const traceId = isFailure(error) ? error.traceId : undefined;
      onEvent({ type: 'try', kind, outcome: endingOf(error), attempt, ms: now() - startedAt, traceId });
      const failure = error instanceof ServiceFailure ? error : undefined;
      if (failure?.kind === 'quota' || failure?.kind === 'auth') this.#refusals.set(kind, failure);
      // An unexpected error does not tell whether the service did the work.
      await settleOrReport(failure?.outcome ?? 'in-doubt');
      throw error;
    }
  }

  /** Waits for a place in line; returns the function that frees it. Throws `cancelled` as soon as `signal` aborts. */
  async #enterLine(signal: AbortSignal): Promise<() => void> {
    if (signal.aborted) throw cancelled();
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    // Without the signal: on abort, p-queue would free the place of a call that was sent.
    void this.#line.add(() => {
      entered.resolve();
      return left.promise;
    });
    try {
      await unlessAborted(entered.promise, signal, cancelled);
    } catch (error) {
      left.resolve();
      throw error;
    }
    return left.resolve;
  }
}
