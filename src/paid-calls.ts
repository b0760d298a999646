/** The terms for paid calls that the service's door, the ledger and the metrics share. */

/** What is bought with a call (service-interface §4). */
export type CallKind = 'recognition' | 'translation' | 'speech';

/**
 * What became of a call:
 * - `charged`: the service did the work
 * - `failed`: it did not, so nothing is owed
 * - `in-doubt`: it may have, so it counts as paid
 */
export type CallOutcome = 'charged' | 'failed' | 'in-doubt';
