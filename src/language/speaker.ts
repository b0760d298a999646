/** Who speaks a text: each Tibetan dialect has one voice, Chinese has several to choose from. */
import type { Dialect, Variety } from './variety.ts';
import type { Voice } from './voice.ts';

/** What decides how a text sounds, and so when a voice note can be used again. */
export type Speaker = { readonly variety: Dialect } | { readonly variety: 'chinese'; readonly voice: Voice };

/** The speaker of a variety; of Chinese the one with this voice. */
export function speakerOf(variety: Variety, voiceOfChinese: Voice): Speaker {
  return variety === 'chinese' ? { variety, voice: voiceOfChinese } : { variety };
}
