/**
 * Deletes or changes many rows in small steps. A SQLite statement blocks the whole process while it runs; between two steps others get
 * their turn (see `createTurns`).
 */

/** Takes a few ms, even if the rows hold voice notes that `secure_delete` overwrites. */
const ROWS = 50;

/** A batch size for rows without sound. Larger on a server, which serves others meanwhile, but skips the deleted rows at each step. */
export function smallRowsAtOnce({ isAlone }: { readonly isAlone: boolean }): number {
  return isAlone ? 100 : 200;
}

/** Calls `changeSome` with the batch size until it changes fewer rows. */
export async function inBatches(
  changeSome: (
    limit: number,
  ) => Promise<{ readonly numDeletedRows: bigint } | { readonly numUpdatedRows: bigint }>,
  rows = ROWS,
): Promise<void> {
  for (;;) {
    const step = await changeSome(rows);
    const count = 'numDeletedRows' in step ? step.numDeletedRows : step.numUpdatedRows;
    if (count < rows) return;
  }
}
