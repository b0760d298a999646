/** The parts that we use of two packages that come without types. */

declare module '@echogarden/espeak-ng-emscripten' {
  interface Synthesiser {
    /** Returns 0 when the voice exists. */
    set_voice(name: string): number;
    /** 0 to 99; 50 is the voice's own. */
    set_pitch(pitch: number): void;
    /** Words a minute. */
    set_rate(rate: number): void;
    get_samplerate(): number;
    /** Calls back with samples as they are made; stops when the callback gives true. */
    synthesize(text: string, callback: (samples: Int16Array) => boolean): void;
  }
  export default function load(): Promise<{ eSpeakNGWorker: new () => Synthesiser }>;
}

declare module 'tibetan-to-phonetics' {
  export class TibetanToPhonetics {
    constructor(options: { setting: 'french' });
    /**
     * Drops line breaks, punctuation and everything but Tibetan, and returns `࿗` for a syllable that it cannot read. Its time grows with
     * the third power of the number of syllables in a row.
     */
    convert(tibetan: string): string;
  }
}
