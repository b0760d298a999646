/**
 * Judges the text layer of a page, and reads text in Tibetan fonts from before Unicode (Sambhota, Tibetan Machine Web and their like), in which
 * Latin characters show Tibetan letters. Plain JavaScript, for the process that opens a PDF: it would take longer to load TypeScript.
 */
import { readFileSync } from 'node:fs';

/** Characters that no sound text has: unassigned and private ones, and those of a decoder that gave up. */
const BROKEN = /[\p{Co}\p{Cn}\p{Cs}\uFFFD]+/gu;
const CONTROLS = /[[\p{Cc}\u00AD\uFEFF]--[\n\t]]/gv;
const LETTERS = /[\p{L}\p{M}]+/gu;
const OURS = /[[\p{L}\p{M}]&&[\p{Script=Tibetan}\p{Script=Han}]]+/gv;
/** A vowel sign or subjoined letter without a base letter. */
const STRAY_MARKS = /(?<![\p{L}\p{M}])[\u0F71-\u0F84\u0F8D-\u0FBC]/gu;
/** The least share of letters in one of the two scripts: an English page with a Tibetan word is recognised instead. */
const MOSTLY = 0.5;
/** The largest share of broken letters and stray marks. */
const HARDLY = 0.01;
/** A picture that covers this share makes the page a picture, unless the text beside it has this many letters. */
const LARGE_IMAGE = 0.3;
const LETTERS_BESIDE_IMAGE = 150;

/** Runs of letters between tshegs. */
const SYLLABLES = /[[\p{L}\p{M}]&&\p{Script=Tibetan}]+/gv;
const STACKS = /[\u0F40-\u0F6C][\u0F8D-\u0FBC]+/gu;
/** The stacks of Tibetan's own words; all others are foreign, and need `+` in EWTS. */
const NATIVE_STACK = new RegExp(
  `^(?:${[
    '[ཀཁགཔཕབམཧ]ྱ',
    '[ཀཁགཏཐདནཔཕབམཤསཧ]ྲ',
    '[ཀགབཟརས]ླ',
    '[ཀཁགཅཉཏདཙཚཞཟརལཤསཧ]ྭ',
    '[གདཕ][ྱྲ]ྭ',
    '(?:ར[ྐྒྔྗྙྟྡྣྦྨྩྫ]|ལ[ྐྒྔྕྗྟྡྤྦྷ]|ས[ྐྒྔྙྟྡྣྤྦྨྩ])[ྱྲྭ]?',
  ].join('|')})$`,
  'u',
);
/** Signs and letters of Sanskrit, in which foreign stacks are at home. */
const SANSKRIT = /[\u0F4A-\u0F4E\u0F65\u0F71\u0F7B\u0F7D-\u0F84\u0F9A-\u0F9E\u0FB5\u0FB7]/u;
/** Letters of other scripts in the midst of a syllable. */
const INTRUDERS =
  /(?<=[[\p{L}\p{M}]&&\p{Script=Tibetan}])[\p{L}--\p{Script=Tibetan}]+(?=[[\p{L}\p{M}]&&\p{Script=Tibetan}])/gv;
/** Shads with the spaces between them, as at the end of a verse; not behind the number of a list. */
const SHADS = /(?<!\p{Nd})[།-༒][།-༒ ]*/gu;
/** A layer that lost its letters has little but shads: more than this share of its syllables. Fewer shads tell nothing. */
const MAX_SHADS = 1 / 3;
const MIN_SHADS = 6;
/** A space behind a tsheg, and a tsheg without one, before a Tibetan letter. */
const SPACED_TSHEG = /(?<=[་༌])[ \u00A0\u3000]+(?=[\u0F40-\u0F6C\u0F88-\u0F8C])/gu;
const PLAIN_TSHEG = /[་༌](?=[\u0F40-\u0F6C\u0F88-\u0F8C])/gu;
/** Fewer spaced tshegs of a line or a page may be meant. */
const MIN_SPACED = 3;
/** Fewer syllables tell nothing. */
const MIN_SYLLABLES = 20;
/**
 * The largest share of foreign syllables, which also must not be more than those of Sanskrit. In three books with wrong maps (OpenPecha's
 * pdf-cmap-fix) all 915 pages have more, 7 to 40 %; of 8,000 pages of the Derge Kangyur, its mantras included, 4 have.
 */
const MAX_FOREIGN = 0.05;
/** The genitive and instrumental particle, and what is left of it under a map without subjoined letters. */
const PARTICLE = /^ཀྱིས?$/u;
const BARE_PARTICLE = /^ཀིས?$/u;

/**
 * The text layer of a page if it is sound Unicode Tibetan or Chinese; undefined for the nonsense of pre-Unicode fonts and broken tables.
 * `particles`: how often the particle `ཀྱི` is whole and bare in a page without Sanskrit; a document that has only bare ones lacks subjoined
 * letters. `imageShare`: the share of the page under its largest picture.
 */
