/** Whatever the pieces and however many bytes were expected, all of them are there in their order. */
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { createGatheredBytes } from '../../src/telegram/api/files.ts';

it('gives what joining the pieces gives', () => {
  const pieces = fc.array(fc.uint8Array({ maxLength: 90_000 }), { maxLength: 6 });
  fc.assert(
    fc.property(pieces, fc.nat(200_000), (given, expected) => {
      const gathered = createGatheredBytes(expected);
      for (const piece of given) gathered.add(piece);
      const joined = Buffer.concat(given);
      expect(gathered.length).toBe(joined.length);
      expect(gathered.bytes().equals(joined)).toBe(true);
    }),
    { numRuns: 50 },
  );
});
