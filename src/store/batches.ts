/**
 * Deletes or changes much in small steps: in SQLite a statement holds the whole process up for as long as it takes. Between two of them others
 * have their turn (see `createTurns`).
 */

/** Small enough for a few ms, also where rows hold voice notes that are overwritten (`secure_delete`). */
const ROWS = 50;

/** Of rows without sound in them. On a server, which works at others' statements meanwhile, each step looks past what is gone already. */
export function smallRowsAtOnce({ isAlone }: { readonly isAlone: boolean }): number {
  return isAlone ? 100 : 200;
}

/** Calls `changeSome` with how many rows it may delete or change until it finds fewer; gives how many they were in all. */
export async function inBatches(
  changeSome: (
    limit: number,
  ) => Promise<{ readonly numDeletedRows: bigint } | { readonly numUpdatedRows: bigint }>,
  rows = ROWS,
): Promise<number> {
  let changed = 0;
  for (;;) {
    const step = await changeSome(rows);
    const count = 'numDeletedRows' in step ? step.numDeletedRows : step.numUpdatedRows;
    changed += Number(count);
    if (count < rows) return changed;
  }
}
