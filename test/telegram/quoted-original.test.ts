/** A translation under its original, and out of it again. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { quoted, withOriginal, withoutQuotes } from '../../src/telegram/request/quoted-original.ts';

const anyText = fc
  .array(fc.constantFrom('བོད', '汉', 'a', '👍', ' ', '\n', '\n\n', '>', '<b>', '།'), {
    minLength: 1,
    maxLength: 30,
  })
  .map((parts) => parts.join(''))
  .filter((text) => text.trim() !== '');

it('the translation comes out as it went in, whatever the two are', () => {
  fc.assert(
    fc.property(anyText, anyText, (original, translation) => {
      const { text, entities } = withOriginal(original, translation.trim());
      expect(withoutQuotes(text, entities)).toBe(translation.trim());
      const above = entities.map(({ offset, length }) => text.slice(offset, offset + length)).join('');
      expect(above.replace(/\s/gu, '')).toBe(original.replace(/\s/gu, ''));
    }),
  );
});

it('of nothing but an original nothing is left', () => {
  const { text, entities } = quoted('བོད');
  expect(withoutQuotes(text, entities)).toBe('');
});
