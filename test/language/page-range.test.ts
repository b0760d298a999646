/** Pages as people write them. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type DocumentWords, documentWords } from '../../src/language/page-range.ts';
import {
  markedLike,
  PAGE_MARK,
  runsOfPages,
  textOfRuns,
  withPageMarks,
} from '../../src/language/reading/page-marks.ts';
import type { Language } from '../../src/language/script.ts';

const END = Number.MAX_SAFE_INTEGER;

/** Pages of which a negative one is counted from the end. */
const written = (ranges: DocumentWords['ranges']): string | undefined =>
  ranges
    ?.map(([first, last]) => (first === last ? `${first}` : `${first} to ${last === END ? 'the end' : last}`))
    .join(', ');

describe('words beside a document', () => {
  it.each([
    ['３－１２', '3 to 12'],
    ['5', '5'],
    ['0', '0'],
    ['1,3,7-9', '1, 3, 7 to 9'],
    ['p. 4 and 6', '4, 6'],
    ['ཤོག་ངོས་ ༣-༡༢', '3 to 12'],
    ['10-', '10 to the end'],
    ['please read only page 3', '3'],
    ['请读第3页', '3'],
    ['第三页', '3'],
    ['第三至十二页', '3 to 12'],
    ['第十、二十和九十九页', '10, 20, 99'],
    ['第一百零五到两百二十页', '105 to 220'],
    ['第一〇五页', '105'],
    ['前三页', '1 to 3'],
    ['最后一页', '-1'],
    ['最後三頁', '-3 to -1'],
    ['倒数第二页', '-2'],
    ['第3页到最后一页', '3 to -1'],
    ['the first 3 pages', '1 to 3'],
    ['the last page', '-1'],
    ['ཤོག་ངོས་གསུམ་པ', '3'],
    ['ཤོག་ངོས་དང་པོ་ནས་བཅོ་ལྔ་པ་བར།', '1 to 15'],
    ['ཤོག་ངོས་ཉི་ཤུ་རྩ་གསུམ་དང་བརྒྱད་ཅུ་གྱ་བཞི།', '23, 84'],
    ['ཤོག་གྲངས་བརྒྱ་སོ་གཅིག', '131'],
    ['ཤོག་ངོས་མཐའ་མ', '-1'],
  ])('%s: pages %s', (words, pages) => {
    const { ranges, ...others } = documentWords(words);
    expect(written(ranges)).toBe(pages);
    expect(others).toMatchObject({ language: undefined, isInBoth: false, areUnderstood: true });
  });

  it.each([
    ...['中文3-12', '中文第3-12页', '用中文读第3至12页', '中文、三至十二页', 'in Chinese, pages 3-12'],
    ...[
      'pages 3 to 12 in Chinese',
      '（中文）3-12',
      'Chinese: 3-12',
      'རྒྱ་ཡིག་ཤོག་ངོས་༣-༡༢',
      '简体 3..12',
      'cn 3-12',
    ],
    'རྒྱ་ཡིག་ཤོག་ངོས་གསུམ་པ་ནས་བཅུ་གཉིས་པ་བར་',
  ])('%s: pages and a language', (words) => {
    expect(documentWords(words)).toMatchObject({
      language: 'chinese',
      ranges: [[3, 12]],
      areUnderstood: true,
    });
  });

  it.each<[string, boolean]>([
    ['用中文读', true],
    ['in Chinese', true],
    ['请用中文读这本书', false],
    ['我的中文书 2024', false],
  ])('%s: a language, and no pages', (words, areUnderstood) => {
    expect(documentWords(words)).toMatchObject({
      language: 'chinese',
      isInBoth: false,
      ranges: undefined,
      areUnderstood,
    });
  });

  it.each([
    ['ocr', undefined],
    ['ཀློག', undefined],
    ['识别 2', [[2, 2]]],
    ['scan 2', [[2, 2]]],
  ])('%s: recognised in spite of its text', (words, ranges) => {
    expect(documentWords(words)).toMatchObject({ isForced: true, ranges, areUnderstood: true });
  });

  it.each([
    ['password: Tashi-24', undefined],
    ['密码：“Tashi-24” zh', 'chinese'],
    ['Tashi-24', undefined],
    ['གསང་གྲངས། Tashi-24', undefined],
    ['pw Tashi-24', undefined],
  ])('%s: a password', (words, language) => {
    const { passwords, ...others } = documentWords(words);
    expect(passwords.map(({ text }) => text)).toContain('Tashi-24');
    expect(others).toMatchObject({ language, isForced: false });
  });

  it('a single word that looks like a page may be a password', () => {
    expect(documentWords('1234').passwords).toEqual([{ text: '1234', ranges: undefined }]);
  });

  it.each([
    ['2-3 Zx9-khata', ['Zx9-khata'], [[2, 3]]],
    ['Zx9-khata 2-3', ['Zx9-khata'], [[2, 3]]],
    ['zh Zx9-khata', ['Zx9-khata'], undefined],
    ['中文 Zx9-khata 第三页', ['Zx9-khata'], [[3, 3]]],
    ['Zx9-khata ཤོག་ངོས་གསུམ་པ', ['Zx9-khata'], [[3, 3]]],
    ['ocr Zx9-khata', ['Zx9-khata'], undefined],
    ['2-3 “Zx9-khata”', ['“Zx9-khata”', 'Zx9-khata'], [[2, 3]]],
    ['བཀྲ་ཤིས་༡༢ 5', ['བཀྲ་ཤིས་༡༢'], [[5, 5]]],
    [
      '1,3,7-9 2024!',
      ['2024!'],
      [
        [1, 1],
        [3, 3],
        [7, 9],
      ],
    ],
    ['my book, Zx9-khata', ['my', 'book,', 'book', 'Zx9-khata'], undefined],
    ['password Zx9-khata 2-3', ['Zx9-khata'], [[2, 3]]],
    ['2-3\nZx9-khata\nzh', ['Zx9-khata'], [[2, 3]]],
  ])('%s: each word that is no page, language or order may be the password', (words, texts, ranges) => {
    const { passwords } = documentWords(words);
    expect(passwords.map(({ text }) => text)).toEqual([...new Set(texts)]);
    expect(passwords.at(-1)?.ranges).toEqual(ranges);
  });

  it('a caption is tried as twenty passwords at most', () => {
    const words = Array.from({ length: 40 }, (_, index) => `w${index}x`).join(' ');
    expect(documentWords(words).passwords).toHaveLength(20);
  });

  it.each(['both 3-12', '3-12 གཉིས་ཀ', '两种 3至12页'])('%s: pages, in both languages', (words) => {
    expect(documentWords(words)).toMatchObject({ isInBoth: true, ranges: [[3, 12]], areUnderstood: true });
  });

  it.each([
    ...[
      '最后',
      'last',
      'ང་ལ་ཤོག་བུ་གཅིག་དགོས།',
      'Annual report 2024',
      'what does page three say?',
      '今天天气很好',
    ],
    ...['1-2-3', 'a'.repeat(5000)],
  ])('%s: no pages', (words) => {
    expect(documentWords(words)).toMatchObject({ ranges: undefined, areUnderstood: false });
  });

  it('a page range reads the same in every wording', () => {
    const page = fc.integer({ min: 1, max: 999 });
    const forms = fc.constantFrom(
      ...['F-L', 'F–L', 'F..L', 'F…L', 'F 到 L', 'F to L', 'pages F - L', '(F-L)', 'p. F-L', 'pages: F-L'],
      ...['第F至L页', '（第F-L页）', '请读第F-L页', 'ཤོག་ངོས་ F-L', 'ཤོག་ངོས་F་ནས་L་བར་', 'ཤོག་ངོས་FནསLབར་'],
    );
    const names = fc.constantFrom<[string, Language]>(
      ...(['zh', 'Chinese', '中文'] as const).map((name): [string, Language] => [name, 'chinese']),
      ...(['Tibetan', '藏文', 'བོད་ཡིག'] as const).map((name): [string, Language] => [name, 'tibetan']),
    );
    const between = fc.constantFrom(' ', ',', '，', '、', ', ', '\n');
    const named = fc.option(fc.tuple(names, between, fc.boolean()), { nil: undefined });
    fc.assert(
      fc.property(page, page, forms, named, (one, other, form, beside) => {
        const pages = form.replace('F', String(one)).replace('L', String(other));
        const [[name, language] = ['', undefined], join = '', isFirst = true] = beside ?? [];
        expect(documentWords(isFirst ? name + join + pages : pages + join + name)).toMatchObject({
          language,
          isInBoth: false,
          ranges: [[Math.min(one, other), Math.max(one, other)]],
          areUnderstood: true,
        });
      }),
      { numRuns: 300 },
    );
  });

  it('every page up to 999 in Chinese words, up to 199 in Tibetan ones', () => {
    const digits = [...'零一二三四五六七八九'];
    const inChinese = (page: number): string => {
      const [hundreds, tens, ones] = [Math.floor(page / 100), Math.floor(page / 10) % 10, page % 10];
      const rest = tens > 0 ? `${digits[tens]}十` : ones > 0 && hundreds > 0 ? '零' : '';
      return (hundreds > 0 ? `${digits[hundreds]}百` : '') + rest + (ones > 0 ? digits[ones] : '');
    };
    const names = ['', ...['གཅིག', 'གཉིས', 'གསུམ', 'བཞི', 'ལྔ', 'དྲུག', 'བདུན', 'བརྒྱད', 'དགུ']];
    const tens = ['', '', 'ཉི་ཤུ', 'སུམ་ཅུ', 'བཞི་བཅུ', 'ལྔ་བཅུ', 'དྲུག་ཅུ', 'བདུན་ཅུ', 'བརྒྱད་ཅུ', 'དགུ་བཅུ'];
    const links = ['', '', 'རྩ', 'སོ', 'ཞེ', 'ང', 'རེ', 'དོན', 'གྱ', 'གོ'];
    const inTibetan = (page: number): string => {
      const [ten, one] = [Math.floor(page / 10) % 10, page % 10];
      const small = ten === 1 ? ['བཅུ', names[one]] : [tens[ten], one > 0 ? links[ten] : '', names[one]];
      return [page >= 100 ? 'བརྒྱ' : '', ...small].filter((word) => word !== '').join('་');
    };
    for (let page = 1; page < 1000; page += 1)
      expect(documentWords(`第${inChinese(page)}页`).ranges, inChinese(page)).toMatchObject([[page, page]]);
    for (let page = 1; page < 200; page += 1)
      expect(documentWords(`ཤོག་ངོས་${inTibetan(page)}`).ranges, inTibetan(page)).toMatchObject([[page, page]]);
  });

  it('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'grapheme' }), (words) => void documentWords(words)));
  });
});

