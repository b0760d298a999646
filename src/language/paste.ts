/** A text that an app has cut into several messages, in one piece again. */
import { learnSeparators } from './reading/separators.ts';
import { TELEGRAM_LIMIT } from './split.ts';

/** Length of the context on either side of a cut, in UTF-16 units: it shows what separates such letters. */
const EVIDENCE = 1000;

/** Joins the parts. Telegram takes white space from their ends. */
export function pasted(parts: readonly string[]): string {
  const [first = '', ...more] = parts;
  let text = first;
  for (const [index, part] of more.entries()) text += `${between(parts[index] ?? '', part)}${part}`;
  return text;
}

/**
 * What stood at the cut. A full message was cut wherever it was full. Apps that look for a better place prefer a paragraph, then a line,
 * where its second half has one.
 */
function between(part: string, next: string): string {
  if (part.length >= TELEGRAM_LIMIT) return '';
  const half = part.slice(part.length / 2);
  if (/\n\s*\n/u.test(half)) return '\n\n';
  if (half.includes('\n')) return '\n';
  const separatorBetween = learnSeparators([part.slice(-EVIDENCE), next.slice(0, EVIDENCE)]);
  return separatorBetween(part, next, false);
}
