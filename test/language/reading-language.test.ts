/** What people call the language of a photo, after /ocr and in a caption. */
import { describe, expect, test } from 'vitest';
import { parseReadingLanguage, readingLanguageIn } from '../../src/language/reading-language.ts';
import type { Language } from '../../src/language/script.ts';

describe('after /ocr', () => {
  test.each<[Language, string]>([
    ['tibetan', 'བོད་ཀྱི་ཡི་གེ | bo | BO | Tibetan | 藏文 | 藏语 | 藏語 | 藏 | 藏话 | བོད | བོད་ | བོད་ཡིག | བོད༌ཡིག།'],
    ['tibetan', 'བོད་སྐད | (བོད་ཡིག) | དབུ་ཅན | དབུ་མེད | bod yig | Zàngwén'],
    [
      'chinese',
      'zh | ZH | Chinese | ｃｈｉｎｅｓｅ | 中文 | 汉 | 漢 | 汉语 | 汉文 | 漢文 | 汉字 | 普通话 | 國語 | 中國話',
    ],
    ['chinese', '汉话 | 漢話 | cn | 简体 | 繁體 | 简体中文 | hanyu | རྒྱ་ཡིག | རྒྱ་སྐད། | ཧན་ཡིག | ཧན་སྐད | རྒྱའི་སྐད'],
    ['chinese', 'རྒྱའི་ཡི་གེ | རྒྱ་མིའི་ཡི་གེ'],
  ])('%s is what each of these names: %s', (language, names) => {
    for (const name of names.split(' | ')) expect(parseReadingLanguage(name), name).toBe(language);
  });

  test.each(['', 'english', 'amdo', '文', 'ཡིག', 'བོད་ལྗོངས'])('"%s" names neither', (word) => {
    expect(parseReadingLanguage(word)).toBeUndefined();
  });
});

describe('in a caption', () => {
  test.each([
    ['chinese', 'chinese'],
    ['@lotsawa_bot zh', 'chinese'],
    ['zh, please', 'chinese'],
    ['please read this (Chinese)!', 'chinese'],
    ['@lotsawa_bot读中文', 'chinese'],
    ['请识别图片里的汉字。', 'chinese'],
    ['读zh的', 'chinese'],
    ['汉 @lotsawa_bot', 'chinese'],
    ['རྒྱ་ཡིག་ཀློག་རོགས།', 'chinese'],
    ['པར་འདིའི་ཧན་ཡིག་ཀློག་རོགས།', 'chinese'],
    ['请读國語', 'chinese'],
    ['請辨識圖片裡的漢字', 'chinese'],
    ['中國話', 'chinese'],
    ['這是藏文經書', 'tibetan'],
    ['བོད་ཀྱི་ཡི་གེ་ཀློག་རོགས།', 'tibetan'],
    ['Tibetan?', 'tibetan'],
    ['bo @lotsawa_bot', 'tibetan'],
    ['这是藏文经书', 'tibetan'],
    ['cn', 'chinese'],
    ['请按简体识别', 'chinese'],
    ['དབུ་ཅན་ཀློག་རོགས།', 'tibetan'],
    ['བོད', 'tibetan'],
    ['པར་འདིའི་བོད་ཡིག་ཀློག་རོགས།', 'tibetan'],
    ['བོད། @lotsawa_bot', 'tibetan'],
    ['༼བོད༽', 'tibetan'],
  ])('%s', (caption, language) => {
    expect(readingLanguageIn(caption)).toBe(language);
  });

  test('the first of two languages is the one to read', () => {
    expect(readingLanguageIn('from Tibetan into Chinese')).toBe('tibetan');
    expect(readingLanguageIn('中文翻译成藏文')).toBe('chinese');
  });

  test.each([
    ['an empty caption', ''],
    ['only a mention, whatever the name holds', '@bo @zh_reader_bot'],
    ['a link', 'https://example.org/zh/bo'],
    ['the end of an address', 'www.tibet.cn'],
    ['Latin words that begin alike', 'bold zhang Tibetans'],
    ['the culture of Tibet, which holds the characters of 藏文', '西藏文化'],
    ['a place and a people with 汉', '武汉的汉族朋友'],
    ['a country with བོད', 'བོད་ལྗོངས་ཀྱི་པར།'],
    ['characters that stand for both languages', '藏汉对照'],
    ['the end of another syllable', 'ཀབོད་ཡིག'],
    ['the beginning of another syllable', 'བོད་ཡིགས'],
  ])('is none in %s', (_, caption) => {
    expect(readingLanguageIn(caption)).toBeUndefined();
  });
});
