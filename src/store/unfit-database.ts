/** A database that answers, and yet is none on which this bot can work. */

/**
 * - `newer`: a later release has changed its tables, and there is no way back
 * - `foreign`: it is another program's
 * - `gone`: the bot has had one here, and there is nothing now
 * - `damaged`: some of its pages are not what was written
 * - `encoding`: it cannot hold every letter
 * - `pooled`: connections to it are shared, so that none can hold a lock
 * - `lockless`: what stands in the place of the file by which one process keeps others out cannot be locked
 */
export type Unfitness = 'newer' | 'foreign' | 'gone' | 'damaged' | 'encoding' | 'pooled' | 'lockless';

/** Told apart by its `kind`; trouble.ts has the words for whoever runs the bot. */
export class UnfitDatabase extends Error {
  override readonly name = 'UnfitDatabase';
  readonly kind: Unfitness;

  constructor(kind: Unfitness) {
    super(kind);
    this.kind = kind;
  }
}
