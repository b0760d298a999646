/** The terms for paid calls that the client, the ledger, the metrics and the words share. */

/** What is bought with a call (service-interface §4). */
export type CallKind = 'recognition' | 'translation' | 'speech';

/**
 * What became of a call:
 * - `charged`: the service did the work
 * - `failed`: it did not, so nothing is owed
 * - `in-doubt`: it may have, so it counts as paid
 */
export type CallOutcome = 'charged' | 'failed' | 'in-doubt';

/** A cost in fen, in yuan. */
export function yuan(fen: number): string {
  return (fen / 100).toFixed(2);
}
