/** What one call of the paid service takes (service-interface §8). */

/** Unicode code points of a text. */
export const MAX_TEXT_LENGTH = 3000;

/** Of a picture's shortest side and its longest, in pixels. */
export const MIN_SIDE = 15;
export const MAX_SIDE = 8192;

/** Bytes of a file in base64, padding included: 10 MB. Which MB the interface does not say; this is the smaller, the safer reading. */
export const MAX_BASE64_BYTES = 10_000_000;
