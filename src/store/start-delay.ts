/** What may hold up a start of the bot at its database. */

/**
 * `unreachable`: the server is waited for. `migrating`: the tables are made, or changed for this release. `others-migrate`:
 * another process does that just now. `in-use`: something works on the tables (a backup, a long query), so that they cannot be changed yet.
 */
export type StartDelay =
  | { readonly kind: 'unreachable' | 'in-use'; readonly error: unknown }
  | { readonly kind: 'migrating' | 'others-migrate' };

/** Told of a delay when it begins, and of one that is waited out each time that it is looked again. */
export type OnDelay = (delay: StartDelay) => void;
