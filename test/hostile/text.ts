/** Texts that break careless programs: every trick of Unicode, in up to as many characters as a message holds. */
import fc from 'fast-check';

/** One Tibetan letter under a hundred signs: one grapheme cluster. */
const TALL_STACK = `ཀ${'\u0f74\u0f7e\u0f90\u0fb2'.repeat(25)}`;
/** 4096 UTF-16 units that are one grapheme cluster. */
const ONE_GRAPHEME = `བ${'\u0f71'.repeat(4095)}`;
/** Invisible letters that spell out ASCII. */
const TAG_CHARACTERS = Array.from('/stats', (c) => String.fromCodePoint(0xe0000 + c.charCodeAt(0))).join('');

const TRICKS = [
  '\ud800',
  '\udc00',
  '\udfff\ud800',
  '\0',
  '\u202e',
  '\u2066\u2069',
  '\u200b\u200d\u2060\ufeff',
  '\u0300'.repeat(50),
  TALL_STACK,
  TAG_CHARACTERS,
  '👨‍👩‍👧‍👦🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  '@lоtsawa_bot',
  '@lotsawa_bot',
  '\r\n\t\v\f\u0085\u2028',
  '\uffff\ufffe\ufdd0',
  '<b>&amp;</b>*_[x](http://t.me/y)`',
  '../../etc/passwd; $(reboot) -f --',
  '__proto__',
  '{"msgId":"500"}',
  '%s%n%x',
  "'; DROP TABLE sessions; --",
  'བཀྲ་ཤིས།',
  '今天',
  'བོད་ཡིག་',
  '𠀀𠀁',
  'bkra shis',
];

/** Up to some hundred characters of everything at once. */
export const hostileText: fc.Arbitrary<string> = fc
  .array(
    fc.oneof(
      fc.constantFrom(...TRICKS),
      fc.string({ unit: 'binary', maxLength: 8 }),
      fc.string({ unit: 'grapheme', maxLength: 8 }),
    ),
    { minLength: 1, maxLength: 12 },
  )
  .map((parts) => parts.join('').slice(0, 4096));

/** Texts of a message's full length. */
export const LONG_TEXTS: Readonly<Record<string, string>> = {
  'one grapheme cluster': ONE_GRAPHEME,
  'stacks of a hundred signs': TALL_STACK.repeat(40),
  'four bytes a character': '𠀀'.repeat(2048),
  'Tibetan without a single tsheg': 'ཀ'.repeat(4096),
};
