/** Tibetan as it sounds. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { toPhonetics } from '../../src/language/phonetics.ts';

describe('the sound of a text', () => {
  it.each([
    ['ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།', 'om mani padmé hung'],
    ['ༀ་མ་ཎི་པདྨེ་ཧཱུྃ', 'om mani padmé hung'],
    ['༄༅། །རྒྱ་གར་སྐད་དུ། བོད་སྐད་དུ། །', 'gyakar kétu, pöké tu'],
    ['ཀོང༌པོ ༡༢', 'kongpo 12'],
    ['<b>བོད</b> & 2024', '<b>pö</b> & 2024'],
    ['ཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀ', 'ཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀཀ'],
    ['ཙནྡན་དཀར་པོ།', 'tsandan karpo'],
    ['སངྒྷ་དང་བུདྡྷ', 'sanggha tang buddha'],
    ['ཀྲྀཥྞ', 'krishna'],
    ['བཛྲ་པདྨ་མཎྜལ་དྷརྨ', 'vajra padma mandala dharma'],
    ['', ''],
  ])('%s: %s', async (tibetan, sounds) => {
    expect(await toPhonetics(tibetan)).toBe(sounds);
  });

  it('leaves what is not Tibetan as it is, but for white space at the end of lines', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.string({ unit: fc.constantFrom('a', '汉', ' ', ',', '👍', '\n', '-', '1') }),
        async (text) => {
          const lines = text.split('\n').map((line) => line.replace(/(?:, )+$/u, '').trimEnd());
          expect(await toPhonetics(text)).toBe(lines.join('\n'));
        },
      ),
    );
  });

  it('takes no longer where there is no space and no shad', async () => {
    // Time of this thread alone, so that others on the machine do not count.
    const begun = process.threadCpuUsage();
    await toPhonetics('བཀྲ་ཤིས་བདེ་ལེགས་'.repeat(2500));
    await toPhonetics('ཀ'.repeat(40_000));
    expect(process.threadCpuUsage(begun).user / 1000).toBeLessThan(10_000);
  });
});
