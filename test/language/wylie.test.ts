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
    ['Dang po', 'དང་པོ', 'a capital that means something else in Sanskrit'],
    ['A ma', 'ཨ་མ', 'a short a'],
    ['A mdo', 'ཨ་མདོ', 'a short a before a Tibetan syllable'],
    ['Na mo gu ru', 'ན་མོ་གུ་རུ', 'a letter that begins no word of Sanskrit'],
    ["Nam mkha'", 'ནམ་མཁའ', 'a nasal'],
    ['Mi la ras pa', 'མི་ལ་རས་པ', 'a letter that can only follow'],
    ['rNying ma', 'རྙིང་མ', 'the capital of a root letter'],
    ["bsTan 'gyur", 'བསྟན་འགྱུར', 'the same after two letters'],
    ["bKa' 'gyur", 'བཀའ་འགྱུར', 'the same'],
    ["'Dul ba", 'འདུལ་བ', 'the same after an apostrophe'],
    ['g.Yung drung', 'གཡུང་དྲུང', 'the same after a dot'],
    ['gYung drung', 'གཡུང་དྲུང', 'the same without a dot: y is the root letter'],
    ['gYu thog sgYu ma bsgYur', 'གཡུ་ཐོག་སྒྱུ་མ་བསྒྱུར', 'only where g is the letter before it'],
    ['lHa sa', 'ལྷ་ས', 'the same under la'],
    ['rDzogs chen sNying thig', 'རྫོགས་ཆེན་སྙིང་ཐིག', 'two of them'],
    ['mDo sde dang dBu ma', 'མདོ་སྡེ་དང་དབུ་མ', 'two more'],
    ['mThar thug sMan gTer ma', 'མཐར་ཐུག་སྨན་གཏེར་མ', 'three'],
    ['bkra-shis', 'བཀྲ་ཤིས', 'a hyphen between syllables'],
    ["bKa'-'gyur", 'བཀའ་འགྱུར', 'the same before an apostrophe'],
    ["rDo-rje-'chang", 'རྡོ་རྗེ་འཆང', 'two hyphens'],
    ['khams-gsum', 'ཁམས་གསུམ', 'a hyphen after a suffix'],
    ['kr-iSh+Na', 'ཀྲྀཥྞ', 'a hyphen that makes a vowel'],
    ['kar-i', 'ཀརྀ', 'the same after a vowel'],
    ['-ti ka', 'ཊི་ཀ', 'a hyphen that makes a letter'],
    ['bkra  shis', 'བཀྲ་ཤིས', 'two spaces'],
    ['bkra shis/ bde legs/', 'བཀྲ་ཤིས། བདེ་ལེགས།', 'a space after a shad'],
    ['pa dang/ \nbde', 'པ་དང། \nབདེ', 'the same at the end of a line'],
    ["Nam-mkha'i Nor-bu", 'ནམ་མཁའི་ནོར་བུ', 'the same with hyphens'],
    ["'Od-zer Thams-cad", 'འོད་ཟེར་ཐམས་ཅད', 'the same after a vowel'],
    ["Bde ba'i Don", 'བདེ་བའི་དོན', 'the same at the end'],
    ['Rgyal po ShAkya thub pa', 'རྒྱལ་པོ་ཤཱཀྱ་ཐུབ་པ', 'the capital of a word of Sanskrit that has none'],
    ['Dharma shrI', 'དྷརྨ་ཤྲཱི', 'a phone’s capital before Sanskrit'],
    ['Sa skya paN Di ta', 'ས་སྐྱ་པཎ་ཌི་ཏ', 'a phone’s capital in a line with Sanskrit'],
    ["Bai DUr+ya'i 'od", 'བཻ་ཌཱུརྱའི་འོད', 'the same before a stack'],
    ['da lta yu Tob nang', 'ད་ལྟ་ཡུ་ཊོབ་ནང', 'EWTS: a foreign syllable'],
    ['ka Tang ka Ta', 'ཀ་ཊང་ཀ་ཊ', 'EWTS: capitals of Sanskrit'],
    ['kha TwAM ga', 'ཁ་ཊྭཱཾ་ག', 'EWTS: a stack without plus'],
    ['g-yag dang g-yu', 'གཡག་དང་གཡུ', 'a hyphen in place of the dot'],
    ['‘bla ma’ dang ‘gyur ba', '‘བླ་མ’་དང་འགྱུར་བ', 'quotation marks'],
    ["'bla ma'", '‘བླ་མ’', 'quotation marks in ASCII'],
    [
      '‘bod rgan gyi snying stobs’',
      '‘བོད་རྒན་གྱི་སྙིང་སྟོབས’',
      'quotation marks before what could have an apostrophe',
    ],
    ['‘bod rgan gyi snying stobs’dang', '‘བོད་རྒན་གྱི་སྙིང་སྟོབས’དང', 'the same before a letter'],
    ['‘jig rten ’di’i ‘gro ba’i bka’', 'འཇིག་རྟེན་འདིའི་འགྲོ་བའི་བཀའ', 'curved apostrophes'],
    ["‘'du shes bzhi’brtan po", '‘འདུ་ཤེས་བཞི’བརྟན་པོ', 'curved marks beside straight ones'],
    ["mya ngan las 'da' ba", 'མྱ་ངན་ལས་འདའ་བ', 'none around a syllable that can have both'],
    ['mya ngan las ‘da’ ba', 'མྱ་ངན་ལས་འདའ་བ', 'the same with curved ones'],
    ['bod 《gling》 bod', 'བོད་《གླིང》་བོད', 'tshegs beside marks of other scripts'],
  ])('%s is read as %s (%s)', (typed, tibetan) => {
    expect(fromWylie(typed)).toBe(tibetan);
  });
});

