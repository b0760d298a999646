/** The whole of what a message of the bot shows only in part: its buttons, and replies to it, mean all of it. */
import { createHash } from 'node:crypto';
import { orDatabaseFailure } from '../database-failure.ts';
import type { Results } from './results.ts';

/** Both methods throw `database` when the database does not answer. */
export interface Wholes {
  /**
   * Keeps it on a person's account, for as long as results are kept; gives the id by which it is found: that of the whole itself, or
   * of what else stands for it.
   */
  keep(person: string, whole: string, standsFor?: string): Promise<string>;
  find(id: string): Promise<string | undefined>;
}

/** Those that are kept among the results, with which they expire and are erased. */
export function createWholes(results: Pick<Results, 'text' | 'keepText'>): Wholes {
  return {
    keep: (person, whole, standsFor = whole) =>
      orDatabaseFailure(async () => {
        const id = wholeId(standsFor);
        await results.keepText(keyOf(id), person, whole);
        return id;
      }),
    find: (id) => orDatabaseFailure(() => results.text(keyOf(id))),
  };
}

/** The id under which something is kept: 22 characters, so that the data of a button (64 bytes) holds one beside its own words. */
export function wholeId(standsFor: string): string {
  return createHash('sha256').update(standsFor).digest().subarray(0, 16).toString('base64url');
}

function keyOf(id: string): string {
  return `whole:${id}`;
}
