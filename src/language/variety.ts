/** Varieties that can be spoken (three Tibetan dialects and Chinese), their voices, and the speakers of each. */
import { createNameParser } from './names.ts';
import type { Language } from './script.ts';

export const DIALECTS = ['utsang', 'khampa', 'amdo'] as const;
export const VARIETIES = [...DIALECTS, 'chinese'] as const;

/** A dialect of Tibetan that the service speaks. */
export type Dialect = (typeof DIALECTS)[number];
/** Everything that the service speaks. */
export type Variety = (typeof VARIETIES)[number];

/** The language of a variety; `all` means the dialects of Tibetan. */
export function languageOf(variety: Variety | 'all'): Language {
  return variety === 'chinese' ? 'chinese' : 'tibetan';
}

/** The voices of Chinese (service-interface §4.4, `vcn`); each Tibetan dialect has one voice. */
export const VOICES = ['xiaoxiao', 'yunjian'] as const;

export type Voice = (typeof VOICES)[number];

/** The service's spellings, and the bot's in Chinese and Tibetan. */
const VOICE_NAMES: Record<Voice, readonly string[]> = {
  xiaoxiao: ['xiaoxiao', '晓晓', '曉曉', 'ཞའོ་ཞའོ'],
  yunjian: ['yunjian', '云健', '雲健', 'ཡུན་ཅན'],
};

/** The voice that a word names, in any case. */
export const parseVoice = createNameParser(VOICES, (voice) => VOICE_NAMES[voice]);

/** Decides how a text sounds, and so is part of a voice note's key. */
export type Speaker = { readonly variety: Dialect } | { readonly variety: 'chinese'; readonly voice: Voice };

/** All speakers of a language. */
export function speakersOf(language: Language): readonly Speaker[] {
  if (language === 'tibetan') return DIALECTS.map((variety) => ({ variety }));
  return VOICES.map((voice) => ({ variety: 'chinese', voice }));
}

/** The speaker of a variety; for Chinese with this voice. */
export function speakerOf(variety: Variety, voiceOfChinese: Voice): Speaker {
  return variety === 'chinese' ? { variety, voice: voiceOfChinese } : { variety };
}
