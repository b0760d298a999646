import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { printedWidth } from '../../src/language/reading/line.ts';
import { readingOf, readingsOfPages } from '../../src/language/reading/reading.ts';

/** Real syllables; none ends in ག or ཀ, after which the shad is left out and a line's end cannot be told from a phrase's. */
const SYLLABLES =
  'རྒྱལ པོ དེ ནས ཡུལ མི ཚང མ དགའ བའི སེམས ཀྱིས ལྷ ས ར བྱོན ཏེ སློབ དཔོན ལ ཞུས པས བཀའ གནང བ ཆོས ཀྱི འཁོར ལོ བསྐོར ཞིང གནས སུ བྱམས སྙིང རྗེ ཆེན དང ལྡན'.split(
    ' ',
  );
const tibetanPhrase = (minLength: number, maxLength: number) =>
  fc
    .array(fc.constantFrom(...SYLLABLES), { minLength, maxLength })
    .map((syllables) => `${syllables.join('་')}${syllables.at(-1)?.endsWith('ང') ? '་' : ''}།`);
/** Of different lengths, as in prose: phrases of one length are verse. */
const tibetanSentence = tibetanPhrase(3, 17);
const PHRASES =
  '今天 天气 很好 我们 一起 到 拉萨 去 看 布达拉宫 他 说 这里 的 人 都 喜欢 喝茶 学校 老师 教 孩子 读书 写字 高原 上 阳光 非常 明亮 湖水 碧蓝'.split(
    ' ',
  );
const chineseSentence = fc
  .tuple(
    fc.array(fc.constantFrom(...PHRASES), { minLength: 3, maxLength: 9 }),
    fc.array(fc.constantFrom(...PHRASES), { minLength: 2, maxLength: 8 }),
  )
  .map(([first, second]) => `${first.join('')}，${second.join('')}。`);

/** The lines of a column of this many code points, broken after a tsheg, a space or a Chinese character, as a printer would. */
function wrapped(prose: string, width: number, isBare: boolean): string[] {
  const lines = [''];
  const units = prose.match(/\p{Script=Han}[，。]?|[^\s་\p{Script=Han}]+་?།? ?/gu) ?? [];
  for (const unit of units) {
    const line = lines.at(-1) ?? '';
    if (line !== '' && [...`${line}${unit}`.trimEnd()].length > width) lines.push(unit);
    else lines[lines.length - 1] = `${line}${unit}`;
  }
  return lines.map((line) => line.trimEnd().replace(/་$/u, isBare ? '' : '་'));
}

/** In code points, with the shad or the full stop after it and the space before it. */
const MAX_WORD_LENGTH = 9;

/** Where what ends in a mark at a line's end is four times in a row of one length, by chance, nothing tells it from verse. */
function isLikeVerse(lines: readonly string[]): boolean {
  const lengths = lines
    .join('\n')
    .split(/(?<=[།。，])\n/u)
    .map((text) => text.match(/\p{Script=Han}|[^\s་།。，\p{Script=Han}]+/gu)?.length ?? 0);
  const isAlike = lengths.slice(1).map((length, index) => Math.abs(length - (lengths[index] ?? 0)) <= 1);
  return isAlike.some((isLike, at) => isLike && isAlike[at + 1] && isAlike[at + 2]);
}

/** Also such as no line can have. */
const anyBox = fc.record({ left: fc.double(), top: fc.double(), width: fc.double(), height: fc.double() });

type Lines = readonly string[];

/** Boxes of lines of full characters; those that begin with `　` stand as far in. */
const standing = (lines: Lines) =>
  lines.map((line, index) => {
    const text = line.replace(/^　*/u, '');
    return {
      left: 100 + (line.length - text.length) * 30,
      top: index * 50,
      width: text.length * 30,
      height: 30,
    };
  });

