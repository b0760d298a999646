/** How finely speech is sampled, from the service to the voice note. */

/** Hz; what the service speaks in (service-interface §8). */
export const SAMPLE_RATE = 16_000;
