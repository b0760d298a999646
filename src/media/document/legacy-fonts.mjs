/**
 * Reads text in Tibetan fonts from before Unicode (Sambhota, Tibetan Machine Web and their like), in which Latin characters show Tibetan
 * letters. Plain JavaScript, for the process that opens a PDF.
 */
import { readFileSync } from 'node:fs';

/** The signs that the second to fourth font of a Dedris series add to each letter. */
const ADDED_SIGNS = ['', '\u0F74', '\u0F71', '\u0F71\u0F74'];
const SUBSET = /^[A-Z]{6}\+/u;
const STYLE = /(?:[, -]*(?:Regular|Normal|Bold|Italic|PSMT|MT))+$/u;
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