export function soundText(layer, imageShare) {
  const text = layer.replace(/\r\n?/gu, '\n').replace(CONTROLS, '').trim();
  const letters = lengthOf(text, LETTERS);
  const ours = lengthOf(text, OURS);
  if (ours === 0 || ours < letters * MOSTLY) return undefined;
  if (lengthOf(text, BROKEN) + lengthOf(text, STRAY_MARKS) > letters * HARDLY) return undefined;
  if (imageShare > LARGE_IMAGE && ours < LETTERS_BESIDE_IMAGE) return undefined;
  const counts = countsOf(text);
  if (hasWrongMap(text, counts)) return undefined;
  const { whole, bare, syllables, sanskrit } = counts;
  const shads = countOf(text, SHADS);
  if (shads >= MIN_SHADS && shads > syllables * MAX_SHADS && syllables > 0) return undefined;
  return {
    text: withoutSpaces(text),
    particles: { whole, bare: sanskrit > syllables * MAX_FOREIGN ? 0 : bare },
  };
}

/** The syllables of a text: all, those of Sanskrit, others with stacks that Tibetan does not know, and the particle `ཀྱི`, whole and bare. */
function countsOf(text) {
  const counts = { syllables: 0, sanskrit: 0, foreign: 0, whole: 0, bare: 0 };
  for (const [syllable] of text.matchAll(SYLLABLES)) {
    counts.syllables += 1;
    if (SANSKRIT.test(syllable)) counts.sanskrit += 1;
    else if (PARTICLE.test(syllable)) counts.whole += 1;
    else if (BARE_PARTICLE.test(syllable)) counts.bare += 1;
    else if (syllable.match(STACKS)?.some((stack) => !NATIVE_STACK.test(stack))) counts.foreign += 1;
  }
  return counts;
}

/** Whether a plausible but wrong map of characters gives letters that Tibetan cannot have: `བཟླས་པའྗོ།`, `མྱི་རྙྲེད་`. */
function hasWrongMap(text, { syllables, sanskrit, foreign }) {
  if (syllables < MIN_SYLLABLES) return false;
  const strange = foreign + (text.match(INTRUDERS)?.length ?? 0);
  return strange > syllables * MAX_FOREIGN && strange > sanskrit;
}

/** Without the spaces that programs put behind every tsheg of a justified line, or of a page. One behind a shad, or here and there, stays. */
function withoutSpaces(text) {
  const isSpaced = (part) => {
    const spaced = countOf(part, SPACED_TSHEG);
    return spaced >= MIN_SPACED && spaced > countOf(part, PLAIN_TSHEG);
  };
  if (isSpaced(text)) return text.replace(SPACED_TSHEG, '');
  return text.replace(/.+/gu, (line) => (isSpaced(line) ? line.replace(SPACED_TSHEG, '') : line));
}

function countOf(text, pattern) {
  let count = 0;
  for (const _ of text.matchAll(pattern)) count += 1;
  return count;
}

/** UTF-16 units of all matches; not in an array, since a page may hold a book. */
function lengthOf(text, pattern) {
  let length = 0;
  for (const [found] of text.matchAll(pattern)) length += found.length;
  return length;
}

/** The signs that the second to fourth font of a Dedris series add to each letter. */
const ADDED_SIGNS = ['', '\u0F74', '\u0F71', '\u0F71\u0F74'];
const SUBSET = /^[A-Z]{6}\+/u;
const STYLE = /(?:[, -]{0,3}(?:Regular|Normal|Bold|Italic|PSMT|MT))+$/u;
const SERIES = /^(?:E?dedris|drutsa|khamdris)-([a-g])([1-3])$/iu;
const FAMILIES = [
  [/^(?:e?dedris|drutsa|khamdris)-/iu, 'Dedris-'],
  [/^Dedris-sym$/u, 'Dedris-syma'],
  [/^esam(?=[abc]$)/iu, 'Sam'],
  [/^(Tibetan(?:Classic|Chogyal)Skt)$/u, '$11'],
];
const LETTER = /^[\u0F40-\u0FBC]/u;
/** Where fonts with a symbol encoding keep their characters. */
const SYMBOLS = 0xf000;

/** @type {Map<string, Map<string, string>> | undefined} */
let tables;

/**
 * Makes the reader of a font by its name in the PDF: it gives the letters that a character shows, U+FFFD for an unknown one. Undefined for
 * every other font.
 * @param {string} fontName
 * @returns {((character: string) => string) | undefined}
 */
export function legacyReader(fontName) {
  const name = fontName.replace(SUBSET, '').replace(STYLE, '').replaceAll(' ', '');
  const [, series, sign = '0'] = SERIES.exec(name) ?? [];
  const table = tableOf(series === undefined ? name : `Dedris-${series}`);
  if (table === undefined) return undefined;
  const added = ADDED_SIGNS[Number(sign)];
  return (character) => {
    if (/\s/u.test(character)) return ' ';
    const code = character.codePointAt(0) ?? 0;
    const plain =
      code >= SYMBOLS && code <= SYMBOLS + 0xff ? String.fromCodePoint(code - SYMBOLS) : character;
    const letters = table.get(plain) ?? '\uFFFD';
    return LETTER.test(letters) ? `${letters}${added}` : letters;
  };
}

function tableOf(name) {
  tables ??= load();
  const family = FAMILIES.reduce((one, [pattern, by]) => one.replace(pattern, by), name);
  return tables.get(family);
}

function load() {
  const lines = readFileSync(new URL('legacy-fonts.tsv', import.meta.url), 'utf8').split('\n');
  const rows = lines.filter((line) => line.includes('\t')).map((line) => line.split('\t'));
  return new Map(rows.map(([font, entries]) => [font, new Map(entries.split(' ').map(entryOf))]));
}

function entryOf(entry) {
  const [character = ''] = entry;
  return [character, entry.slice(character.length)];
}
