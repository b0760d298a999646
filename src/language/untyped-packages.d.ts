/** The parts that we use of two packages that come without types. */

declare module 'jsewts' {
  interface Reading {
    /** Checks that letters stand where a syllable can have them; `check_strict` also that they may be stacked so. */
    readonly check: boolean;
    readonly check_strict: boolean;
    /** Mends common departures from EWTS by rules of its own. */
    readonly sloppy: boolean;
  }
  const ewts: {
    /** Adds to `warnings` what is no EWTS; such characters pass through. */
    fromWylie(wylie: string, reading: Reading, warnings?: string[]): string;
    /** `escapes`: what EWTS has no sign for is escaped; without that, spaces between Tibetan are lost. */
    toWylie(tibetan: string, escapes: boolean): string;
  };
  export default ewts;
}

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
