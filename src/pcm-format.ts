/** How speech comes from the service (service-interface §4.4): PCM, signed 16-bit little-endian, one channel. */

/** Samples per second. */
export const SAMPLE_RATE = 16_000;
export const SAMPLE_BYTES = 2;
export const CHANNELS = 1;
