/** The text of Word documents, as Word shows it. */
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import { describe, expect, it } from 'vitest';
import { WordReader } from '../../src/media/document/word.ts';
import { aDocx, paragraph, part, run, zipped } from './docxes.ts';

const MAX_BYTES = 20_000;

/** What runs in the process that opens a document. */
const program = new URL('../../src/media/document/word-text.mjs', import.meta.url);
const { wordText }: { wordText(file: Buffer, maxBytes: number): string } = await import(program.href);
const reasons: Record<'Unreadable' | 'TooLong', new () => Error> = await import(
  new URL('word-parts.mjs', program).href
);
const textOf = (file: Buffer) => wordText(file, MAX_BYTES);

const reader = new WordReader();
const read = (file: Buffer): Promise<string> =>
  reader.text(file, MAX_BYTES, { person: 'anna', signal: new AbortController().signal });

const TAB_STOPS = '<w:tabs><w:tab w:val="left" w:pos="720"/></w:tabs>';
const box = (text: string) => `<w:txbxContent>${paragraph(text)}</w:txbxContent>`;
const item = (text: string, level = 0, list = 1) =>
  paragraph(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`);
const field = (type: string) => `<w:r><w:fldChar w:fldCharType="${type}"/></w:r>`;
const level = (at: number, format: string, label: string) =>
  `<w:lvl w:ilvl="${at}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${label}"/></w:lvl>`;
const lists = (...kinds: readonly string[]) => ({
  numbering: part(
    'numbering',
    kinds
      .map((levels, id) => `<w:abstractNum w:abstractNumId="${id}">${levels}</w:abstractNum>`)
      .concat(kinds.map((_, id) => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`))
      .join(''),
  ),
});
const style = (id: string, inside: string) =>
  `<w:style w:type="paragraph" w:styleId="${id}">${inside}</w:style>`;
const note = (kind: string, text: string) => ({
  [`${kind}s`]: part(
    `${kind}s`,
    `<w:${kind} w:type="separator" w:id="-1">${paragraph('———')}</w:${kind}><w:${kind} w:id="2">${paragraph(text)}</w:${kind}>`,
  ),
});
const noted = (kind: string) => `<w:p>${run('ཀ')}<w:r><w:${kind}Reference w:id="2"/></w:r>${run('ཁ')}</w:p>`;

