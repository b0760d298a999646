/** Cutting text for speech, and bringing audio to 16 kHz: properties. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { resample } from '../../service/resampler.ts';
import { speechPieces } from '../../service/sentences.ts';

const spoken = fc.string({
  unit: fc.oneof(
    fc.constantFrom('ཀ', '་', '།', '。', '，', ' ', '\n', '！', '好', '𠀀', 'a'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 400,
});

test('pieces of a text, joined, are the text, each within 80 code points', () => {
  fc.assert(
    fc.property(spoken, (text) => {
      const pieces = speechPieces(text);
      expect(pieces.join('')).toBe(text);
      for (const piece of pieces) {
        expect(piece.length).toBeGreaterThan(0);
        expect([...piece].length).toBeLessThanOrEqual(80);
      }
    }),
  );
});

test('a text is cut after sentences, an endless one at a tsheg', () => {
  expect(speechPieces('你好。谢谢！ བཀྲ་ཤིས། ཐུགས་རྗེ་ཆེ།')).toEqual(['你好。', '谢谢！ ', 'བཀྲ་ཤིས། ', 'ཐུགས་རྗེ་ཆེ།']);
  const pieces = speechPieces('བཀྲ་ཤིས་'.repeat(30));
  expect(pieces.length).toBeGreaterThan(1);
  for (const piece of pieces) expect(piece).toMatch(/་$/u);
});

function wave(hz: number, rate: number, seconds: number): Int16Array {
  return Int16Array.from(
    { length: rate * seconds },
    (_, index) => 10_000 * Math.sin((2 * Math.PI * hz * index) / rate),
  );
}

const resampled = (samples: Int16Array) => resample(samples, 22_050, 16_000);

/** The largest sample away from both ends, where the filter has its full surroundings. */
function peak(samples: Int16Array): number {
  return samples.subarray(200, -200).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

test('a wave stays the same wave, as long and in place', () => {
  const found = resampled(wave(440, 22_050, 1));
  const expected = wave(440, 16_000, 1);
  expect(Math.abs(found.length - expected.length)).toBeLessThanOrEqual(1);
  const error = expected.map((sample, index) => sample - (found[index] ?? 0));
  expect(peak(error)).toBeLessThan(100);
});

test('what lies above the new range is taken out instead of folding back', () => {
  expect(peak(resampled(wave(7_000, 22_050, 1)))).toBeGreaterThan(5_000);
  expect(peak(resampled(wave(9_000, 22_050, 1)))).toBeLessThan(50);
});
