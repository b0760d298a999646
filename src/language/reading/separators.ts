/** The separator between two joined lines. */
import { dropsTshegAtEnd, ENDS_WITHOUT_SHAD } from './line.ts';

type Side = 'tsheg' | 'shad' | 'opening' | 'tibetan' | 'han' | 'digit' | 'other';

function sideOf(character: string): Side {
  if (/[་༌]/u.test(character)) return 'tsheg';
  if (/[\u0f0d-\u0f14]/u.test(character)) return 'shad';
  if (/[\d༠-༩]/u.test(character)) return 'digit';
  if (/\p{Script=Tibetan}/u.test(character)) return 'tibetan';
  if (/[\p{Script=Han}\u3000-\u303f\uff00-\uff60“”‘’…—]/u.test(character)) return 'han';
  return 'other';
}

/** The side before `end`. A shad after a space opens the next phrase. */
function sideBefore(text: string, end: number): Side {
  const last = text.slice(Math.max(0, end - 2), end);
  return /(?:^|\s)[།༎]$/u.test(last) ? 'opening' : sideOf([...last].at(-1) ?? '');
}

/** Learns from the page what stands between two characters within a line, and returns the same separator for joined lines. */
export function learnSeparators(texts: readonly string[]) {
  const dropsTsheg = dropsTshegAtEnd(texts);
  const seen = new Map<string, number>();
  for (const text of texts) {
    for (const { 0: before, 1: space, 2: after = '', index } of text.matchAll(/\S( ?)(?=(\S))/gu)) {
      const key = `${sideBefore(text, index + before.trimEnd().length)} ${sideOf(after)}`;
      seen.set(key, (seen.get(key) ?? 0) + (space === '' ? -1 : 1));
    }
  }
  return (line: string, next: string): string => {
    const [before, after] = [sideBefore(line, line.length), sideOf([...next][0] ?? '')];
    if (before === 'tibetan' && after === 'tibetan') {
      return ENDS_WITHOUT_SHAD.test(line) && !dropsTsheg ? ' ' : '་';
    }
    if (before === 'tibetan' && after === 'shad')
      return ENDS_WITHOUT_SHAD.test(line) ? ' ' : /ང$/u.test(line) ? '་' : '';
    if ((before === 'shad' || before === 'opening') && after === 'shad') return ' ';
    if (before === 'tsheg' && (after === 'tibetan' || after === 'shad')) return '';
    if (before === 'han' && after === 'han') return '';
    const learnt = seen.get(`${before} ${after}`) ?? 0;
    if (learnt !== 0 && !(before === 'other' && after === 'other')) return learnt > 0 ? ' ' : '';
    return before === 'han' || after === 'han' || before === 'tsheg' || before === 'opening' ? '' : ' ';
  };
}
