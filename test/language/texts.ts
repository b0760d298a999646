/** Texts for the properties: Tibetan with deep stacks, Chinese beyond the first plane, emoji, halves of characters. */
import fc from 'fast-check';

const TIBETAN = [...'བཀྲ ཤིས བསྒྲུབས ཨོཾ མ ཎི པདྨེ ཧཱུྃ རྐྱེནཱཿ ཀྵྨྼྀྃ ་ ༌ ། ༎ ༔ ༼ཀ༽ ༢༠'.split(' '), '། །'];
const CHINESE = '中 文 〇 𠮷 𪚥 𰻞 ， ； 。 ！ ？” （ ） “'.split(' ');
const OTHERS = [
  ...'Lhasa e\u0301 3.14 ! " 👨‍👩‍👧‍👦 🇨🇳 🇮 👍🏽 a\u0301\u0302\u0303\u0304 \u200d \u200b'.split(' '),
  ...['. ', ', '],
];
const SPACES = [' ', '  ', '\u00a0', '\u3000', '\n', '\n\n', '\r\n', '\r\n \r\n', '\t'];
const HALVES = ['\ud83d', '\udc68', '\ud840'];

const fragment = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...TIBETAN) },
  { weight: 3, arbitrary: fc.constantFrom(...CHINESE) },
  { weight: 2, arbitrary: fc.constantFrom(...OTHERS) },
  { weight: 2, arbitrary: fc.constantFrom(...SPACES) },
  { weight: 1, arbitrary: fc.constantFrom(...HALVES) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 3 }) },
);

/** Any text that a person could send, and some that nobody could. */
export const anyText: fc.Arbitrary<string> = fc
  .array(fragment, { maxLength: 40 })
  .map((parts) => parts.join(''));
