/** Which syllables of a recognised text were probably misread. */
import { expect, it } from 'vitest';
import { doubtfulSyllables } from '../../src/language/doubtful-syllables.ts';

it.each([
  ['a tsheg that is missing', 'རྒྱལཔོ་བྱངཆུབ་གཞནཡང་', ['རྒྱལཔོ', 'བྱངཆུབ', 'གཞནཡང']],
  ['a suffix that is none', 'ཀཁ་', ['ཀཁ']],
  ['a prefix that its letter does not take', 'བསླགབས་', ['བསླགབས']],
  ['a vowel without a letter', 'བོད་ིག་', ['ིག']],
  [
    'a rare one, a letter away from a very common one',
    'འཛིག་རྟེན་བདི་ལིགས་དགི་བའི་པྱང་ཆུབ་སེམམ་',
    ['འཛིག', 'བདི', 'ལིགས', 'དགི', 'པྱང', 'སེམམ'],
  ],
  ['a foreign final, a letter away from a very common one', 'ཤིཀ་', ['ཤིཀ']],
])('%s', async (_, text, doubtful) => {
  expect(await doubtfulSyllables(text, 9)).toEqual(doubtful);
});

it.each([
  ['prose with its particles', 'བཀྲ་ཤིས་བདེ་ལེགས། མིའུའི་འགྲོའོ་དགའ་མདའི་ལས་སོགས་པ་མི་འི་ཀོའུ་'],
  ['Sanskrit', 'བཛྲ་ཙཀྲ་སུཏྲ་ཀརྨ་པཎྜི་ཏ་པདྨོ་ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ་ཤཱཀྱ་མཽད་གལ་ཤཻ་'],
  ['foreign names', 'ཨུཛ་བེཀ་མེཀ་སི་ཀོ་ཨཕ་ག་ནི་སི་ཏན་པཱ་ཀིསྟན་ཨོ་སེཊ་ལི་ཡ་ཏ་ཇིཀ་'],
  ['old and Sanskrit words without long vowels', 'བཅྭ་བརྒྱད་བཅྭའི་ཀལྤ་སྭསྟི་ཧསྟ་'],
  ['laughter', 'ཧཧཧ་ཧེཧེ་'],
  ['rare words that are like no common one', 'ཀླུང་རྟའི་ཕྱྭ་གཡང་ཟངས་ཁེབས་སྤྲེའུས་'],
  ['common words that are like each other', 'ཀའི་གའི་ང་ད་ར་པ་བ་མ་ས་ཤིག་ཤེག་བྱེད་བྱིན་'],
  ['Chinese, numbers and signs', '今天天气很好。 ༡༢༣ ༄༅། abc'],
])('none in %s', async (_, text) => {
  expect(await doubtfulSyllables(text, 5)).toEqual([]);
});

it('each once, in their order, and no more than asked for', async () => {
  expect(await doubtfulSyllables('ཀཁ་ཀག་གཁ་ཀཁ་ཅཁ་', 2)).toEqual(['ཀཁ', 'གཁ']);
});
