/** What a person means by a word: languages, dialects and voices by their names, however somebody typed them. */

/** Accents, spaces, hyphens, `u:` for `ü`, tshegs and shads: a name is the same with or without them. */
const INSIGNIFICANT = /[\u0300-\u036f\s\p{Dash_Punctuation}\p{Format}_·:\u0f0b-\u0f0e]/gu;

/** `Ü-Tsang`, `u:tsang` and `ｕ ｔｓａｎｇ` give `utsang`; `དབུས་གཙང་།` gives `དབུསགཙང`. */
function folded(name: string): string {
  return name.normalize('NFKD').replace(INSIGNIFICANT, '').toLowerCase();
}

/** Makes a function that gives the value which a word names; undefined for a word that is no name of any. */
export function createNameParser<V>(
  values: readonly V[],
  namesOf: (value: V) => readonly string[],
): (word: string) => V | undefined {
  const known = new Map(
    values.flatMap((value) => namesOf(value).map((name) => [folded(name), value] as const)),
  );
  return (word) => known.get(folded(word));
}
