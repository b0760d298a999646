/** Bounds maps and sets that live as long as the process. */

/** Deletes the oldest entry if there are more than `most`. Call after each addition. */
export function dropOldest<K>(entries: Map<K, unknown> | Set<K>, most: number): void {
  const [oldest] = entries.keys();
  if (entries.size > most && oldest !== undefined) entries.delete(oldest);
}