/** What a document is about, its body, its text, and its other parts. */
const SHOWN: readonly [string, string, string, Record<string, string>?][] = [
  ['paragraphs', paragraph('བོད་ཡིག།') + paragraph('中文 & <tags>'), 'བོད་ཡིག།\n中文 & <tags>'],
  [
    'a table',
    `<w:tbl><w:tr><w:tc>${paragraph('བོད')}</w:tc><w:tc>${paragraph('中')}</w:tc></w:tr><w:tr><w:tc>${paragraph('ཀ')}</w:tc></w:tr></w:tbl>`,
    'བོད\t中\nཀ',
  ],
  ['breaks and tabs', '<w:p><w:r><w:t>ཀ</w:t><w:br/><w:t>ཁ</w:t><w:tab/><w:t>ག</w:t></w:r></w:p>', 'ཀ\nཁ\tག'],
  ['characters by number', '<w:p><w:r><w:t>&#x0F40;&#3905;&quot;</w:t></w:r></w:p>', 'ཀཁ"'],
  ['a picture alone', '<w:p><w:r><w:drawing/></w:r></w:p>', ''],
  ['tab stops', paragraph('ཀ', TAB_STOPS) + paragraph('ཁ', TAB_STOPS), 'ཀ\nཁ'],
  [
    'paragraphs that begin with a tab',
    `${paragraph('ཀ')}<w:p><w:r><w:tab/></w:r>${run('ཁ')}</w:p>`,
    'ཀ\n\tཁ',
  ],
  [
    'deleted words',
    `<w:p><w:del>${run('x')}<w:r><w:delText>y</w:delText></w:r></w:del>${run('ཀ')}</w:p>`,
    'ཀ',
  ],
  ['inserted words', `<w:p>${run('ཀ')}<w:ins>${run('ཁ')}</w:ins></w:p>`, 'ཀཁ'],
  [
    'moved words',
    `<w:p><w:moveFrom>${run('ཀ')}</w:moveFrom></w:p><w:p><w:moveTo>${run('ཀ')}</w:moveTo></w:p>`,
    'ཀ',
  ],
  [
    'a deleted end of a paragraph',
    paragraph('请', '<w:rPr><w:del w:id="1"/></w:rPr>') + paragraph('问'),
    '请问',
  ],
  [
    'the properties before a change',
    `<w:p><w:pPr><w:pPrChange><w:pPr><w:framePr w:dropCap="drop"/></w:pPr></w:pPrChange></w:pPr>${run('ཀ')}</w:p>${paragraph('ཁ')}`,
    'ཀ\nཁ',
  ],
  [
    'a reading over a character',
    `<w:p><w:r><w:ruby><w:rt>${run('hǎo')}</w:rt><w:rubyBase>${run('好')}</w:rubyBase></w:ruby></w:r></w:p>`,
    '好',
  ],
  ['hidden words', `<w:p>${run('x', '<w:vanish/>')}${run('ཀ', '<w:vanish w:val="0"/>')}</w:p>`, 'ཀ'],
  [
    'words hidden by their style',
    `${paragraph('x', '<w:pStyle w:val="B"/>')}${paragraph('ཀ', '<w:pStyle w:val="C"/>')}`,
    'ཀ',
    {
      styles: part(
        'styles',
        style('A', '<w:rPr><w:vanish/></w:rPr>') +
          style('B', '<w:basedOn w:val="A"/>') +
          style('C', '<w:basedOn w:val="C"/>'),
      ),
    },
  ],
  ['a large initial', paragraph('请', '<w:framePr w:dropCap="drop" w:lines="3"/>') + paragraph('问'), '请问'],
  ['a frame that is no initial', paragraph('请', '<w:framePr w:w="100"/>') + paragraph('问'), '请\n问'],
  ['a footnote', noted('footnote') + paragraph('ག'), 'ཀཁ\nnote\nག', note('footnote', 'note')],
  ['an endnote', noted('endnote'), 'ཀཁ\nnote', note('endnote', 'note')],
  [
    'a text box for newer and for older programs',
    `<w:p>${run('请')}<w:r><mc:AlternateContent><mc:Choice>${box('ཀ')}</mc:Choice><mc:Fallback>${box('ཀ')}</mc:Fallback></mc:AlternateContent></w:r>${run('问')}</w:p>`,
    '请问\nཀ',
  ],
  [
    'a text box for older programs alone',
    `<w:p><w:r><mc:AlternateContent><mc:Fallback>${box('ཀ')}</mc:Fallback></mc:AlternateContent></w:r></w:p>`,
    'ཀ',
  ],
  [
    'a field',
    '<w:p><w:r><w:instrText>PAGE</w:instrText></w:r><w:fldSimple w:instr="DATE"><w:r><w:t>ཀ</w:t></w:r></w:fldSimple></w:p>',
    'ཀ',
  ],
  [
    'a field within the code of another',
    `<w:p>${field('begin')}<w:r><w:instrText>IF </w:instrText></w:r>${field('begin')}${field('separate')}${run('x')}${field('end')}${field('separate')}${run('ཀ')}${field('end')}${run('ཁ')}</w:p>`,
    'ཀཁ',
  ],
  [
    'fields that have no end, or no beginning, in their paragraph',
    `<w:p>${field('begin')}${run('x')}</w:p><w:p>${run('ཀ')}${field('separate')}${run('ཁ')}${field('end')}${field('end')}${run('ག')}</w:p>`,
    'ཀཁག',
  ],
  [
    'a deleted row',
    `<w:tbl><w:tr><w:trPr><w:cantSplit/><w:del w:id="1"/><w:trPrChange/></w:trPr><w:tc>${paragraph('x')}</w:tc></w:tr><w:tr><w:trPr><w:ins w:id="2"/></w:trPr><w:tc>${paragraph('ཀ')}</w:tc><w:tc><w:p><w:del>${run('x')}</w:del>${run('ཁ')}</w:p></w:tc></w:tr></w:tbl>`,
    'ཀ\tཁ',
  ],
  [
    'hyphens',
    '<w:p><w:r><w:t>ab</w:t><w:softHyphen/><w:t>c</w:t><w:noBreakHyphen/><w:t>d</w:t></w:r></w:p>',
    'abc-d',
  ],
  ['a formula', '<w:p><m:oMath><m:r><m:t>x</m:t></m:r></m:oMath></w:p>', 'x'],
  [
    'headers and footers',
    paragraph('ཀ'),
    'ཀ',
    { header: part('hdr', paragraph('x')), footer: part('ftr', paragraph('y')) },
  ],
  [
    'numbers of a list',
    item('ཀ') + item('ཁ', 1) + item('ག', 1) + item('ང') + item('ཅ', 1),
    '1. ཀ\n1.a) ཁ\n1.b) ག\n2. ང\n2.a) ཅ',
    lists(level(0, 'decimal', '%1.') + level(1, 'lowerLetter', '%1.%2)')),
  ],
  [
    'marks and numbers of other kinds',
    [1, 2, 3, 4].map((list) => item('ཀ', 0, list)).join('') + item('ཁ', 0, 2) + item('ཁ', 0, 4),
    '• ཀ\n一、 ཀ\nI. ཀ\n① ཀ\n二、 ཁ\n② ཁ',
    lists(
      level(0, 'bullet', '\uF0B7'),
      level(0, 'chineseCounting', '%1、'),
      level(0, 'upperRoman', '%1.'),
      level(0, 'decimalEnclosedCircle', '%1'),
    ),
  ],
  [
    'a list by its style, and one that is taken out',
    paragraph('ཀ', '<w:pStyle w:val="A"/>') +
      paragraph('ཁ', '<w:pStyle w:val="A"/><w:numPr><w:numId w:val="0"/></w:numPr>'),
    '第一章 ཀ\nཁ',
    {
      ...lists(level(0, 'chineseCounting', '第%1章')),
      styles: part('styles', style('A', '<w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr>')),
    },
  ],
  [
    'Tibetan in a font from before Unicode',
    `<w:p>${run('2.-0-=-', '<w:rFonts w:ascii="Dedris-a"/>')}<w:r><w:sym w:font="Dedris-a" w:char="F021"/></w:r>${run('2.-')}</w:p>`,
    'བད་པ་ལ་ཀ2.-',
  ],
];

