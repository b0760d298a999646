/** Which syllables of a recognised text can be none. */
import { expect, it } from 'vitest';
import { doubtfulSyllables } from '../../src/language/doubtful-syllables.ts';

it.each([
  ['a tsheg that is missing', 'རྒྱལཔོ་བྱངཆུབ་གཞནཡང་', ['རྒྱལཔོ', 'བྱངཆུབ', 'གཞནཡང']],
  ['a suffix that is none', 'ཀཁ་', ['ཀཁ']],
  ['a prefix that its letter does not take', 'བསླགབས་', ['བསླགབས']],
  ['a vowel without a letter', 'བོད་ིག་', ['ིག']],
])('%s', (_, text, doubtful) => {
  expect(doubtfulSyllables(text, 5)).toEqual(doubtful);
});

it.each([
  ['prose with its particles', 'བཀྲ་ཤིས་བདེ་ལེགས། མིའུའི་འགྲོའོ་དགའ་མདའི་ལས་སོགས་པ་མི་འི་ཀོའུ་'],
  ['Sanskrit', 'བཛྲ་ཙཀྲ་སུཏྲ་ཀརྨ་པཎྜི་ཏ་པདྨོ་ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ་ཤཱཀྱ་མཽད་གལ་ཤཻ་'],
  ['Chinese, numbers and signs', '今天天气很好。 ༡༢༣ ༄༅། abc'],
])('none in %s', (_, text) => {
  expect(doubtfulSyllables(text, 5)).toEqual([]);
});

it('each once, in their order, and no more than asked for', () => {
  expect(doubtfulSyllables('ཀཁ་ཀག་གཁ་ཀཁ་ཅཁ་', 2)).toEqual(['ཀཁ', 'གཁ']);
});
