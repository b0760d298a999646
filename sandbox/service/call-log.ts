/** The log of the local service's requests: what each was, how it ended, whether it was charged. */

export const CALL_KINDS = ['recognition', 'translation', 'speech', 'token'] as const;
export type CallKind = (typeof CALL_KINDS)[number];
export type PaidKind = Exclude<CallKind, 'token'>;
type CallOutcome = 'running' | 'ok' | 'error' | 'aborted';

/** service-interface §8: yuan per call. */
const YUAN_PER_CALL = 0.4;

export interface ServiceCall {
  readonly kind: CallKind;
  /** Milliseconds since 1970. */
  readonly at: number;
  /** Code points of `inputText`; 0 for other calls. */
  readonly characters: number;
  /** Form fields or JSON as received, without secrets; an image is replaced by its size and format. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** True from the moment the work was done (speech: begun), whether or not the caller stayed to get it. */
  readonly charged: boolean;
  readonly outcome: CallOutcome;
  readonly errorCode?: string;
  /** The fault that this call met, by its type. */
  readonly fault?: string;
}

export interface Bill {
  readonly calls: number;
  readonly yuan: number;
  /** Charged calls of each kind. */
  readonly byKind: Readonly<Record<PaidKind, number>>;
}

export class CallLog {
  readonly calls: ServiceCall[] = [];
  readonly #changed: () => void;

  /** `changed` is called after every change of any call. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /** Adds a new call as running; the returned function changes it. */
  open(kind: CallKind, fault?: string): (amendment: Partial<Omit<ServiceCall, 'kind' | 'at'>>) => void {
    const call: ServiceCall = {
      kind,
      at: Date.now(),
      characters: 0,
      parameters: {},
      charged: false,
      outcome: 'running',
      ...(fault === undefined ? {} : { fault }),
    };
    this.calls.push(call);
    this.#changed();
    return (amendment) => {
      Object.assign(call, amendment);
      this.#changed();
    };
  }

  /** Charged calls and what they cost. */
  paid(): Bill {
    const byKind = { recognition: 0, translation: 0, speech: 0 };
    let calls = 0;
    for (const call of this.calls) {
      if (!call.charged || call.kind === 'token') continue;
      byKind[call.kind] += 1;
      calls += 1;
    }
    return { calls, yuan: Math.round(calls * YUAN_PER_CALL * 100) / 100, byKind };
  }
}
