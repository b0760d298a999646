/** Respells a text for a speech synthesiser without Tibetan: Tibetan by its sound, the rest as it is. */
import { TibetanToPhonetics } from 'tibetan-to-phonetics';

interface Utterance {
  readonly text: string;
  /** The synthesiser's language to say it in. */
  readonly language: 'fr' | 'cmn';
}

/** ༠ to ༩, read out one by one. */
const DIGITS = ['ཀླད་ཀོར', 'གཅིག', 'གཉིས', 'གསུམ', 'བཞི', 'ལྔ', 'དྲུག', 'བདུན', 'བརྒྱད', 'དགུ'];

/** The French spelling, for a French voice: the two share the sounds ö and ü, and final n makes a vowel nasal as in Lhasa. */
const phonetics = new TibetanToPhonetics({ setting: 'french' });

/** Runs of Tibetan in French respelling and runs of anything else for a Mandarin voice; what has no sound is left out. */
export function pronounce(text: string): readonly Utterance[] {
  const runs = text.match(/[\u0F00-\u0FFF]+|[^\u0F00-\u0FFF]+/gu) ?? [];
  return runs
    .map((run): Utterance => {
      const isTibetan = /^[\u0F00-\u0FFF]/u.test(run);
      return isTibetan ? { text: respell(run), language: 'fr' } : { text: run, language: 'cmn' };
    })
    .filter((utterance) => /[\p{L}\p{N}]/u.test(utterance.text));
}

/** Without the apostrophes and hyphens of the spelling, and without the sign for syllables that the package cannot read. */
function respell(tibetan: string): string {
  const inWords = tibetan.replace(
    /[\u0F20-\u0F29]/gu,
    (digit) => `་${DIGITS[digit.charCodeAt(0) - 0x0f20]}་`,
  );
  return phonetics.convert(inWords).replace(/[^\p{L}\s]/gu, '');
}
