/** What a text must be like before its translation or speech is paid for (service-interface §4.3, §4.4, §8). */
import { codePointLength } from '../../language/codepoints.ts';
import { MAX_TEXT_LENGTH } from '../../service-limits.ts';
import { ServiceFailure } from '../failure.ts';

/**
 * Gives the text's length in code points.
 * Throws `bad-request` for a blank text and for half a surrogate pair (which has no UTF-8), `too-long` beyond 3000.
 */
export function checkText(text: string): number {
  if (text.trim() === '') throw new ServiceFailure('bad-request', 'not sent: the text is blank');
  if (!text.isWellFormed())
    throw new ServiceFailure('bad-request', 'not sent: the text has a lone surrogate');
  const length = codePointLength(text);
  if (length > MAX_TEXT_LENGTH) throw new ServiceFailure('too-long', 'not sent: the text is too long');
  return length;
}
