/**
 * Deletes much in small steps: in SQLite a statement holds the whole process up for as long as it takes. Between two of them others
 * have their turn (see sqlite-turns.ts).
 */

/** Small enough for a few ms, also where rows hold voice notes that are overwritten (`secure_delete`). */
const ROWS = 50;

/** Calls `deleteSome` with how many rows it may delete until it finds fewer; gives how many were deleted in all. */
export async function inBatches(
  deleteSome: (limit: number) => Promise<{ readonly numDeletedRows: bigint }>,
  rows = ROWS,
): Promise<number> {
  let deleted = 0;
  for (;;) {
    const { numDeletedRows } = await deleteSome(rows);
    deleted += Number(numDeletedRows);
    if (numDeletedRows < rows) return deleted;
  }
}
