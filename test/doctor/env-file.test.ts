/** What the doctor says of what it need not look up: the file `.env`, and the version of Node. */
import { parseEnv } from 'node:util';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { checkNode } from '../../src/doctor/machine.ts';
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

  it.each<BufferEncoding>(['utf8', 'utf16le'])(
    'a byte order mark as %s, which hides the first variable',
    (encoding) => {
      const text = Buffer.from('\uFEFFPORT=8080\nHOST=::1', encoding).toString('utf8');
      expect(parseEnv(text)).not.toHaveProperty('PORT');
      expect(checkEnvText(text).map((finding) => finding.verdict)).toEqual(['wrong']);
    },
  );

  it('what it has nothing to say of, Node reads as it stands there', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab#$\\ ={}') }), (value) => {
        fc.pre(!/ #/.test(value) && checkEnvText(`PORT=${value}`).length === 0);
        expect(parseEnv(`PORT=${value}`)).toEqual({ PORT: value.trim() });
      }),
    );
  });
});

it.each([
  ['24.21.0', 'well'],
  ['26.0.0', 'well'],
  ['22.18.0', 'wrong'],
  ['9.9.9', 'wrong'],
])('Node %s is %s', (version, verdict) => {
  expect(checkNode(version).verdict).toBe(verdict);
});
