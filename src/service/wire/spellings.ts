/** What the service's JSON spells in more than one way, read so that no digit is lost and every text can be passed on. */
import { z } from 'zod';

/**
 * The value in `text`, integers beyond 2⁵³ kept as the digits that came (`log_id` is a uint64); undefined when it is not JSON. Half a surrogate pair, which
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

/** A code (`msgId`, `error_code`), as text. */
export const code = z.union([z.string().trim(), z.number()]).transform(String);

/** An id for troubleshooting (`traceId`, `log_id`), as text; undefined where there is none that can be used. */
export const id = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);

/** A figure, documented as a string and shown as a number. */
export const figure = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);
