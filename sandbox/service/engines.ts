/** The engines of the local service: reading a picture, translating a text, speaking a text. */

export type Language = 'bo' | 'zh';
/**
 * The dialects of Tibetan: the number on the wire (`lang`, service-interface §4.4), the voice of eSpeak (a variant, put after the language,
 * and a pitch from 0 to 99; one respelling serves all), and the tone of the quick engines, in Hz.
 */
export const DIALECTS = {
  utsang: { lang: 0, variant: '', pitch: 50, toneHz: 220 },
  khampa: { lang: 4, variant: '+m3', pitch: 25, toneHz: 165 },
  amdo: { lang: 5, variant: '+f2', pitch: 80, toneHz: 294 },
} as const;
export type Dialect = keyof typeof DIALECTS;
export type Variety = Dialect | 'chinese';
export type ChineseVoice = 'xiaoxiao' | 'yunjian';

/** The output of every speech engine: samples per second, one channel, signed 16-bit little-endian. */
export const SAMPLE_RATE_HZ = 16_000;
export const BYTES_PER_SAMPLE = 2;

/** One line of text in a picture; the rest is given where the engine knows it. */
export interface ReadLine {
  readonly words: string;
  /** In pixels from the top-left corner. */
  readonly location?: {
    readonly top: number;
    readonly left: number;
    readonly width: number;
    readonly height: number;
  };
  /** Confidence from 0 to 1, over the words of the line. */
  readonly probability?: { readonly average: number; readonly variance: number; readonly min: number };
}

export interface ReadPage {
  readonly lines: readonly ReadLine[];
  /** For each paragraph, the positions of its lines in `lines`. */
  readonly paragraphs?: readonly (readonly number[])[];
}

export interface Engines {
  /** Reads a jpg, png or bmp; rejects when the picture cannot be decoded. */
  recognise(image: Buffer, language: Language): Promise<ReadPage>;
  translate(text: string, from: Language, to: Language): Promise<string>;
  /** PCM (see `SAMPLE_RATE_HZ`) as it is made; never nothing at all. `voice` counts for Chinese only. */
  speak(text: string, variety: Variety, voice: ChineseVoice): AsyncIterable<Buffer>;
}
