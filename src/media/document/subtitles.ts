/** Subtitles of a film (.srt): numbered cues, each with its times and the lines that are shown meanwhile. */
import { readingOf } from '../../language/reading/reading.ts';

/** `00:01:02,500 --> 00:01:04,000`, as programs write it, with what some put after it. */
const TIMES = /^[ \t]*\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[ \t]*-->[ \t]*\d{1,3}:\d{2}:\d{2}[,.]\d{1,3}[^\n]*$/u;
const NUMBER = /^[ \t]*\d+[ \t]*$/u;
/** Italics, colours and places on the screen. */
const MARKUP = /<\/?[a-z][^<>\n]*>|\{\\[^{}\n]*\}/giu;
const BLANK_LINE = /\n[^\S\n]*\n\s*/u;

interface Cue {
  readonly times: string;
  readonly text: string;
}

export class Subtitles {
  readonly #cues: readonly Cue[];
  readonly #spoken: readonly Cue[];
  /** The text without times: a paragraph for each cue that has any. */
  readonly text: string;

  constructor(cues: readonly Cue[]) {
    this.#cues = cues;
    this.#spoken = cues.filter(({ text }) => text !== '');
    this.text = this.#spoken.map(({ text }) => text).join('\n\n');
  }

  /** The translation of `text` as subtitles with the same times; undefined if its paragraphs are not those of the cues. */
  withTimes(translation: string): string | undefined {
    const paragraphs = translation.trim().split(BLANK_LINE);
    if (paragraphs.length !== this.#spoken.length) return undefined;
    const translated = new Map(this.#spoken.map((cue, index) => [cue, paragraphs[index] ?? '']));
    return this.#cues
      .map((cue, index) => `${index + 1}\n${cue.times}\n${translated.get(cue) ?? ''}\n`)
      .join('\n');
  }
}

/** `file` has `\n` line ends. Undefined if it has no times. */
export function subtitlesIn(file: string): Subtitles | undefined {
  const lines = file.split('\n');
  const starts = [...lines.keys()].filter((at) => TIMES.test(lines[at] ?? ''));
  const cues = starts.map((at, index) => {
    const next = starts[index + 1];
    const own = lines.slice(at + 1, next);
    // The number of the next cue stands above its times.
    if (next !== undefined && NUMBER.test(own.at(-1) ?? '')) own.pop();
    const said = own.map((line) => line.replace(MARKUP, '').trim()).filter((line) => line !== '');
    return { times: (lines[at] ?? '').trim(), text: readingOf(said) };
  });
  return cues.length > 0 ? new Subtitles(cues) : undefined;
}
