/** Subtitles of a film (.srt): numbered cues, each with its times and the lines that are shown meanwhile. */
import { readingOf } from '../../language/reading/reading.ts';
import { createYield } from '../../patience.ts';

/**
 * Hours and fractions may be missing, and any number have fewer digits than usual, as players take them. Programs that translate a file put
 * spaces between its signs, make wide ones of them, and shorten the arrow.
 */
const COLON = '[^\\S\\n]*[:：][^\\S\\n]*';
const TIME = `(?:\\d{1,3}${COLON})?\\d{1,2}${COLON}\\d{1,2}(?:[^\\S\\n]*[,.:，．：](?:[^\\S\\n]*\\d{1,9})?)?`;
const ARROW = '[-–—]{1,3}[^\\S\\n]*[>＞]';
/** `00:01:02,500 --> 00:01:04,000`, with marks of direction before it, and with what some programs put after it. */
const TIMES = new RegExp(`^[\\s\\p{Cf}]*${TIME}\\s*${ARROW}\\s*${TIME}(?![\\d:：])[^\\n]*$`, 'u');
const NUMBER = /^[\s\p{Cf}]*\d{1,9}\s*$/u;
/** Italics, colours and places on the screen. */
const MARKUP = /<\/?[a-z][^<>\n]*>|\{\\[^{}\n]*\}/giu;
const ENTITY = /&(amp|lt|gt|quot|apos|nbsp|#39);/gu;
const ENTITIES: Readonly<Record<string, string>> = {
  ...{ amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ', '#39': "'" },
};
const BLANK_LINE = /\n[^\S\n]*\n\s*/u;
/** A screen holds two or three lines; what has more is no sentence that only the screen's width breaks. */
const MAX_LINES = 6;
const MAX_LETTERS = 400;
/** What begins a line in a dialogue. */
const SPEAKER = /^[-–—‐－]/u;
const SCRIPTS = [/[\p{Script=Tibetan}&&\p{L}]/v, /\p{Script=Han}/u, /\p{Script=Latin}/u];

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

/** `file` has `\n` line ends. Undefined if it has no times. Ten thousand cues take a second, in turns of the event loop. */
export async function subtitlesIn(file: string): Promise<Subtitles | undefined> {
  const yieldToOthers = createYield();
  const cues: Cue[] = [];
  let times: string | undefined;
  let number = 0;
  let own: string[] = [];
  const end = async (): Promise<void> => {
    if (times !== undefined) cues.push({ times, text: await textOf(own, yieldToOthers) });
  };
  for (const line of file.split('\n')) {
    await yieldToOthers();
    if (!TIMES.test(line)) {
      own.push(line);
      continue;
    }
    // The cue's number stands above its times, after a blank line or in its turn; another number is what somebody says.
    const last = NUMBER.test(own.at(-1) ?? '') ? Number(own.at(-1)?.replace(/\p{Cf}/gu, '')) : undefined;
    if (last !== undefined && (times === undefined || own.at(-2)?.trim() === '' || last === number + 1)) {
      number = last;
      own.pop();
    }
    await end();
    times = line.replace(/^[\s\p{Cf}]+/u, '').trimEnd();
    own = [];
  }
  await end();
  return cues.length > 0 ? new Subtitles(cues) : undefined;
}

/** The lines of a cue as one sentence, unless they are more: of several people, in each language, or parted by a blank line. */
async function textOf(
  lines: readonly string[],
  yieldToOthers: ReturnType<typeof createYield>,
): Promise<string> {
  const plain: string[] = [];
  for (const line of lines) {
    await yieldToOthers();
    const unmarked = line.replace(MARKUP, '');
    plain.push(unmarked.replace(ENTITY, (_, name: string) => ENTITIES[name] ?? '').trim());
  }
  const shown = plain.join('\n').trim();
  const said = shown.split(/\n+/u);
  if (said.length > MAX_LINES || said.some(({ length }) => length > MAX_LETTERS)) return said.join('\n');
  const scripts = new Set(said.flatMap((line) => SCRIPTS.find((script) => script.test(line)) ?? []));
  const isDialogue = said.slice(1).some((line) => SPEAKER.test(line));
  const isParted = isDialogue || scripts.size > 1 || shown.includes('\n\n');
  return isParted ? said.join('\n') : readingOf(said);
}
