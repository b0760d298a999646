/** A translation under its original, and out of it again. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { folded, quoted, withOriginal, withoutOriginals } from '../../src/telegram/request/additions.ts';

const anyText = fc
  .array(fc.constantFrom('བོད', '汉', 'a', '👍', ' ', '\n', '\n\n', '>', '<b>', '།'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

it.each([false, true])(
  'folded %o: the translation comes out as it went in, whatever the two are',
  (isAmongOthers) => {
    fc.assert(
      fc.property(anyText, anyText, fc.constantFrom(1, 300), (original, part, times) => {
        const translation = part.trim().repeat(times);
        const { text, entities } = withOriginal(original, translation, isAmongOthers);
        expect(withoutOriginals(text, entities)).toBe(translation);
        const quotes = entities.map(({ offset, length }) => text.slice(offset, offset + length));
        const isFolded = quotes.length > 1 && quotes.at(-1) === translation;
        const above = (isFolded ? quotes.slice(0, -1) : quotes).join('');
        expect(above.replace(/\s/gu, '')).toBe(original.replace(/\s/gu, ''));
      }),
    );
  },
);

it('what is quoted from end to end is meant itself: a folded result, or an original that stands alone', () => {
  const long = 'བོད་'.repeat(300);
  expect(withoutOriginals(long, folded(long.length))).toBe(long);
  expect(withoutOriginals('བོད', quoted('བོད'))).toBe('བོད');
});