it('pages under their marks are known again as pages', () => {
  const line = fc.constantFrom('བོད་ཡིག', 'རྒྱལ་པོ་སྐྱེས།', '今天天气很好。', '');
  fc.assert(
    fc.property(fc.array(line, { minLength: 1 }), (texts) => {
      const marked = withPageMarks(texts.map((text, index) => ({ number: index + 1, text })));
      expect(marked.split(PAGE_MARK).map((page) => page.trim())).toEqual(['', ...texts]);
    }),
  );
  expect('a — 1 —\nb'.search(PAGE_MARK)).toBe(-1);
});

it('a translation has its page marks where its original has them', () => {
  const pages = ['一。', '', '二，', '三。', '四。\n五。'].map((text, index) => ({
    number: index + 1,
    text,
  }));
  const runs = runsOfPages(pages, ['一。', '', '二，三。', '', '四。\n五。']);
  expect(textOfRuns(runs)).toBe('一。\n\n二，三。\n\n四。\n五。');
  const marked = '———— 1 ————\na\n\n———— 2 ————\n\n———— 3–4 ————\nb\n\n———— 5 ————\nc\nd';
  expect(markedLike(runs, 'a\n\nb\n\nc\nd')).toBe(marked);
  expect(markedLike(runs, 'a\n\nb\n\nc d')).toBe(marked.replace('c\nd', 'c d'));
  expect(markedLike(runs, 'a b c d')).toBeUndefined();
});
