/** The parts that we use of a package that comes without types. */

declare module 'jsewts' {
  interface Options {
    /** Checks the places of letters in a syllable; with `check_strict` also their stacks. */
    readonly check: boolean;
    readonly check_strict: boolean;
    /** Corrects common deviations from EWTS by rules of its own. */
    readonly sloppy: boolean;
  }
  const ewts: {
    /** Adds a warning for everything that is no EWTS; such characters pass through. */
    fromWylie(wylie: string, options: Options, warnings?: string[]): string;
    /** `escapes`: escapes characters that EWTS has no sign for; without it, spaces between Tibetan are lost. */
    toWylie(tibetan: string, escapes: boolean): string;
  };
  export default ewts;
}
