/** The faults planned for the next calls, or for all calls of a kind. */
import { CALL_KINDS, type CallKind } from './call-log.ts';
import { type Fault, type FaultId, faultCalled, kindsOf } from './fault-catalogue.ts';

/** Milliseconds the work takes beyond what it really takes; 0 unless set. */
export interface Latency {
  recognition: number;
  translation: number;
  speechFirstByte: number;
}

const NO_LATENCY: Readonly<Latency> = {
  recognition: 0,
  translation: 0,
  speechFirstByte: 0,
};

export class ServiceFaults {
  readonly latency: Latency = { ...NO_LATENCY };
  /** True: speech comes in chunks of odd sizes, so that samples are torn across them. */
  torn = false;
  readonly #standing = new Map<CallKind, Fault>();
  readonly #coming = new Map<CallKind, Fault[]>();
  readonly #releases: (() => void)[] = [];
  readonly #changed: () => void;

  /** `changed` is called after every switch. */
  constructor(changed: () => void) {
    this.#changed = changed;
  }

  /**
   * From now on every call of the kind meets the fault; `undefined` ends it. `all` means every kind that it applies to.
   * Throws RangeError for a fault that cannot befall the kind.
   */
  set(kind: CallKind | 'all', fault: Fault | FaultId | undefined): void {
    const meant = typeof fault === 'string' ? faultCalled(fault) : fault;
    for (const each of kind === 'all' ? CALL_KINDS : [kind]) {
      if (meant === undefined) this.#standing.delete(each);
      else if (kindsOf(meant).includes(each)) this.#standing.set(each, meant);
      else if (kind !== 'all') throw doesNotApply(meant, each);
    }
    this.#changed();
  }

  /** The next `times` calls of the kind meet the fault, after those that were asked for before. Throws as `set`. */
  next(kind: CallKind, fault: Fault | FaultId, times = 1): void {
    const meant = typeof fault === 'string' ? faultCalled(fault) : fault;
    if (!kindsOf(meant).includes(kind)) throw doesNotApply(meant, kind);
    const before = this.#coming.get(kind) ?? [];
    this.#coming.set(kind, [...before, ...Array<Fault>(times).fill(meant)]);
    this.#changed();
  }

  /**
   * The next `times` calls of the kind wait at the service until what this gives is called, or all is cleared; with `isBegun` a speech
   * does so after its first chunk. Throws as `set`.
   */
  hold(kind: CallKind, times = 1, isBegun = false): () => void {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#releases.push(resolve);
    this.next(kind, { type: 'slow', ms: 0, until: promise, isBegun }, times);
    return resolve;
  }

  /** The next `times` calls of the kind go well, after those that were asked for before. */
  spare(kind: CallKind, times = 1): void {
    this.next(kind, { type: 'slow', ms: 0 }, times);
  }

  /** Ends every fault, the latency and the tearing. */
  clear(): void {
    this.#standing.clear();
    this.#coming.clear();
    for (const release of this.#releases.splice(0)) release();
    this.torn = false;
    Object.assign(this.latency, NO_LATENCY);
    this.#changed();
  }

  /** The fault that stands for a kind, without those for its next calls. */
  standing(kind: CallKind): Fault | undefined {
    return this.#standing.get(kind);
  }

  /** The fault that the call now beginning meets; one meant for a next call is used up. */
  take(kind: CallKind): Fault | undefined {
    return this.#coming.get(kind)?.shift() ?? this.#standing.get(kind);
  }
}

function doesNotApply(fault: Fault, kind: CallKind): RangeError {
  return new RangeError(`The fault "${fault.type}" cannot befall a ${kind} call`);
}
