/** The phrasebook's translations, and the glosses of what it does not know. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SAMPLES } from '../../samples/samples.ts';
import { PHRASES, WORDS } from '../../service/phrasebook.ts';
import { translateByPhrasebook } from '../../service/translation-engine.ts';

function count(text: string, letter: RegExp): number {
  return text.match(letter)?.length ?? 0;
}
const HAN = /\p{Script=Han}/gu;
const TIBETAN_LETTER = /[\u0F40-\u0F6C]/gu;

test.each(SAMPLES)(
  'every line of the $language sample is a sentence of the phrasebook',
  ({ text, language }) => {
    const translated = translateByPhrasebook(text, language);
    expect(translated).not.toMatch(/[〔《]/u);
    expect(translated.split('\n').length).toBe(text.split('\n').length);
  },
);

test('the phrasebook has at least 80 sentences, each translated both ways', () => {
  expect(PHRASES.length).toBeGreaterThanOrEqual(80);
  const chinese = new Set(PHRASES.map(([, zh]) => zh));
  const tibetan = new Set(PHRASES.map(([bo]) => bo));
  for (const [bo, zh] of PHRASES) {
    expect(chinese).toContain(translateByPhrasebook(bo, 'bo'));
    expect(tibetan).toContain(translateByPhrasebook(zh, 'zh'));
  }
});

test('Tibetan is spelled with its marks after ག and ང', () => {
  for (const [bo] of PHRASES) expect(bo).toMatch(/(ག|ང་།|[^གང་]།)$/u);
  for (const [bo] of [...PHRASES, ...WORDS]) expect(bo).not.toMatch(/་་|^་|\s/u);
  for (const [bo] of WORDS) expect(bo).toMatch(/[^་།]$/u);
});

describe('a clause is recognised', () => {
  test.each([
    ['without its closing mark', 'བཀྲ་ཤིས་བདེ་ལེགས', 'bo', '扎西德勒。'],
    ['with a closing tsheg', 'ཐུགས་རྗེ་ཆེ་', 'bo', '谢谢。'],
    ['with a non-breaking tsheg', 'བཀྲ༌ཤིས༌བདེ༌ལེགས།', 'bo', '扎西德勒。'],
    [
      'after a clause that ends in ག and a space',
      'དེ་རིང་གནམ་གཤིས་ཡག་པོ་འདུག ཐུགས་རྗེ་ཆེ།',
      'bo',
      '今天天气很好。谢谢。',
    ],
    ['after an opening mark', '༄༅། །བཀྲ་ཤིས་བདེ་ལེགས། །', 'bo', '扎西德勒。'],
    ['between commas', '你好，谢谢', 'zh', 'བཀྲ་ཤིས་བདེ་ལེགས། ཐུགས་རྗེ་ཆེ།'],
    ['whether 你 or 您', '你会说藏语吗?', 'zh', 'ཁྱེད་རང་བོད་སྐད་ཤེས་ཀྱི་ཡོད་པས།'],
  ] as const)('%s', (_, text, from, expected) => {
    expect(translateByPhrasebook(text, from)).toBe(expected);
  });
});

test('an unknown sentence becomes a gloss that says so and keeps unknown words', () => {
  expect(translateByPhrasebook('我喜欢苹果。', 'zh')).toBe('〔ཚིག་རེ་〕ང་དགའ་པོ་ཀུ་ཤུ།');
  expect(translateByPhrasebook('我喜欢咖啡。', 'zh')).toBe('〔ཚིག་རེ་〕ང་དགའ་པོ་མི་ཤེས་པའི་ཚིག་《咖啡》།');
  expect(translateByPhrasebook('ང་འཕྲུལ་ཆས་ལ་དགའ་པོ་ཡོད།', 'bo')).toBe("〔逐词〕我《'phrul chas la》喜欢有。");
});

test('digits, Latin words and layout stay', () => {
  expect(translateByPhrasebook('谢谢 John 42\n\n  你好\r\n', 'zh')).toBe(
    'ཐུགས་རྗེ་ཆེ། John 42\n\n  བཀྲ་ཤིས་བདེ་ལེགས།\r\n',
  );
  expect(translateByPhrasebook('༤༢', 'bo')).toBe('42');
});

const han = fc.integer({ min: 0x4e00, max: 0x9fa5 }).map((code) => String.fromCodePoint(code));
const tibetan = fc.integer({ min: 0x0f40, max: 0x0f6c }).map((code) => String.fromCodePoint(code));

test('whatever Chinese is given, the answer is mostly Tibetan, the same each time', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.oneof(han, fc.constantFrom('。', '，', ' ', '\n')), minLength: 1 }),
      (text) => {
        const translated = translateByPhrasebook(text, 'zh');
        expect(translated).toBe(translateByPhrasebook(text, 'zh'));
        expect(count(translated, TIBETAN_LETTER)).toBeGreaterThanOrEqual(count(translated, HAN));
        expect(translated.split('\n').length).toBe(text.split('\n').length);
      },
    ),
  );
});

test('whatever Tibetan is given, no Tibetan letter is left', () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.oneof(tibetan, fc.constantFrom('་', '།', ' ', '\n')) }), (text) => {
      expect(count(translateByPhrasebook(text, 'bo'), TIBETAN_LETTER)).toBe(0);
    }),
  );
});

test('any text at all is translated without an error', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('bo' as const, 'zh' as const),
      (text, from) => {
        expect(typeof translateByPhrasebook(text, from)).toBe('string');
      },
    ),
  );
});
