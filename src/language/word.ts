/** The form in which the names of languages and dialects are compared, however a person typed them. */

/** Accents, spaces, hyphens, `u:` for `ü`, tshegs and shads: a name is the same with or without them. */
const INSIGNIFICANT = /[\u0300-\u036f\s\p{Dash_Punctuation}\p{Format}_·:\u0f0b-\u0f0e]/gu;

/** `Ü-Tsang`, `u:tsang` and `ｕ ｔｓａｎｇ` give `utsang`; `དབུས་གཙང་།` gives `དབུསགཙང`. */
export function foldName(name: string): string {
  return name.normalize('NFKD').replace(INSIGNIFICANT, '').toLowerCase();
}
