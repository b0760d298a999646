/** The days in which money is counted: UTC, since limits start again at 00:00 UTC (spec §1). */

const DAY_MS = 24 * 60 * 60 * 1000;

/** The UTC day of a time (ms since the epoch), as `2026-01-31`; days compare like strings. */
export function utcDay(ms: number): string {
  return new Date(ms).toISOString().slice(0, 10);
}

/** The UTC day `days` before that of a time. */
export function utcDayBefore(ms: number, days: number): string {
  return utcDay(ms - days * DAY_MS);
}

/** The UTC days up to that of `ms`, the latest first. */
export function lastDays(count: number, ms: number): string[] {
  return Array.from({ length: count }, (_, before) => utcDayBefore(ms, before));
}

/** The time until the next UTC day, in ms. */
export function msUntilNextDay(ms: number): number {
  return DAY_MS - (((ms % DAY_MS) + DAY_MS) % DAY_MS);
}
