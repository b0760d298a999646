/** Which script carries a text. */
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { dominantLanguage, hasScript, otherLanguage, scriptCounts } from '../../src/language/script.ts';
import { anyText } from './texts.ts';

describe('the script that carries a text', () => {
  test.each([
    ['Tibetan alone', 'བཀྲ་ཤིས་བདེ་ལེགས།', 'tibetan'],
    ['Chinese alone', '你好，世界。', 'chinese'],
    ['one syllable', 'ང', 'tibetan'],
    ['a rare character of plane 2', '𠮷', 'chinese'],
    ['the Chinese zero', '〇', 'chinese'],
    ['the single letter om', 'ༀ', 'tibetan'],
    ['two syllables against three characters, though they are more letters', 'བསྒྲུབས་བརྒྱུད་中文字', 'chinese'],
    ['four syllables against three characters', '中文字 བཀྲ་ཤིས་བདེ་ལེགས', 'tibetan'],
    ['a Chinese word explained in Tibetan', '“文化”ཞེས་པ་ནི་རིག་གནས་ལ་ཟེར།', 'tibetan'],
    ['a Tibetan word explained in Chinese', 'བོད་是西藏的意思', 'chinese'],
    ['as many of both, Tibetan first', 'བོད་ཡིག藏文', 'tibetan'],
    ['as many of both, Chinese first', '藏文བོད་ཡིག', 'chinese'],
    ['much Latin beside a little Tibetan', 'The word བོད means Tibet', 'tibetan'],
    ['Tibetan digits beside Chinese', '༢༠༢༤ ༡༢ ༣ 年', 'chinese'],
    ['shads and tshegs beside Chinese', '་།་།༎་ 年', 'chinese'],
    ['Tibetan that nobody spaced, with a Chinese word', 'བཀྲཤིསབདེལེགསཀུནལསདགའ 你好', 'tibetan'],
    ['a link to a Chinese page', 'https://zh.wikipedia.org/wiki/西藏自治区 ལྟོས་དང་།', 'tibetan'],
    ['a link without its scheme', 'zh.wikipedia.org/wiki/西藏自治区 ལྟོས་དང་།', 'tibetan'],
    [
      'a link that begins where a Chinese word ends',
      '看https://bo.wikipedia.org/wiki/བོད་རང་སྐྱོང་ལྗོངས 吧',
      'chinese',
    ],
    ['a link that a Chinese sentence goes on after', 't.me/བོད་ཀྱི་དུས་བབ，请看', 'chinese'],
    ['a link in brackets', '（https://example.org/བོད་ཀྱི་དུས་བབ）请看', 'chinese'],
    ['a Chinese tag', '#西藏自治区 ལྟོས་དང་།', 'tibetan'],
    ['a Tibetan tag', '你好 #བོད་ཀྱི་དུས་བབ', 'chinese'],
    ['a Chinese tag between two signs', '#བོད་ཀྱི་དུས་བབ#你好', 'chinese'],
    ['a name', '@西藏文化中心 ལྟོས་དང་།', 'tibetan'],
    ['a bot named without a space', '@lotsawa_bot你好', 'chinese'],
    ['a price', '3.5/公斤', 'chinese'],
    ['a domain alone', 'baidu.com你好', 'chinese'],
    ['a number sign inside a word', 'C#语言', 'chinese'],
    ['a domain in Chinese', 'www.拉萨.com བོད', 'tibetan'],
    ['a Chinese domain with a path', 'www.拉萨.中国/八廓街 བོད', 'tibetan'],
    ['a domain that a Chinese word follows', 'www.baidu.com你好', 'chinese'],
    ['titles of Chinese books', 'ང་ལ་《格萨尔王传》དང་《红楼梦》གཉིས་ཡོད།', 'tibetan'],
    ['a Chinese saying', 'དགེ་རྒན་གྱིས་“今天我们去拉萨看布达拉宫”ཞེས་བཤད།', 'tibetan'],
    ['a Tibetan saying', '老师说：「བོད་སྐད་ཤེས་དགོས་ཡོད།」。', 'chinese'],
    ['a Chinese title alone', '《红楼梦》 😊', 'chinese'],
    ['a Chinese school', 'ང་西南民族大学藏学学院གི་སློབ་མ་ཡིན།', 'tibetan'],
    ['a Chinese school at the start, and a space', '西南民族大学藏学学院 གི་སློབ་མ་ཡིན།', 'tibetan'],
    ['two Chinese places', '从前ནས་北京、上海、广州ལ་ཕྱིན།', 'tibetan'],
    ['a Chinese company', 'འདི་中国移动通信集团有限公司རེད།', 'tibetan'],
    ['a Chinese account', 'ངས་微信公众号ཞིག་བཟོས་ཡོད།', 'tibetan'],
    ['a Chinese sentence before a Tibetan ending', '我们的老师明天回来ལ།', 'chinese'],
    ['a word that begins like a Tibetan ending', '西藏自治区 ལམ་ཡིག', 'chinese'],
    ['tshegs that no line ends after', 'བོད༌ཡིག༌བརྒྱ 中文', 'tibetan'],
  ])('%s', (_, text, language) => {
    expect(dominantLanguage(text)).toBe(language);
  });

  test.each([
    ['an empty text', ''],
    ['Latin', 'tashi delek'],
    ['emoji', '👨‍👩‍👧‍👦🇨🇳'],
    ['digits of three scripts', '2024 ༢༠༢༤ ２０２４'],
    ['Tibetan punctuation alone', '༄༅། །༎་'],
    ['Chinese punctuation alone', '，。！？《》'],
    ['a vowel sign without a letter', '\u0f72'],
    ['kana', 'カタカナ'],
    ['a link alone', 'https://zh.wikipedia.org/wiki/西藏自治区'],
    ['a link with a port', 'example.org:8080/西藏'],
    ['a tag alone', '#西藏'],
    ['a domain alone', 'www.拉萨.com'],
  ])('is none in %s', (_, text) => {
    expect(dominantLanguage(text)).toBeUndefined();
  });
});

