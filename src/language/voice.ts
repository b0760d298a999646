/** The voices of Chinese (service-interface §4.4, `vcn`); the Tibetan varieties have one voice each. */

export const VOICES = ['xiaoxiao', 'yunjian'] as const;

export type Voice = (typeof VOICES)[number];

/** The voice that a word names, in any case. */
export function parseVoice(word: string): Voice | undefined {
  const name = word.trim().toLowerCase();
  return VOICES.find((voice) => voice === name);
}
