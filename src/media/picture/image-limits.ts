/** The measures that a picture must keep: those of the service, and our own against bombs. */
import { MAX_BASE64_BYTES, MAX_SIDE, MIN_SIDE } from '../../service-limits.ts';

/** Bytes of a file that the service still takes: of three of them base64 makes four. */
export const MAX_BYTES = (MAX_BASE64_BYTES * 3) / 4;

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
