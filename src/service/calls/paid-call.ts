/** Makes paid calls. Each try waits in line, is entered in the ledger before it is sent, and is settled once, whatever happens. */
import { setImmediate as nextTurn } from 'node:timers/promises';
import PQueue from 'p-queue';
import { errorName } from '../../errors.ts';
import type { CallKind, CallOutcome } from '../../paid-calls.ts';
import { sleep } from '../../patience.ts';
import type { Circuit } from './circuit.ts';
import { endingOf, type OnEvent } from './events.ts';
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

export interface Sent<T> {
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
    const { circuit } = call;
    const { closing } = this.#options;
    // This costs no memory as long as no listener stays on it.
    const signal = call.signal === undefined ? closing : AbortSignal.any([call.signal, closing]);
    if (signal.aborted) throw cancelled();
    circuit.enter(call);
    const known = this.#refusals.get(call.kind);
    for (let attempt = 1; ; attempt += 1) {
      try {
        await call.prepare?.(signal);
        const result = await this.#try(call, attempt, signal, known);
        circuit.leave(call);
        return result;
      } catch (error) {
        // While the circuit is open, only the probe is tried, and once.
        const waitMs = circuit.nextTryAt === undefined ? retryWaitMs(error, attempt) : undefined;
        if (waitMs !== undefined) {
          await sleep(waitMs, signal);
          continue;
        }
        circuit.leave(call, error);
        if (error instanceof ServiceFailure) error.nextTryAt = circuit.nextTryAt;
        throw error;
      }
    }
  }

  async settled(): Promise<void> {
    await this.#line.onIdle();
  }

  /** Waits for a place in line; keeps it until the try is settled and its result is over. `known`: the refusal when the call began. */
  #try<T>(call: PaidCall<T>, attempt: number, signal: AbortSignal, known?: ServiceFailure): Promise<T> {
    const { kind, characters, circuit } = call;
    const { onEvent } = this.#options;
    const answered = Promise.withResolvers<T>();
    const run = async (): Promise<void> => {
      if (signal.aborted) throw cancelled();
      circuit.enter(call);
      // Fail the calls already queued behind a refusal. Calls made after it are sent: their caller decides about pausing.
      const refusal = this.#refusals.get(kind);
      if (refusal !== undefined && refusal !== known)
        throw new ServiceFailure(refusal.kind, 'not sent: another call of its kind has just been refused');
      const settle = await call.meter.begin({ kind, characters });
      const startedAt = performance.now();
      let sent: Sent<T> | undefined;
      let error: unknown;
      try {
        if (signal.aborted) throw cancelled();
        sent = await call.send();
        answered.resolve(sent.result);
      } catch (thrown) {
        error = thrown;
      }
      const failure = error instanceof ServiceFailure ? error : undefined;
      if (failure?.kind === 'quota' || failure?.kind === 'auth') this.#refusals.set(kind, failure);
      const ms = performance.now() - startedAt;
      const { traceId } = sent ?? failure ?? {};
      onEvent({ type: 'try', kind, outcome: sent ? 'ok' : endingOf(error), attempt, ms, traceId });
      // An unexpected error does not tell whether the service did the work. Nobody waits for the settlement of a success: if a crash loses
      // it, the call counts as paid, which it is.
      const settled = settle(sent ? 'charged' : (failure?.outcome ?? 'in-doubt')).catch((thrown: unknown) =>
        onEvent({ type: 'settle-failed', kind, error: errorName(thrown) }),
      );
      await Promise.all([settled, sent?.over]);
      if (sent !== undefined) return;
      answered.reject(error);
      // The circuit learns of it before the next call gets this place.
      await nextTurn();
    };
    // Without the signal: on abort, p-queue would free the place of a call that was sent.
    this.#line.add(run).catch(answered.reject);
    return answered.promise;
  }
}
