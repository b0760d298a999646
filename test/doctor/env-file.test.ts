/** What the doctor says of the file `.env`. */
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkEnvText } from '../../src/doctor/settings.ts';

describe('the file .env', () => {
  it.each([
    ['a#b', true],
    ['#b', true],
    ['a#b # a comment', true],
    [' # a comment', false],
    ['a # a comment#b', false],
    ["'a#b' # a comment", false],
    ['"a#b"\r', false],
    ['', false],
  ])('SERVICE_X_SECRET=%s is cut off: %s', (value, isCutOff) => {
    const found = checkEnvText(`SERVICE_X_SECRET=${value}\nelse=a#b`);
    expect(found.map((finding) => finding.verdict)).toEqual(isCutOff ? ['wrong'] : []);
  });

  it('what it has nothing to say of, Node reads as it stands there', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab#$\\ ={}') }), (value) => {
        fc.pre(!/ #/.test(value) && checkEnvText(`PORT=${value}`).length === 0);
        expect(parseEnv(`PORT=${value}`)).toEqual({ PORT: value.trim() });
      }),
    );
  });
});