describe('counting', () => {
  test.each([
    ['བཀྲ་ཤིས་བདེ་ལེགས།', 4],
    ['ཨོཾ་མ་ཎི་པདྨེ་ཧཱུྃ།', 5],
    ['བསྒྲུབས', 1],
    ['དགའ། །སྐྱིད་ བདེ\nསྡུག', 4],
    ['ཀ1ཁ', 2],
    ['དགའའམ', 1],
    ['བཀྲཤིསབདེ', 3],
    ['བཀྲཤིསབདེལེགས', 5],
  ])('%s holds %i Tibetan syllables', (text, syllables) => {
    expect(scriptCounts(text)).toEqual({ tibetan: syllables, chinese: 0 });
  });

  test('each Han character counts once, in whatever plane', () => {
    expect(scriptCounts('人々𠮷𪚥〇，。ab12')).toEqual({ tibetan: 0, chinese: 5 });
  });

  test('tells which scripts a text holds at all', () => {
    expect(hasScript('ང་ལ་《红楼梦》ཡོད།', 'chinese')).toBe(true);
    expect(hasScript('བོད་ 中文中文', 'tibetan')).toBe(true);
    expect(hasScript('中文', 'tibetan')).toBe(false);
    expect(hasScript('བོད', 'chinese')).toBe(false);
  });

  test('a link, a tag or a name changes nothing of it', () => {
    const aside = fc.constantFrom(
      'https://例子.中国/西藏',
      'www.example.cn/西藏?a=བོད',
      '#西藏',
      '#བོད་ཡིག',
      '@西藏',
      'a@example.cn',
    );
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom('བོད་', '中文', '。', '། ', 'OK ', '\n')),
        aside,
        fc.nat(),
        (parts, other, at) => {
          const cut = at % (parts.length + 1);
          const [before, after] = [parts.slice(0, cut).join(''), parts.slice(cut).join('')];
          expect(scriptCounts(`${before} ${other} ${after}`)).toEqual(scriptCounts(`${before} ${after}`));
        },
      ),
    );
  });

  test('a text has a language exactly when one of the scripts is in it', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        const language = dominantLanguage(text);
        const found = hasScript(text, 'tibetan') || hasScript(text, 'chinese');
        expect(language !== undefined).toBe(found);
        if (language === undefined) return;
        const counts = scriptCounts(text);
        expect(hasScript(text, language)).toBe(true);
        expect(counts[language]).toBeGreaterThanOrEqual(counts[otherLanguage(language)]);
      }),
    );
  });
});

test('each language is the other of the other', () => {
  expect(otherLanguage('tibetan')).toBe('chinese');
  expect(otherLanguage('chinese')).toBe('tibetan');
});

describe('a book', () => {
  const latin = 'No word of it counts here. '.repeat(2000);
  test.each([
    [
      'is Tibetan with a Chinese preface',
      `${'这是前言。'.repeat(1000)}${'བོད་ཡིག་'.repeat(20_000)}`,
      'tibetan',
    ],
    [
      'is Chinese with a Tibetan preface',
      `${'བོད་ཡིག་'.repeat(2000)}${'这是正文。'.repeat(20_000)}`,
      'chinese',
    ],
    ['is in the language of its only words', `${latin}བཀྲ་ཤིས།${latin}`, 'tibetan'],
    ['is in that of its last words', `${latin}${latin}扎西。`, 'chinese'],
    ['is in neither, but for its links', `${latin}https://x.cn/བོད ${latin}`, undefined],
  ] as const)('%s', (_, text, language) => {
    expect(dominantLanguage(text)).toBe(language);
    expect(language === undefined || hasScript(text, language)).toBe(true);
  });
});
