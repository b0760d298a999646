/** The part that we use of a package that comes without types. */

declare module 'tibetan-to-phonetics' {
  export class TibetanToPhonetics {
    constructor(options: { setting: 'english-loose' | 'french' });
    /**
     * Drops line breaks, punctuation and whatever is not Tibetan, and gives `࿗` for a syllable that it cannot read. The time that it
     * takes grows with the third power of the syllables in a row.
     */
    convert(tibetan: string): string;
  }
}
