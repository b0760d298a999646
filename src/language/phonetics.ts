/** Writes how Tibetan sounds in Latin letters: roughly as in Lhasa. */
import { createYield } from '../patience.ts';
import { withAsciiDigits } from './numerals.ts';
import { phraseSound } from './phrase-sound.ts';

/** Ends with a visarga, or before a tsheg. */
const SYLLABLE = String.raw`[\u0f00\u0f18\u0f19\u0f35\u0f37\u0f39\u0f40-\u0f7e\u0f80-\u0fbc\u0fc6]+\u0f7f*|\u0f7f+`;
/** Syllables without a break, up to a maximum, so that others get the event loop in between. */
const PHRASE = String.raw`(?:(?:${SYLLABLE})[\u0f0b\u0f0c]*){1,100}`;
/** Shads with the white space around them; before them not more of it, since each space begins a search of its own. */
const SHADS = String.raw`[ \u0f0b]{0,64}[\u0f0d-\u0f14][\u0f0b-\u0f14 ]*`;
/** Page heads, brackets and other silent signs; tshegs are silent, too. */
const SILENT = String.raw`[\u0f01-\u0f0c\u0f15-\u0f17\u0f1a-\u0f1f\u0f34\u0f36\u0f38\u0f3a-\u0f3f\u0fbe-\u0fc5\u0fc7-\u0fff]+`;
const PARTS = new RegExp(
  `(?<phrase>${PHRASE})|(?<shads>${SHADS})|(?<silent>${SILENT})|(?<digits>[\\u0f20-\\u0f29]+)|[^]`,
  'gu',
);

/** The search begins only at the first: begun at each of many commas, it would take the square of their number. */
const COMMAS_AT_END = /(?<!, )(?:, )+$/u;

/**
 * The text with its Tibetan as it sounds, roughly, in Lhasa, spelled for readers of English; a shad inside a line becomes a comma. Unreadable
 * syllables, and everything but Tibetan, stay as they are. Takes a text of any length without blocking the event loop.
 */
export async function toPhonetics(text: string): Promise<string> {
  const yieldToOthers = createYield();
  const lines: string[] = [];
  for (const line of text.split('\n')) {
    const sounds: string[] = [];
    for (const { 0: part, groups = {} } of line.matchAll(PARTS)) {
      await yieldToOthers();
      const before = sounds.at(-1) ?? '';
      const tibetan =
        groups.phrase === undefined ? groups.digits && withAsciiDigits(part) : phraseSound(part);
      if (tibetan !== undefined) sounds.push(`${/[\p{L}\p{N}]$/u.test(before) ? ' ' : ''}${tibetan}`);
      else if (groups.shads === undefined && groups.silent === undefined) sounds.push(part);
      else if (groups.shads !== undefined && /\S$/u.test(before)) sounds.push(', ');
    }
    lines.push(sounds.join('').replace(COMMAS_AT_END, '').trimEnd());
  }
  return lines.join('\n');
}
