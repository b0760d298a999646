/** How a paid call is written down: the ledger's side of the door, implemented by whoever keeps the money. */
import type { CallKind, CallOutcome } from '../paid-calls.ts';

/** Writes down the outcome of the try that was begun; called once. */
export type Settle = (outcome: CallOutcome) => Promise<void>;

export interface Meter {
  /**
   * Called before each try is sent, so that a process killed midway leaves a trace of it.
   * Where it throws, nothing is sent and its error reaches the caller as it is.
   * `characters` are the code points of a text; 0 for a recognition.
   */
  begin(call: { readonly kind: CallKind; readonly characters: number }): Promise<Settle>;
}
