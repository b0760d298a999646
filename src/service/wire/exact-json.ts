/** JSON read so that no digit is lost (`log_id` is a uint64, a JavaScript number is exact only to 2⁵³) and every text can be passed on. */

/**
 * The value in `text`, integers beyond 2⁵³ kept as the digits that came; undefined when it is not JSON. Half a surrogate pair, which
 * Telegram refuses, becomes U+FFFD; NUL, which PostgreSQL does not take, is dropped.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, repair);
  } catch {
    return undefined;
  }
}

/** `source` is the number as it was spelled (Node 24). */
function repair(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return context?.source ?? value;
}
