/** What an update brings, told by a key: a look that costs nothing, before a parse of what is mostly not there. */

/** Whether JSON is an object with this key; what stands under it may be of any shape. */
export function brings<Key extends string>(json: unknown, key: Key): json is Readonly<Record<Key, unknown>> {
  return typeof json === 'object' && json !== null && key in json;
}
