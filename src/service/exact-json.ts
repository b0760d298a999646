/** JSON read without losing digits: `log_id` is a uint64, and a JavaScript number is exact only to 2⁵³. */

/** The value in `text`, integers beyond 2⁵³ kept as the digits that came; undefined when it is not JSON. */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}

/** `source` is the number as it was spelled (Node 24). */
function keepDigits(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return context?.source ?? value;
}
