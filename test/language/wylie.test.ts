/** Tibetan into EWTS and back, and when a text in Latin letters counts as Wylie. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fromWylie, tibetanIfWylie, toWylie } from '../../src/language/wylie.ts';

/** Both ways alike; by the tables of the EWTS standard (THL). */
const PAIRS: readonly (readonly [tibetan: string, wylie: string])[] = [
  ['བཀྲ་ཤིས་བདེ་ལེགས།', 'bkra shis bde legs/'],
  ['བཀྲ་ཤིས། བདེ་ལེགས།', 'bkra shis/_bde legs/'],
  ['གཡས་གཡོན', 'g.yas g.yon'],
  ['དབང་བརླབས་མགས', 'dbang brlabs mags'],
  ['ངའི་བཀའ་བོའོ', "nga'i bka' bo'o"],
  ['བསྒྲུབས་པ༎', 'bsgrubs pa//'],
  ['མ་ཎི་པདྨེ་ཧཱུྃ༔', 'ma Ni pad+me hU~M:'],
  ['ལོ་༢༠༢༤', 'lo 2024'],
  ['ཀ\nཁ་\nག', 'ka\nkha \nga'],
];

describe('Wylie', () => {
  it.each(PAIRS)('of %s is %s, and the other way round', (tibetan, wylie) => {
    expect(toWylie(tibetan)).toBe(wylie);
    expect(fromWylie(wylie)).toBe(tibetan);
  });

  it('is made of Tibetan alone: the rest stays as it is', () => {
    expect(toWylie('བོད means 西藏 (2024) 👍')).toBe('bod means 西藏 (2024) 👍');
    expect(fromWylie('西藏 bod 👍')).toBe('西藏 བོད 👍');
  });

  it('of om in one character is that of its parts', () => {
    expect(toWylie('ༀ')).toBe('oM');
  });

  it.each([
    ['bka’ ‘gyur', 'བཀའ་འགྱུར', 'a phone’s apostrophes'],
    ['Bkra shis', 'བཀྲ་ཤིས', 'a capital that means nothing'],
    ['Da lta\nNga tsho', 'ད་ལྟ\nང་ཚོ', 'the capital that phones begin a line with'],
    ['bkra  shis', 'བཀྲ་ཤིས', 'two spaces'],
    ['bkra shis/ bde legs/', 'བཀྲ་ཤིས། བདེ་ལེགས།', 'a space after a shad'],
  ])('%s is read as %s (%s)', (typed, tibetan) => {
    expect(fromWylie(typed)).toBe(tibetan);
  });
});

/** A syllable as Tibetan spells it, by the grammar's lists of what can stand together. */
const syllable = fc
  .record({
    stack: fc.constantFrom(
      ...[
        'ཀ',
        'ཁ',
        'ག',
        'ང',
        'ཅ',
        'ཆ',
        'ཇ',
        'ཉ',
        'ཏ',
        'ཐ',
        'ད',
        'ན',
        'པ',
        'ཕ',
        'བ',
        'མ',
        'ཙ',
        'ཚ',
        'ཛ',
        'ཝ',
        'ཞ',
        'ཟ',
      ],
      ...[
        'འ',
        'ཡ',
        'ར',
        'ལ',
        'ཤ',
        'ས',
        'ཧ',
        'ཨ',
        'ཀྱ',
        'ཁྲ',
        'གླ',
        'རྒྱ',
        'སྒྲ',
        'ལྷ',
        'སྔ',
        'རྩ',
        'བླ',
        'ཕྱ',
        'མྱ',
        'ཟླ',
        'ཞྭ',
      ],
      ...['བསྒྲ', 'བརྒྱ', 'དཀྱ', 'འཁྲ', 'མཁྱ', 'གཉ', 'བཀྲ', 'འབྲ', 'དབྱ', 'མགྲ', 'གཡ', 'བསྐྱ', 'འགྱ', 'དམྱ'],
    ),
    vowel: fc.constantFrom('ི', 'ུ', 'ེ', 'ོ'),
    suffix: fc.constantFrom('', 'ག', 'ང', 'ད', 'ན', 'བ', 'མ', 'འ', 'ར', 'ལ', 'ས', 'གས', 'ངས', 'བས', 'མས'),
  })
  .map(({ stack, vowel, suffix }) => stack + vowel + suffix);
const sentence = fc
  .array(syllable, { minLength: 1, maxLength: 8 })
  .map((syllables) => `${syllables.join('་')}${/[ཀགཤ]$/.test(syllables.at(-1) ?? '') ? '' : '།'}`);
const text = fc
  .array(fc.oneof(sentence, fc.constantFrom('\n', '༡༢༣', 'OK', '中文', '👍', ' ')), { maxLength: 6 })
  .map((parts) => parts.join(' '));

describe('there and back', () => {
  it('Tibetan is the same', () => {
    fc.assert(
      fc.property(fc.array(sentence, { minLength: 1, maxLength: 4 }), (sentences) => {
        for (const whole of [sentences.join(' '), sentences.join('\n')]) {
          expect(fromWylie(toWylie(whole))).toBe(whole);
        }
      }),
    );
  });

  it('a text keeps all that is not Tibetan, in its order', () => {
    fc.assert(
      fc.property(text, (whole) => {
        const others = (some: string) => some.match(/OK|中文|👍|\n/gu);
        expect(others(toWylie(whole))).toEqual(others(whole));
        expect(toWylie(whole)).not.toMatch(/\p{Script=Tibetan}/u);
      }),
    );
  });

  it('whatever is given is answered', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (whole) => {
        expect(typeof fromWylie(whole)).toBe('string');
        expect(typeof toWylie(whole)).toBe('string');
        tibetanIfWylie(whole);
      }),
    );
  });
});

describe('a text in Latin letters', () => {
  it.each([
    ['bkra shis bde legs/', 'བཀྲ་ཤིས་བདེ་ལེགས།'],
    ['Nga bod pa yin', 'ང་བོད་པ་ཡིན'],
    ['bka’ drin che', 'བཀའ་དྲིན་ཆེ'],
    ["mnga' ris kyi gnas tshul", 'མངའ་རིས་ཀྱི་གནས་ཚུལ'],
    ['da lta ga re byed kyi yod', 'ད་ལྟ་ག་རེ་བྱེད་ཀྱི་ཡོད'],
  ])('%s is meant as Wylie', (typed, tibetan) => {
    expect(tibetanIfWylie(typed)).toBe(tibetan);
  });

  it.each([
    ...['hello', 'big dog ran', 'sing a song', 'the man', 'no', "I'm here", "ma'am", 'skip the blog'],
    ...['it is snowing in lhasa', 'tashi delek', 'ni hao ma', 'zhong guo ren', 'wo ai ni', 'zhang san'],
    ...['', '2024', '...', 'https://example.org/bod', '@somebody', '/wylie', '中文 bkra', 'བོད bkra shis'],
  ])('"%s" is not', (typed) => {
    expect(tibetanIfWylie(typed)).toBeUndefined();
  });

  it('is meant as Wylie wherever it is the Wylie of Tibetan with more than simple letters', () => {
    fc.assert(
      fc.property(sentence, (tibetan) => {
        const wylie = toWylie(`རྒྱལ་${tibetan}`);
        expect(tibetanIfWylie(wylie)).toBe(`རྒྱལ་${tibetan}`);
      }),
    );
  });
});