/** Boxes of lines with one left edge, by their right edges in em; lines from `from` on stand lower by `gap`. */
function endingAt(rights: readonly number[], [from, gap] = [0, 0]) {
  const topOf = (index: number) => index * 50 + (index >= from ? gap : 0);
  return rights.map((right, index) => ({ left: 60, top: topOf(index), width: right * 30, height: 30 }));
}

describe('the reading of a page', () => {
  it.each<[string, readonly Lines[], string?]>([
    [
      'joins Chinese, and keeps a heading and the short end of a paragraph',
      [['第一章'], ['今天我们去拉萨看布达拉', '宫。明天回来。'], ['他说很好。']],
    ],
    [
      'joins Latin with a space',
      [['The lotsawa translated the text into', 'Tibetan and read it aloud to all who', 'came to hear.']],
      ' ',
    ],
    [
      'goes on with a line that chances to begin with a number',
      [
        [
          '今天天气很好我们一起到拉萨去看',
          '3、4次布达拉宫他说这里的人都喜',
          '欢，学校的老师每天教孩子写字。',
        ],
      ],
    ],
    ['keeps items of a list of which one was not recognised', [['1. 苹果'], ['2. 香蕉'], ['4. 梨']]],
    [
      'keeps lines that end in a visarga, as those of mantras and treasure texts do',
      [
        ['ཨོ་རྒྱན་ཡུལ་གྱི་ནུབ་བྱང་མཚམསཿ'],
        ['པདྨ་གེ་སར་སྡོང་པོ་ལཿ'],
        ['ཡ་མཚན་མཆོག་གི་དངོས་གྲུབ་བརྙེསཿ'],
        ['པདྨ་འབྱུང་གནས་ཞེས་སུ་གྲགསཿ'],
        ['གུ་རུ་པདྨ་སིདྡྷི་ཧཱུྃཿ'],
      ],
    ],
    [
      'takes the narrow marks of a keyboard for Chinese ones after a Chinese character',
      [
        ['今天我们去拉萨看布达拉', '宫，他说这里的人都喜欢', '喝茶，明天天气好;'],
        ['学校的老师每天教孩子们', '读书写字，晚上回家。'],
      ],
    ],
  ])('%s', (_, blocks, space = '') => {
    expect(readingOf(blocks.flat())).toBe(blocks.map((lines) => lines.join(space)).join('\n'));
  });

  /** Lines of these lengths, in code points, without a mark at their ends. */
  const ofLengths = (lengths: readonly number[], units: readonly string[]): string[] =>
    lengths.map((length, line) => {
      let text = '';
      for (let at = line * 3; [...text].length < length; at += 1) text += units[at % units.length];
      return text;
    });

  describe.each<[string, readonly string[]]>([
    ['Chinese', [...'今天天气很好我们一起到拉萨去看布达拉宫他说这里的人都喜欢喝茶学校老师']],
    ['Tibetan', SYLLABLES.map((syllable) => `${syllable}་`)],
  ])('with a line of %s far longer than the others', (_, units) => {
    it.each([
      ['two lines read as one', [200, 200, 600, 205, 198, 80]],
      ['a heading over columns, first', [95, 40, 41, 40, 39, 40, 12]],
      ['the last', [30, 30, 30, 30, 29, 30, 75]],
      ['before the last', [34, 34, 33, 34, 34, 90, 8]],
      ['two of many', [90, 40, 40, 41, 40, 40, 88, 40, 40, 41, 40, 15]],
      ['in a narrow column', [32, 31, 32, 70, 32, 32, 31, 4]],
    ])('the others are joined: %s', (_, lengths) => {
      const lines = ofLengths(lengths, units);
      expect(readingOf(lines).split('\n').length).toBeLessThanOrEqual(2);
      const boxes = endingAt(lines.map((line) => printedWidth(line)));
      expect(readingOf(lines, { boxes }).split('\n').length).toBeLessThanOrEqual(2);
    });
  });

  it.each([
    [
      'a note under names',
      ['扎西', '卓玛', '次仁', '白玛', '德吉', '以上五位同学明天早上八点在学校门口集合去拉萨'],
    ],
    [
      'a note under short items',
      ['苹果', '梨', '酥油', '糌粑', '茶叶', '今天下午我们要在市场上买的东西都写在上面'],
    ],
    [
      'a long item at the end',
      ['酥油两斤', '青稞一袋', '糌粑三斤', '牛肉半头', '盐一包', '从拉萨寄来的那一大包上等的茶叶'],
    ],
    [
      'a long sentence of a talk',
      ['你好吗？', '我很好。', '我昨天从拉萨坐了三天的车才回到这里。', '是吗？', '是的。', '再见！'],
    ],
    [
      'a stanza and its source',
      [
        '床前明月光，',
        '疑是地上霜。',
        '举头望明月，',
        '低头思故乡。',
        '选自唐代诗人李白的诗集里面最有名的一首',
      ],
    ],
  ])('short lines stay beside a far longer one: %s', (_, lines) => {
    expect(readingOf(lines)).toBe(lines.join('\n'));
    const boxes = endingAt(lines.map((line) => printedWidth(line)));
    expect(readingOf(lines, { boxes })).toBe(lines.join('\n'));
  });

  it('a reading drops the spaces between characters, not a list’s', () => {
    const spaced = [
      '今 天 天 气 很 好 ， 我 们 去',
      '拉 萨 看 布 达 拉 宫 。  明 天',
      '回 来。 བཀྲ་ཤིས། དེ་ནས།',
    ];
    expect(readingOf(spaced)).toBe('今天天气很好，我们去拉萨看布达拉宫。  明天回来。 བཀྲ་ཤིས། དེ་ནས།');
    expect(readingOf(['目 录', '张三 李四 王五 赵六'])).toBe('目 录\n张三 李四 王五 赵六');
  });

  it.each<[string, (at: number) => string]>([
    ['numbers', (at) => `${at + 7}、`],
    ['numbers with a point', (at) => `${at}. `],
    ['numbers with a space', (at) => `${at} `],
    ['wide numbers in brackets', (at) => `（${at}）`],
    ['numbers in circles', (at) => String.fromCodePoint(0x2460 + at - 1)],
    ['Tibetan numbers', (at) => `${String.fromCodePoint(0x0f20 + at)} `],
    ['Tibetan letters', (at) => `${'ཀཁགངཅཆཇཉཏ'[at - 1]}༽ `],
    ['Chinese numbers', (at) => `${'九 十 十一 十二 十三 十四 十五 十六 十七'.split(' ')[at - 1]}、`],
    ['chapters', (at) => `第${'九 十 十一 十二 十三 十四 十五 十六 十七'.split(' ')[at - 1]}章`],
    ['equal marks', () => '• '],
  ])('of a list wrapped at any width is its items, whatever ends the one before: %s', (_, markOf) => {
    for (const body of [
      '今天天气很好我们一起到拉萨去看\n达拉宫（学校的老师学生们投稿）',
      'རྒྱལ་པོ་དེ་ནས་ཡུལ་མི་ཚང་མ་དགའ་བའི་\nསེམས་ཀྱིས་ལྷ་ས་ར་བྱོན་ཏེ་སློབ་དཔོན་',
    ]) {
      const items = [1, 2, 3].map((at) => markOf(at) + body);
      const joined = items.map((item) => item.replace('\n', ''));
      expect(readingOf(items.join('\n').split('\n'))).toBe(joined.join('\n'));
    }
    const sentence = fc.constantFrom(tibetanSentence, chineseSentence).chain((kind) => kind);
    const item = fc
      .tuple(sentence, fc.constantFrom('', '）', '，', '་'))
      .map(([text, end]) => text.slice(0, -1) + end);
    fc.assert(
      fc.property(
        fc.array(item, { minLength: 2, maxLength: 9 }),
        fc.integer({ min: 20, max: 60 }),
        (items, width) => {
          const marked = items.map((text, index) => `${markOf(index + 1)}${text}`);
          const lines = readingOf(marked.flatMap((text) => wrapped(text, width, false))).split('\n');
          const starts = marked.map((text) => text.slice(0, 4).trim());
          expect(lines.flatMap((line) => starts.find((start) => line.startsWith(start)) ?? [])).toEqual(
            starts,
          );
        },
      ),
    );
  });

  it('a lone shad joins the line before it', () => {
    const [first, second] = ['རྒྱལ་པོ་དེ་ནས་ཡུལ་མི་ཚང་མ་དགའ', 'བློན་པོ་ལྷ་ས་ར་བྱོན་ནོ།'];
    const lines = [first, '།', second, '། །'];
    const joined = `${first}། ${second} ། །`;
    expect(readingOf(lines)).toBe(joined);
    const paragraphs = [[0], [1, 2, 3]];
    expect(readingOf(lines, { paragraphs })).toBe(joined.replace('། བློན', '།\nབློན'));
    const boxes = [
      { left: 60, top: 0, width: 400, height: 30 },
      { left: 470, top: 2, width: 10, height: 26 },
      { left: 60, top: 50, width: 380, height: 30 },
      { left: 450, top: 52, width: 20, height: 26 },
    ];
    expect(readingOf(lines, { boxes })).toBe(joined);
  });

  it("lets the service's paragraphs decide, and reads columns in their order", () => {
    expect(readingOf(['一二三', '四五六。', '七八九'], { paragraphs: [[0, 1], [2]] })).toBe(
      '一二三四五六。\n七八九',
    );
    expect(
      readingOf(['左边一', '右边一', '左边二', '右边二'], {
        paragraphs: [
          [0, 2],
          [1, 3],
        ],
      }),
    ).toBe('左边一左边二\n右边一右边二');
    expect(readingOf(['一', '二'], { paragraphs: [[0, 7]] })).toBe(readingOf(['一', '二']));
  });

  const readingsOf = (pages: readonly Lines[], signal?: AbortSignal) =>
    readingsOfPages(
      pages.map((lines) => ({ lines })),
      signal,
    );

  it("joins a sentence across a page's edge, without the page's number", async () => {
    const pages = [['时候既然是深冬，渐近故', '乡时，天气又阴晦了，冷', '12'], ['风吹进船舱中，呜呜的响。']];
    expect(await readingsOf(pages)).toEqual([
      '时候既然是深冬，渐近故乡时，天气又阴晦了，冷风吹进船舱中，呜呜的响。',
      '',
    ]);
    expect(await readingsOf([['他回来了。'], ['第二页']])).toEqual(['他回来了。', '第二页']);
  });

  it("of a newspaper's page joins its lines", async () => {
    const lines = Array<string>(1000).fill('时候既然是深冬，渐近故乡时天气又阴晦了冷风吹进船舱中');
    expect(await readingsOf([lines])).toEqual([lines.join('')]);
  });

  it.each([
    ['letters', Array<string>(1000).fill('时候既然是深冬，渐近故乡时，天气又阴晦了，'.repeat(2))],
    ['lines', Array<string>(1001).fill('时候既然是深冬，渐近故乡时，天气又阴晦了，')],
  ])('of a page with more %s than paper holds is the page', async (_, lines) => {
    const page = ['他回来', '了。'];
    expect(await readingsOf([page, lines, page])).toEqual(['他回来了。', lines.join('\n'), '他回来了。']);
  });

  it('is given up when the request is cancelled', async () => {
    await expect(readingsOf([['一']], AbortSignal.abort())).rejects.toMatchObject({ kind: 'cancelled' });
  });

  it.each([
    ['Tibetan', fc.constant(tibetanSentence)],
    ['Chinese', fc.constant(chineseSentence)],
    ['mixed', fc.constantFrom(tibetanSentence, chineseSentence)],
  ])('%s prose wrapped at any width reads as the prose', (_, kinds) => {
    const sentences = fc.array(
      kinds.chain((kind) => kind),
      { minLength: 40, maxLength: 60 },
    );
    fc.assert(
      fc.property(sentences, fc.integer({ min: 20, max: 80 }), fc.boolean(), (parts, width, isBare) => {
        const prose = parts.reduce((text, part) => `${text}${text.endsWith('།') ? ' ' : ''}${part}`);
        const lines = wrapped(prose, width, isBare);
        fc.pre(!isLikeVerse(lines));
        expect(readingOf(lines)).toBe(prose);
      }),
      { numRuns: 100 },
    );
  });

  it.each([7, 9, 11])('verse of %i syllables broken at any width reads as the verse', (metre) => {
    const verses = fc.array(tibetanPhrase(metre, metre), { minLength: 8, maxLength: 40 });
    fc.assert(
      fc.property(verses, fc.integer({ min: 20, max: 80 }), fc.boolean(), (verse, width, isBare) => {
        expect(readingOf(verse.flatMap((text) => wrapped(text, width, isBare)))).toBe(verse.join('\n'));
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['Tibetan', tibetanSentence, ' '],
    ['Chinese', chineseSentence, ''],
  ])('%s paragraphs broken at any width read as the paragraphs', (_, sentence, space) => {
    const paragraph = fc
      .array(sentence, { minLength: 6, maxLength: 12 })
      .map((sentences) => sentences.join(space));
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 4, maxLength: 10 }),
        fc.integer({ min: 20, max: 60 }),
        fc.boolean(),
        (paragraphs, width, isBare) => {
          const ofParagraphs = paragraphs.map((text) => wrapped(text, width, isBare));
          const lines = ofParagraphs.flat();
          fc.pre(!isLikeVerse(lines));
          fc.pre(
            ofParagraphs.every((ofParagraph) => (ofParagraph.at(-1) ?? '').length < width - MAX_WORD_LENGTH),
          );
          expect(readingOf(lines)).toBe(paragraphs.join('\n'));
        },
      ),
      { numRuns: 100 },
    );
  });

  it('takes the second shad of a pair to the phrase that it opens', () => {
    const lines = ['དེ་ནས་རྒྱལ་པོས་བཀའ་སྩལ་ཏོ། །ལྷའི་བུ་', 'རྣམས་ཀྱིས་གསོལ་པ་བཏབ་པོ། །', 'བཅོམ་ལྡན་འདས་ལ་ཕྱག་འཚལ་ལོ། །དེ་ནས།'];
    const paragraphs = [[0, 1, 2]];
    expect(readingOf(lines, { paragraphs })).toBe(lines.join(''));
    expect(readingOf(['དེ་ནས་བཀའ་སྩལ་ཏོ། །ལྷའི་བུ་ཞུས་སོ།', 'དེ་ནས་བྱོན།'], { paragraphs: [[0, 1]] })).toBe(
      'དེ་ནས་བཀའ་སྩལ་ཏོ། །ལྷའི་བུ་ཞུས་སོ། དེ་ནས་བྱོན།',
    );
  });

  it('indented Chinese paragraphs are found by the places of their lines', () => {
    const paragraph = fc
      .array(chineseSentence, { minLength: 1, maxLength: 6 })
      .map((sentences) => sentences.join(''));
    fc.assert(
      fc.property(
        fc.array(paragraph, { minLength: 5, maxLength: 12 }),
        fc.integer({ min: 14, max: 40 }),
        fc.integer({ min: 20, max: 60 }),
        (paragraphs, width, px) => {
          const ofParagraphs = paragraphs.map((text) =>
            wrapped(`口口${text}`, width, false).map((line) => line.replace('口口', '')),
          );
          const lines = ofParagraphs.flat();
          const indents = ofParagraphs.flatMap((own) => own.map((_, index) => (index === 0 ? 2 : 0)));
          fc.pre(!isLikeVerse(lines));
          // Where nearly every line ends in a mark, by chance, nothing tells them from the lines of a list.
          fc.pre(lines.filter((line) => !/[，。]$/u.test(line)).length > lines.length / 5);
          const boxes = lines.map((line, index) => ({
            left: 100 + (indents[index] ?? 0) * px,
            top: 90 + index * 1.6 * px,
            width: line.length * px,
            height: px,
          }));
          expect(readingOf(lines, { boxes })).toBe(paragraphs.join('\n'));
        },
      ),
      { numRuns: 100 },
    );
  });

  it.each<[string, readonly Lines[]]>([
    [
      'joins the lines of an answer that stands further in, though one ends with its sentence at the edge',
      [
        ['今天天气很好，我们到拉萨', '去看。'],
        [
          '　　　　　　他说这里的人都喜欢喝茶，学',
          '　　　　　　校的老师每天教孩子们读书。',
          '　　　　　　明天早晨我们再回来。',
        ],
        ['好，一起去，明天早晨再到', '学校。'],
      ],
    ],
    [
      'joins the one paragraph of several lines among many of a single line, which all begin further in',
      [
        ['　　他拉萨教，孩子去布达拉宫。'],
        ['　　读书都都到他孩子，写字非常很好。'],
        ['　　天气湖水非常孩子都去很好，天气我们阳光学', '校拉萨写字，去高原。'],
        ['　　他拉萨教，孩子去布达拉宫。'],
        ['　　读书都都到他孩子，写字非常很好。'],
      ],
    ],
    [
      'takes a line that was read in part for full, where paragraphs begin further in and the next one does not',
      [
        ...Array.from({ length: 3 }, () => [
          '　　今天天气很好，我们一起到拉萨去看布达',
          '拉宫，他说这里的人都喜欢喝茶，学校的老',
          '师每天教孩子们读书写字。',
        ]),
        [
          '　　高原上的阳光非常明亮，从前有一个国王',
          '他有两个儿子。',
          '山下住着牧人，他们每天早晨放羊，晚上回',
        ],
      ],
    ],
    [
      'takes a line as far in as the one before for the beginning of a paragraph, where these begin so',
      [
        ['　　今天天气很好，我们一起', '去拉萨看布达拉宫。'],
        ['　　每天早晨孩子们在学校读', '书，写字。'],
        ['　　高原上阳光非常明亮的。'],
        ['　　他说这里的人都喜欢喝茶', '，学校的老师教孩子们。'],
        ['　　从前有一个国王，他的两', '个儿子住在山下。'],
        // A quotation stands as far in.
        ['　　晚上回家讲故事给大家听', '　　，每天早晨去放羊。'],
      ],
    ],
    [
      'takes clauses that chance to end at the edge for no verse where they are of different lengths',
      [
        [
          '高原上阳光非常明亮湖水，',
          ...['碧蓝的从前有一个国王他们', '有两个儿子山下住着牧人，'],
          ...['每天早晨放羊晚上回家讲的', '故事给大家听今天天气好，'],
          ...['我们一起到拉萨去看布达拉', '宫他说这里的人喜欢喝茶，'],
          '学校。',
        ],
      ],
    ],
  ])('%s', (_, blocks) => {
    const lines = blocks.flat();
    const texts = blocks.map((block) => block.map((line) => line.replace(/^　*/u, '')));
    expect(readingOf(texts.flat(), { boxes: standing(lines) })).toBe(
      texts.map((block) => block.join('')).join('\n'),
    );
  });

  it('of Tibetan paragraphs that are stretched to the edge at their spaces is these paragraphs', () => {
    const paragraph = fc
      .array(tibetanSentence, { minLength: 2, maxLength: 8 })
      .map((sentences) => sentences.join(' '))
      // A line without a space is not stretched, nor told from one that is over.
      .filter((text) => wrapped(text, 60, false).every((line) => line.includes(' ')));
    fc.assert(
      fc.property(fc.array(paragraph, { minLength: 12, maxLength: 16 }), (paragraphs) => {
        const ofParagraphs = paragraphs.map((text) => wrapped(text, 60, false));
        const lines = ofParagraphs.flat();
        fc.pre(!isLikeVerse(lines));
        const full = Math.max(...lines.map(printedWidth)) + 0.5;
        const widths = ofParagraphs.flatMap((ofParagraph) =>
          ofParagraph.map((line, at) => (at < ofParagraph.length - 1 ? full : printedWidth(line))),
        );
        expect(readingOf(lines, { boxes: endingAt(widths) })).toBe(paragraphs.join('\n'));
      }),
      { numRuns: 50 },
    );
  });

  it('a full line among many joins over a small gap', () => {
    const lines = [
      'རྒྱལ་པོ་དེ་ནས་ཡུལ་མི་ཚང་མ་',
      'དགའ་བའི་སེམས་ཀྱིས་ལྷ་ས་ར་',
      'བྱོན་ཏེ་སློབ་དཔོན་ལ་ཞུས་པས་',
      'བཀའ་གནང་བ་ཆོས་ཀྱི་འཁོར་ལོ་',
      'བསྐོར་རོ།',
    ];
    const rights = [15, 15.2, 15, 15.1, 5];
    expect(readingOf(lines, { boxes: endingAt(rights, [2, 20]) })).toBe(lines.join(''));
    const heading = readingOf(['ལོ་རྒྱུས་', ...lines], { boxes: endingAt([4, ...rights], [1, 20]) });
    expect(heading).toBe(`ལོ་རྒྱུས་\n${lines.join('')}`);
    const footer = readingOf([...lines.slice(0, 4), 'ལོ་རྒྱུས།'], { boxes: endingAt(rights, [4, 40]) });
    expect(footer).toBe(`${lines.slice(0, 4).join('')}\nལོ་རྒྱུས།`);
  });

  it('lines of short phrases are no verse though each ends in shad', () => {
    const lines = [
      'དེ་ནས་ཤཱ་རིའི་བུས་འདི་སྐད་ཅེས་སྨྲས་',
      'སོ། ཆོས་ཐམས་ཅད་སྟོང་པ་ཉིད།',
      'མཚན་ཉིད་མེད། མ་སྐྱེས། མ་འགགས།',
      'དྲི་མ་དང་བྲལ་བའང་མེད་པ་ཡིན།',
      'གཟུགས་མེད། སྒྲ་ཡང་མེད། དྲི་མེད།',
      'རོ་དང་རེག་བྱ་མེད། ཆོས་མེད།',
      'མིག་གི་ཁམས་མེད་པ་ནས་ཡིད་ཀྱི་',
      'རྣམ་པར་ཤེས་པའི་ཁམས་ཀྱི་བར་དུ་',
      'ཡང་མེད་དོ།',
    ];
    const reading = readingOf(lines, { boxes: endingAt(lines.map((_, at) => (at < 8 ? 15 : 6))) });
    expect(reading).not.toContain('\n');
  });

  it('keeps stanzas and centred lines apart by the space between them', () => {
    const lines = ['明月来相照，', '朝辞白帝彩云间，', '千里江陵一日还，', '松下问'];
    const boxes = lines.map((line, index) => ({
      left: 100,
      top: index * 50 + (index > 0 ? 60 : 0),
      width: line.length * 30,
      height: 30,
    }));
    expect(readingOf(lines, { boxes }).split('\n')[0]).toBe(lines[0]);
  });

  it('loses and changes no character but spaces, line breaks and tshegs, whatever the lines are', () => {
    const bare = (text: string): string => text.replace(/[\s་]/gu, '');
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), fc.array(anyBox), (lines, anyBoxes) => {
        const kept = lines.flatMap((line) => line.split('\n'));
        const boxes = kept.map((_, index) => anyBoxes[index % Math.max(1, anyBoxes.length)]);
        expect(bare(readingOf(kept, { boxes }))).toBe(bare(kept.join('')));
      }),
    );
  });
});