it.each(SHOWN)('%s come as Word shows them', (_, body, text, parts) => {
  expect(textOf(aDocx(body, parts))).toBe(text);
});

describe('a document is known by what it holds', () => {
  const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main';
  const STRICT = 'http://purl.oclc.org/ooxml/wordprocessingml/main';
  const written = (prefix: string, uri: string) =>
    `<${prefix}document xmlns${prefix && `:${prefix.slice(0, -1)}`}="${uri}"><${prefix}body><${prefix}p><${prefix}r><${prefix}t>ཀ</${prefix}t></${prefix}r></${prefix}p></${prefix}body></${prefix}document>`;
  it.each([
    ['another prefix', zipped(written('ns0:', WORD))],
    ['no prefix', zipped(written('', WORD))],
    ['the strict edition', zipped(written('w:', STRICT))],
    ['another name of its main part', zipped(written('w:', WORD), { main: 'word/document2.xml' })],
    ['another folder', zipped(written('w:', WORD), { main: 'xl/a/b.xml' })],
    ['UTF-16', zipped(Buffer.from(`\uFEFF<?xml version="1.0"?>${written('w:', WORD)}`, 'utf16le'))],
  ])('%s', (_, file) => {
    expect(textOf(file)).toBe('ཀ');
  });
});

it('any text comes back', () => {
  const line = fc.string({ unit: fc.constantFrom('བོད', '་', '中', 'a', '<', '&', '"', ' x'), minLength: 1 });
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 40 }), (lines) => {
      expect(textOf(aDocx(lines.map((one) => paragraph(one)).join('')))).toBe(lines.join('\n').trim());
    }),
  );
});

const ENTITIES = '<!DOCTYPE a [<!ENTITY a "ཀཀཀཀཀཀཀཀ"><!ENTITY b "&a;&a;&a;&a;&a;&a;">]>';

it.each<[string, () => Buffer, 'TooLong' | 'Unreadable']>([
  ['too many letters', () => aDocx(paragraph('a'.repeat(MAX_BYTES + 1))), 'TooLong'],
  ['70 MB of spaces', () => zipped(' '.repeat(70_000_000)), 'TooLong'],
  [
    'a note that is there again and again',
    () => aDocx(noted('footnote').repeat(30), note('footnote', 'x'.repeat(1000))),
    'TooLong',
  ],
  [
    'a mark of a list as long as a page',
    () => aDocx(item('ཀ').repeat(30), lists(level(0, 'none', 'x'.repeat(1000)))),
    'TooLong',
  ],
  ['entities of its own', () => zipped(`${ENTITIES}<a>&b;</a>`), 'Unreadable'],
  ['an unknown entity', () => aDocx('<w:p>&nbsp;</w:p>'), 'Unreadable'],
  ['an element that never ends', () => aDocx('<w:p>'), 'Unreadable'],
  ['tags that never end', () => zipped('<w:t '.repeat(200_000)), 'Unreadable'],
  [
    'boxes ten thousand deep',
    () => aDocx(`${'<w:p>'.repeat(10_000)}${'</w:p>'.repeat(10_000)}`),
    'Unreadable',
  ],
  ['a workbook', () => zipped('<workbook/>', { main: 'xl/workbook.xml' }), 'Unreadable'],
  ['another archive', () => Buffer.from(zipSync({ 'a.txt': strToU8('ཀ') })), 'Unreadable'],
  ['half a document', () => aDocx(paragraph('བོད'.repeat(5000))).subarray(0, 900), 'Unreadable'],
  ['nothing', () => Buffer.alloc(0), 'Unreadable'],
])('%s is refused', (_, file, name) => {
  const { Unreadable, TooLong } = reasons;
  expect(() => textOf(file())).toThrow(name === 'TooLong' ? TooLong : Unreadable);
});

it.each([
  ['too long', aDocx(paragraph('a'.repeat(MAX_BYTES + 1))), 'text-file-too-large'],
  ['nonsense', aDocx('<w:p><w:pPr><w:p></w:p></w:pPr></w:p>'), 'document-unreadable'],
  ['no archive', Buffer.from('a text'), 'document-unreadable'],
] as const)('a file that is %s says so from its process', async (_, file, kind) => {
  await expect(read(file)).rejects.toMatchObject({ kind });
});

it.each([
  ['paragraphs', () => aDocx(paragraph('ཀ').repeat(5000)), 9999],
  ['runs in a paragraph', () => aDocx(`<w:p>${'<w:r><w:t>ཀ</w:t></w:r>'.repeat(5000)}</w:p>`), 5000],
  ['letters without a tag', () => aDocx(paragraph('a'.repeat(5000))), 5000],
])('five thousand %s are read', async (_, file, length) => {
  expect(await read(file())).toHaveLength(length);
});