/** A syllable as Tibetan spells it, by the grammar's lists of what can stand together. */
const syllable = fc
  .record({
    stack: fc.constantFrom(
      ...'ཀ ཁ ག ང ཅ ཆ ཇ ཉ ཏ ཐ ད ན པ ཕ བ མ ཙ ཚ ཛ ཝ ཞ ཟ འ ཡ ར ལ ཤ ས ཧ ཨ ཀྱ ཁྲ གླ རྒྱ སྒྲ ལྷ སྔ རྩ བླ ཕྱ མྱ ཟླ ཞྭ བསྒྲ བརྒྱ དཀྱ འཁྲ མཁྱ གཉ བཀྲ འབྲ དབྱ མགྲ གཡ བསྐྱ འགྱ དམྱ'.split(
        ' ',
      ),
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

/** Loan words and mantras as they stand in Tibetan books. */
const SANSKRIT = [
  ...'ཨཱརྱ ཊི་ཀ ཊཱི་ཀཱ ཌོམ་བྷི་པ ཌཱ་ཀི་ནཱི ཌཱ་མ་རུ ཌ་མ་རུ ཊཀྐི་རཱ་ཛ པཎྜི་ཏ མཎྜལ མ་ཎི་པདྨེ ཨཱཿ ཨཱ ཧཱུྃ'.split(' '),
  ...'ཧཱུཾ ཨོཾ་ཨཱཿཧཱུྃ ཨཱ་ནནྡ ཨཱ་ཙརྱ ཨཱ་ལི་ཀཱ་ལི ཨིནྡྲ ཨཱིཤྭ་ར ཨུ་པ་སི་ཀཱ ཨཱུརྞྞ ཀྲྀཥྞ སཾསྐྲྀ་ཏ བཛྲ རཏྣ སརྦ'.split(' '),
  ...'དྷརྨ བྷྲཱུྃ ཛྙཱ་ན ཤྲཱི ཧྲཱིཿ ཀྵེ་མ པུཥྤེ ཥཊ ནིརྦཱཎ ཕཊ྄ རཱ་མ ནཱ་རོ་པ'.split(' '),
];

describe('there and back', () => {
  it.each(SANSKRIT)('%s is the same', (word) => {
    expect(fromWylie(toWylie(word))).toBe(word);
  });

  it('words of Sanskrit among Tibetan are the same, wherever they stand', () => {
    // Before a Tibetan syllable, `A` at the beginning of a line is what a phone makes of `a` (A mdo).
    const piece = fc.oneof(fc.constantFrom(...SANSKRIT.filter((word) => word !== 'ཨཱ')), syllable);
    const line = fc.array(piece, { minLength: 1, maxLength: 6 }).map((pieces) => pieces.join('་'));
    fc.assert(
      fc.property(fc.array(line, { minLength: 1, maxLength: 3 }), (lines) => {
        const whole = lines.join('\n');
        expect(fromWylie(toWylie(whole))).toBe(whole);
      }),
      { numRuns: 1000 },
    );
  });

  it.each([
    ...[
      'ཊི་རུམ་ཕ',
      'ཊི་རུམ་ཕས་བཤད་དོན།',
      'ཋེ་ཊོབ་ནང་།',
      'ཌ་སྒྲ་དེ་ད་ཆ།',
      'ཥ་ཡི་གཟུགས།',
      'ཨཱ་མདོ།',
      'ཨཱི་བོད།',
      'ཨཱུ་རྒྱན།',
      'ཊཱི་ཀ་དང་ཊོབ།',
    ],
    'བོད། \nཊི་རུམ་ཕ',
  ])('the first letter of %s is the same, too', (tibetan) => {
    expect(fromWylie(toWylie(tibetan))).toBe(tibetan);
  });

  it('tshegs and spaces beside lines, marks and other scripts are the same', () => {
    const between = fc.constantFrom(
      ...[
        '་',
        '། ',
        '། \n',
        '།\n',
        ' \n',
        '་\n',
        '་《',
        ' 《',
        '》',
        '》་',
        '》 ',
        '་«',
        '་“',
        '”',
        '”་',
        '་• ',
      ],
      ...['་\u00a0', '་西藏', ' 西藏', '། 西藏 ', ' 👍 ', '།👍'],
    );
    fc.assert(
      fc.property(
        fc.array(fc.tuple(syllable, between), { minLength: 1, maxLength: 8 }),
        syllable,
        (pieces, last) => {
          const whole = `${pieces.flat().join('')}${last}`;
          expect(fromWylie(toWylie(whole))).toBe(whole);
        },
      ),
      { numRuns: 1000 },
    );
  });

  it('Tibetan is the same whichever syllables of a title have a capital', () => {
    fc.assert(
      fc.property(
        syllable,
        fc.array(fc.tuple(syllable, fc.boolean()), { minLength: 1, maxLength: 6 }),
        (first, others) => {
          const pieces = [[first, true] as const, ...others];
          const title = pieces.map(([piece, isHigh]) =>
            isHigh ? toWylie(piece).replace(/[a-z]/u, (letter) => letter.toUpperCase()) : toWylie(piece),
          );
          const tibetan = pieces.map(([piece]) => piece).join('་');
          expect(fromWylie(title.join(' '))).toBe(tibetan);
        },
      ),
      { numRuns: 1000 },
    );
  });

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
    return fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary' }), async (whole) => {
        expect(typeof fromWylie(whole)).toBe('string');
        expect(typeof toWylie(whole)).toBe('string');
        await tibetanIfWylie(whole);
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
    ['oM ma Ni pad+me hU~M', 'ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ'],
    ['oM AH hU~M', 'ཨོཾ་ཨཱཿ་ཧཱུྃ'],
    ['Badzra pA Ni', 'བཛྲ་པཱ་ཎི'],
    ['kA la tsa kra', 'ཀཱ་ལ་ཙ་ཀྲ'],
    ['paN chen ShAkya mchog ldan', 'པཎ་ཆེན་ཤཱཀྱ་མཆོག་ལྡན'],
    ["bai DUr+ya'i 'od", 'བཻ་ཌཱུརྱའི་འོད'],
    ["Rje btsun Blo bzang Don 'grub", 'རྗེ་བཙུན་བློ་བཟང་དོན་འགྲུབ'],
  ])('%s is meant as Wylie', async (typed, tibetan) => {
    expect(await tibetanIfWylie(typed)).toBe(tibetan);
  });

  it.each([
    ...['hello', 'big dog ran', 'sing a song', 'the man', 'no', "I'm here", "ma'am", 'skip the blog'],
    ...['it is snowing in lhasa', 'tashi delek', 'ni hao ma', 'zhong guo ren', 'wo ai ni', 'zhang san'],
    ...['NATO', 'an API', 'the MIT license', 'storeName', 'LaTeX', '5 mA', 'a+b', 'C++', 'PhD', 'is ReDoS'],
    ...['I am Tom', 'my iPad'],
    ...['', '2024', '...', 'https://example.org/bod', '@somebody', '/wylie', '中文 bkra', 'བོད bkra shis'],
  ])('"%s" is not', async (typed) => {
    expect(await tibetanIfWylie(typed)).toBeUndefined();
  });

  it('Wylie with more than simple letters is taken for Wylie', () => {
    return fc.assert(
      fc.asyncProperty(sentence, async (tibetan) => {
        const wylie = toWylie(`རྒྱལ་${tibetan}`);
        expect(await tibetanIfWylie(wylie)).toBe(`རྒྱལ་${tibetan}`);
      }),
    );
  });
});
