/**
 * The measures a picture must keep: those of the service (service-interface §8) and our own against bombs.
 */

/** Pixels of the shortest side the service takes. */
export const MIN_SIDE = 15;

/** Pixels of the longest side the service takes. */
export const MAX_SIDE = 8192;

/**
 * Bytes of a file whose base64, padding included, is the 10 MB (10 · 1024² characters) that the service
 * takes.
 */
export const MAX_BYTES = (10 * 1024 * 1024 * 3) / 4;

/**
 * Bytes a picture may take decoded. A 108 Mpx photo, the largest that phones put into Telegram's 20 MB, takes
 * 324 MB; what cannot be decoded row by row (interlaced, rotated) is held whole, so this is also about what
 * one decode costs in memory at the worst.
 */
export const MAX_DECODED_BYTES = 400e6;

/** Whether the service would take a picture of this size in pixels. */
export function sidesFit(width: number, height: number): boolean {
  return Math.min(width, height) >= MIN_SIDE && Math.max(width, height) <= MAX_SIDE;
}
