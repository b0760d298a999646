/** Writes how Tibetan sounds in Latin letters: roughly as in Lhasa. */
import type { TibetanToPhonetics } from 'tibetan-to-phonetics';
import { createYield } from '../patience.ts';
import { toWylie } from './wylie.ts';

const SYLLABLE = String.raw`[\u0f00\u0f18-\u0f39\u0f3e-\u0fbc\u0fc6]+`;
/** Syllables at once: even, since they are pronounced in pairs; the package would take too long for more. */
const WORDS = String.raw`${SYLLABLE}(?:[\u0f0b\u0f0c ]+${SYLLABLE}){0,11}`;
/** Shads with the white space around them; before them not more of it, since each space begins a search of its own. */
const SHADS = String.raw`[ \u0f0b]{0,64}[\u0f0d-\u0f14][\u0f0b-\u0f14 ]*`;
/** Page heads and other silent signs; tshegs are silent, too. */
const SILENT = String.raw`[\u0f01-\u0f0c\u0f15-\u0f17\u0fbe-\u0fff]+`;
const PARTS = new RegExp(
  `(?<words>${WORDS})|(?<shads>${SHADS})|(?<silent>${SILENT})|[^\\u0f00-\\u0fff]`,
  'gu',
);

/** The search begins only at the first: begun at each of many commas, it would take the square of their number. */
const COMMAS_AT_END = /(?<!, )(?:, )+$/u;

/** Longer than any Tibetan syllable, in UTF-16 units; the package would take long for it. */
const LONGEST_SYLLABLE = 16;
/** The package's output for a syllable that it cannot read. */
const UNREADABLE = '\u0fd7';

/**
 * The text with its Tibetan as it sounds, roughly, in Lhasa, spelled for readers of English; a shad inside a line becomes a comma. Unreadable
 * syllables, and everything but Tibetan, stay as they are. Takes a text of any length without blocking the event loop.
 */
export async function toPhonetics(text: string): Promise<string> {
  // Loaded when needed: few ask for it, and it would delay every start.
  const { TibetanToPhonetics } = await import('tibetan-to-phonetics');
  const converter = new TibetanToPhonetics({ setting: 'english-loose' });
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const sounds: string[] = [];
    for (const { 0: part, groups = {} } of line.matchAll(PARTS)) {
      await yieldToOthers();
      const before = sounds.at(-1) ?? '';
      if (groups.words !== undefined)
        sounds.push(`${/[\p{L}\p{N}]$/u.test(before) ? ' ' : ''}${soundOf(part, converter)}`);
      else if (groups.shads === undefined && groups.silent === undefined) sounds.push(part);
      else if (groups.shads !== undefined && /\S$/u.test(before)) sounds.push(', ');
    }
    lines.push(sounds.join('').replace(COMMAS_AT_END, '').trimEnd());
  }
  return lines.join('\n');
}

function soundOf(words: string, converter: TibetanToPhonetics): string {
  const syllables = words.split(/[\u0f0b\u0f0c ]+/u);
  const foreign = syllables.findIndex((syllable) => asWritten(syllable, converter) !== undefined);
  const written = asWritten(syllables[foreign] ?? '', converter);
  if (written !== undefined) {
    const around = [syllables.slice(0, foreign), syllables.slice(foreign + 1)];
    const [before = '', after = ''] = around.map((some) =>
      some.length === 0 ? '' : soundOf(some.join('\u0f0b'), converter),
    );
    return [before, written, after].filter((part) => part !== '').join(' ');
  }
  const isLong = syllables.some(({ length }) => length > LONGEST_SYLLABLE);
  const sound = isLong ? UNREADABLE : converter.convert(words.replaceAll('\u0f00', '\u0f68\u0f7c\u0f7e'));
  if (!sound.includes(UNREADABLE) && sound !== '') return sound;
  if (syllables.length === 1) return words;
  return syllables.map((syllable) => soundOf(syllable, converter)).join(' ');
}

const STACKED = /[\u0f90-\u0fbc]/u;
const VOWELS = /[aeiouéöü]+/gu;

/** Transliterates a Sanskrit stack of which the package would drop a part (ཙནྡན: "den"); undefined for others. */
function asWritten(syllable: string, converter: TibetanToPhonetics): string | undefined {
  if (!STACKED.test(syllable) || syllable.length > LONGEST_SYLLABLE) return undefined;
  const wylie = toWylie(syllable);
  if (!wylie.includes('+') || !/^[A-Za-z+\-~.]+$/u.test(wylie)) return undefined;
  const written = wylie.toLowerCase().replace(/[^a-z]/gu, '');
  const syllablesIn = (sound: string): number => sound.match(VOWELS)?.length ?? 0;
  return syllablesIn(converter.convert(syllable)) < syllablesIn(written) ? written : undefined;
}
