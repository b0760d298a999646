/** What a person means by a word: languages, dialects and voices by their names, however somebody typed them. */

/** Accents, spaces, hyphens, tshegs: a name is the same with or without them. */
const INSIGNIFICANT = /[\u0300-\u036f\s\p{Dash_Punctuation}\p{Format}_·\u0f0b\u0f0c]/gu;
/** What ends a name: a comma, a colon, a full stop, a shad of any kind. */
const PUNCTUATION_AT_END = /[,:、.。\u0f0d-\u0f14]+$/u;

/** `Ü-Tsang`, `u:tsang` and `ｕ ｔｓａｎｇ` give `utsang`; `དབུས་གཙང་།` gives `དབུསགཙང`. */
export function folded(name: string): string {
  return name
    .normalize('NFKD')
    .replace(INSIGNIFICANT, '')
    .replace(PUNCTUATION_AT_END, '')
    .toLowerCase()
    .replace(/^u:/u, 'u'); // as German keyboards spell ü
}

/** Makes a function that gives the value which a word names; undefined for a word that is no name of any. A name of two is the later one's. */
export function createNameParser<V>(
  values: readonly V[],
  namesOf: (value: V) => readonly string[],
): (word: string) => V | undefined {
  const known = new Map(
    values.flatMap((value) => namesOf(value).map((name) => [folded(name), value] as const)),
  );
  return (word) => known.get(folded(word));
}
