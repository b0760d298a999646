/** The voices of Chinese (service-interface §4.4, `vcn`); the Tibetan varieties have one voice each. */
import { createNameParser } from './names.ts';

export const VOICES = ['xiaoxiao', 'yunjian'] as const;

export type Voice = (typeof VOICES)[number];

/** As the service spells them, and as the bot shows them in Chinese and Tibetan. */
const NAMES: Record<Voice, readonly string[]> = {
  xiaoxiao: ['xiaoxiao', '晓晓', '曉曉', 'ཞའོ་ཞའོ'],
  yunjian: ['yunjian', '云健', '雲健', 'ཡུན་ཅན'],
};

/** The voice that a word names, in any case. */
export const parseVoice = createNameParser(VOICES, (voice) => NAMES[voice]);
