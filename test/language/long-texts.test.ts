/** No text takes the bot long. */
import { expect, it } from 'vitest';
import { doubtfulSyllables } from '../../src/language/doubtful-syllables.ts';
import { folded } from '../../src/language/names.ts';
import { normaliseForKey } from '../../src/language/normalise.ts';
import { toPhonetics } from '../../src/language/phonetics.ts';
import { readingOf } from '../../src/language/reading/reading.ts';
import { readingLanguageIn } from '../../src/language/reading-language.ts';
import { scriptCounts } from '../../src/language/script.ts';
import { splitForService, splitForTelegram } from '../../src/language/split.ts';
import { parseVariety } from '../../src/language/variety.ts';
import { fromWylie, tibetanIfWylie, toWylie } from '../../src/language/wylie.ts';

const LENGTH = 65_000;
const manyOf = (part: string): string => part.repeat(LENGTH / part.length);

const split = (text: string): Promise<string[]> => splitForService(text, 3000);
const read = (text: string): string => readingOf(text.split('\n'));
/** Marks in an order that Unicode changes. */
const DISORDERED = '\u0f72\u0f71';

it.each<[string, (text: string) => unknown, string]>([
  ['a line of dashes, split', split, `ཀ།\n${manyOf('-')}。`],
  ['a line of shads before a letter, split', split, `ཀ\n${manyOf('།')}ཀ`],
  ['a line of commas, split', split, `中\n${manyOf('，')}中`],
  ['short lines, split', split, manyOf('-\n')],
  ['flags, split', split, `བོད${manyOf('🇨🇳')}`],
  ['joiners, split', split, manyOf('👨\u200d')],
  ['marks in disorder, split', split, `ཀ${manyOf(DISORDERED)}`],
  ['blank lines, read', read, `ཀ${manyOf('\n')}ཀ`],
  ['blank lines, normalised', normaliseForKey, `ཀ${manyOf('\n')}ཀ`],
  ['lines of names, normalised', normaliseForKey, manyOf('བཀྲ་ཤིས\nཚེ་རིང་སྒྲོལ་མ\n扎西\n')],
  ['marks in disorder, normalised', normaliseForKey, `ཀ${manyOf(DISORDERED)}`],
  ['marks in disorder, checked', (text) => doubtfulSyllables(text, 5), `ཀ${manyOf(DISORDERED)}`],
  ['marks in disorder, folded', folded, `a${manyOf('\u0301\u0323')}`],
  ['marks in disorder, into Wylie', toWylie, `ཀ${manyOf(DISORDERED)}`],
  ['spaces, into Wylie', toWylie, `ཀ${manyOf(' ')}ཀ`],
  ['an endless word, from Wylie', fromWylie, `${manyOf('b')}a`],
  ['an endless word, searched for a language', readingLanguageIn, manyOf('a')],
  ['an endless word, checked for Wylie', tibetanIfWylie, `${manyOf('b')}a`],
  ['full stops, folded', folded, `${manyOf('.')}a`],
  ['spaces, as they sound', toPhonetics, `ཀ${manyOf(' ')}a`],
  ['commas, as they sound', toPhonetics, `ཀ${manyOf(', ')}a`],
  ['particles, as a dialect', parseVariety, `ཁམས${manyOf('ནས')}`],
  ...['a.', 'a-', 'a+', 'https://', '#', '@a', 'x.yy/', 'www.', '中www.', '《', '“中', '中'].map(
    (part): [string, (text: string) => unknown, string] => [
      `${part} over and over, counted`,
      scriptCounts,
      manyOf(part),
    ],
  ),
  ['Tibetan, split for Telegram', splitForTelegram, manyOf('བོད་')],
])('%s: takes less than a second', async (_, work, text) => {
  // Time of this thread alone, so that others on the machine do not count. Most take a tenth; the square of the length takes several.
  const begun = process.threadCpuUsage();
  await work(text);
  const { user } = process.threadCpuUsage(begun);
  expect(user / 1000).toBeLessThan(1000);
});

it('a letter with too many marks has a stable normal form', () => {
  const normal = normaliseForKey(`ཀ${DISORDERED.repeat(100)}\u0f77`);
  expect(normaliseForKey(normal)).toBe(normal);
});
