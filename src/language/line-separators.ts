/** What stands between two lines of a page once they are joined: nothing, a space, or a tsheg. */

/** After these letters the shad is not written, where nothing but a space follows. */
const ENDS_IN_GA = /[ཀག]$/u;

type Side = 'tsheg' | 'shad' | 'tibetan' | 'han' | 'digit' | 'other';

function sideOf(character: string): Side {
  if (/[་༌]/u.test(character)) return 'tsheg';
  if (/[\u0f0d-\u0f14]/u.test(character)) return 'shad';
  if (/[\d༠-༩]/u.test(character)) return 'digit';
  if (/\p{Script=Tibetan}/u.test(character)) return 'tibetan';
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60“”‘’…—]/u.test(character)) return 'han';
  return 'other';
}

/** What stands between the end of a line and the beginning of the next, as the page itself has it where the same meet within a line. */
export function learnSeparators(texts: readonly string[]) {
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const [pair, before = '', space = '', after = ''] of text.matchAll(/(?=(\S)( ?)(\S))./gsu)) {
      if (pair === undefined) continue;
      const key = `${sideOf(before)} ${sideOf(after)}`;
      seen.set(key, (seen.get(key) ?? 0) + (space === '' ? -1 : 1));
    }
  }
  return (line: string, next: string, isTshegDropped: boolean): string => {
    const [before, after] = [sideOf([...line].at(-1) ?? ''), sideOf([...next][0] ?? '')];
    if (before === 'tibetan' && after === 'tibetan') {
      return ENDS_IN_GA.test(line) && !isTshegDropped ? ' ' : '་';
    }
    if (before === 'tibetan' && after === 'shad')
      return ENDS_IN_GA.test(line) ? ' ' : /ང$/u.test(line) ? '་' : '';
    if (before === 'shad' && after === 'shad') return ' ';
    if (before === 'tsheg' && (after === 'tibetan' || after === 'shad')) return '';
    if (before === 'han' && after === 'han') return '';
    const learnt = seen.get(`${before} ${after}`) ?? 0;
    if (learnt !== 0 && !(before === 'other' && after === 'other')) return learnt > 0 ? ' ' : '';
    return before === 'han' || after === 'han' || before === 'tsheg' ? '' : ' ';
  };
}
