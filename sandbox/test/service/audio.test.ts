/** Cutting text for speech, and bringing audio to 16 kHz: properties. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createResampler } from '../../service/resampler.ts';
import { speechPieces } from '../../service/sentences.ts';

const spoken = fc.string({
  unit: fc.oneof(
    fc.constantFrom('ཀ', '་', '།', '。', '，', ' ', '\n', '！', '好', '𠀀', 'a'),
    fc.string({ unit: 'binary', maxLength: 1 }),
  ),
  maxLength: 400,
});

test('the pieces of a text, joined, are the text; none is empty or longer than 80 code points', () => {
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

test('a text is cut after its sentences, and a sentence without an end at a tsheg', () => {
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

function resampleWhole(samples: Int16Array): Int16Array {
  const resampler = createResampler(22_050, 16_000);
  return Int16Array.from([...resampler.push(samples), ...resampler.finish()]);
}

/** The largest sample away from both ends, where the filter has its full surroundings. */
function peak(samples: Int16Array): number {
  return samples.subarray(200, -200).reduce((most, sample) => Math.max(most, Math.abs(sample)), 0);
}

test('a wave stays the same wave, as long and in place', () => {
  const resampled = resampleWhole(wave(440, 22_050, 1));
  const expected = wave(440, 16_000, 1);
  expect(Math.abs(resampled.length - expected.length)).toBeLessThanOrEqual(1);
  const error = expected.map((sample, index) => sample - (resampled[index] ?? 0));
  expect(peak(error)).toBeLessThan(100);
});

test('what lies above the new range is taken out instead of folding back', () => {
  expect(peak(resampleWhole(wave(7_000, 22_050, 1)))).toBeGreaterThan(5_000);
  expect(peak(resampleWhole(wave(9_000, 22_050, 1)))).toBeLessThan(50);
});

test('where the chunks are cut makes no difference', () => {
  const samples = wave(440, 22_050, 0.05);
  const whole = resampleWhole(samples);
  fc.assert(
    fc.property(fc.array(fc.nat({ max: samples.length }), { maxLength: 20 }), (cuts) => {
      const resampler = createResampler(22_050, 16_000);
      const output: number[] = [];
      let from = 0;
      for (const cut of [...cuts.toSorted((a, b) => a - b), samples.length]) {
        output.push(...resampler.push(samples.subarray(from, cut)));
        from = cut;
      }
      output.push(...resampler.finish());
      expect(Int16Array.from(output)).toEqual(whole);
    }),
  );
});
