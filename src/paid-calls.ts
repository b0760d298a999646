/** Terms for paid calls, shared by the interpreter, the service, the ledger, the metrics and the doctor. */

/** The kinds of paid calls (service-interface §4). */
export const CALL_KINDS = ['recognition', 'translation', 'speech'] as const;
export type CallKind = (typeof CALL_KINDS)[number];

/**
 * The outcome of a call:
 * - `charged`: the service did the work
 * - `failed`: it did not, so nothing is owed
 * - `in-doubt`: it may have, so the call counts as paid
 */
export type CallOutcome = 'charged' | 'failed' | 'in-doubt';

/** Formats a cost in fen as yuan. */
export function yuan(fen: number): string {
  return (fen / 100).toFixed(2);
}
