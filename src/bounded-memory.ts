/** Maps and sets that live as long as the process, and must not grow with it. */

/** Deletes the entry that was added first if there are more than `most`. Call it after each addition. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
