/** Text with entities in the page: whatever the entities, the words stay the words. */
import fc from 'fast-check';
import { expect } from 'vitest';
import { test } from './page-test.ts';

const words = fc.string({
  unit: fc.constantFrom('ཀ', '་', 'ི', '汉', '。', 'a', '<', '&', ' ', '\n', '😀'),
  maxLength: 30,
});
const types = [
  'bold',
  'italic',
  'code',
  'pre',
  'blockquote',
  'expandable_blockquote',
  'text_link',
  'spoiler',
  'bot_command',
  'unheard_of',
];
const entity = fc.record({
  type: fc.constantFrom(...types),
  offset: fc.nat(30),
  length: fc.integer({ min: 1, max: 30 }),
  url: fc.constant('https://example.org/'),
});

/** Runs in the page. */
const shownText = `async ([text, entities]) => {
  const { richText } = await import('/scripts/rich-text.js');
  const holder = document.createElement('div');
  holder.append(...richText(text, entities));
  return holder.textContent;
}`;

test('nested, touching and overlapping entities never lose, double or reorder a letter', async ({ view }) => {
  await fc.assert(
    fc.asyncProperty(words, fc.array(entity, { maxLength: 6 }), async (text, entities) => {
      expect(await view.page.evaluate(`(${shownText})(${JSON.stringify([text, entities])})`)).toBe(text);
    }),
    { numRuns: 200 },
  );
});

test('the text after a quote stands under it, and a long quote unfolds', async ({ view }) => {
  const shown = await view.page.evaluate(`(async () => {
    const { richText } = await import('/scripts/rich-text.js');
    const holder = document.createElement('div');
    holder.className = 'text';
    const text = \`\${'a\\n'.repeat(30)}b\\nc\`;
    holder.append(...richText(text, [{ type: 'expandable_blockquote', offset: 0, length: text.length - 2 }]));
    document.body.append(holder);
    const quote = holder.querySelector('blockquote');
    const folded = quote.clientHeight;
    quote.click();
    const heights = [folded, quote.clientHeight];
    const end = holder.innerText.slice(-3);
    holder.remove();
    return { heights, end };
  })()`);
  const { heights, end } = shown as { heights: [number, number]; end: string };
  expect(end).toBe('b\nc');
  expect(heights[1]).toBeGreaterThan(heights[0] * 3);
});
