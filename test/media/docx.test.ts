/** The text of Word documents. */

import fc from 'fast-check';
import { zipSync } from 'fflate';
import { expect, it } from 'vitest';
import { docxText } from '../../src/media/document/text-file.ts';
import { aDocx, paragraph } from './docxes.ts';

it.each([
  ['paragraphs', paragraph('བོད་ཡིག།') + paragraph('中文 & <tags>'), 'བོད་ཡིག།\n中文 & <tags>'],
  [
    'a table',
    `<w:tbl><w:tr><w:tc>${paragraph('བོད')}</w:tc><w:tc>${paragraph('中')}</w:tc></w:tr><w:tr><w:tc>${paragraph('ཀ')}</w:tc></w:tr></w:tbl>`,
    'བོད\t中\nཀ',
  ],
  ['breaks and tabs', '<w:p><w:r><w:t>ཀ</w:t><w:br/><w:t>ཁ</w:t><w:tab/><w:t>ག</w:t></w:r></w:p>', 'ཀ\nཁ\tག'],
  ['characters by number', '<w:p><w:r><w:t>&#x0F40;&#3905;&quot;</w:t></w:r></w:p>', 'ཀཁ"'],
  [
    'deleted words and a text box that is there twice',
    `<w:p><w:r><w:delText>gone</w:delText><w:t>ཀ</w:t></w:r></w:p><mc:AlternateContent><mc:Choice>${paragraph('box')}</mc:Choice><mc:Fallback>${paragraph('box')}</mc:Fallback></mc:AlternateContent>`,
    'ཀ\nbox',
  ],
  ['only a picture', '<w:p><w:r><w:drawing/></w:r></w:p>', ''],
])('%s', async (_, body, text) => {
  expect(await docxText(aDocx(body))).toBe(text);
});

it('any text comes back, wherever the archive is cut into pieces', async () => {
  const line = fc.string({ unit: fc.constantFrom('བོད', '་', '中', 'a', '<', '&', '"', ' x'), minLength: 1 });
  await fc.assert(
    fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 400 }), async (lines) => {
      expect(await docxText(aDocx(lines.map(paragraph).join('')))).toBe(lines.join('\n').trim());
    }),
    { numRuns: 30 },
  );
});

it('a bomb is refused before it is unpacked', async () => {
  const bomb = aDocx(paragraph('a'.repeat(40_000_000)));
  expect(bomb.length).toBeLessThan(100_000);
  await expect(docxText(bomb)).rejects.toMatchObject({ kind: 'text-file-too-large' });
});

it('millions of letters without a tag are read', async () => {
  const letters = `ཀ${'a'.repeat(15_000_000)}`;
  expect(await docxText(aDocx(paragraph(letters)))).toBe(letters);
});

// Takes minutes where the end of each is sought to the end of the file.
it('tags that never end hold up nothing', { timeout: 20_000 }, async () => {
  const xml = Buffer.from('<w:t '.repeat(200_000));
  expect(await docxText(Buffer.from(zipSync({ 'word/document.xml': xml })))).toBe('');
});

it('what is no Word document, or damaged, has no text', async () => {
  const whole = aDocx(paragraph('བོད'.repeat(5000)));
  const others = [
    Buffer.from('a text'),
    Buffer.from(zipSync({ 'a.txt': new Uint8Array(9) })),
    whole.subarray(0, whole.length >> 1),
    Buffer.alloc(0),
  ];
  for (const file of others) expect(await docxText(file)).toBeUndefined();
});
