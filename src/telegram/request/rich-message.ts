/**
 * The text of a rich message (Bot API 10.1), which has no `text`: a line for each paragraph, heading, list item, row of a table, and line
 * of a quote or a caption. Unknown kinds of blocks are read by the same fields.
 */
import { type FormattedText, isObject, joined, NO_TEXT, plain } from './formatted-text.ts';

/** The text of blocks, a line each. */
export function richText(blocks: unknown): FormattedText {
  return joined(linesOf(blocks), '\n');
}

/** Lines with text: a block of pictures alone has none. */
function linesOf(block: unknown): FormattedText[] {
  if (Array.isArray(block)) return block.flatMap(linesOf);
  if (!isObject(block)) return [];
  const { summary, text, expression, items, cells, blocks, caption, credit } = block;
  const lines = [
    inline(summary),
    inline(text),
    ...(typeof expression === 'string' ? [plain(expression)] : []),
    ...listed(items).flatMap(itemLines),
    ...listed(cells).map(row),
    ...linesOf(blocks),
    inline(caption),
    ...(isObject(caption) ? [inline(caption.credit)] : []),
    inline(credit),
  ];
  return lines.filter((line) => line.text.trim() !== '');
}

/** An item of a list, its mark before its first line. */
function itemLines(item: unknown): FormattedText[] {
  if (!isObject(item)) return [];
  const [first, ...more] = linesOf(item.blocks);
  if (first === undefined) return [];
  const { label } = item;
  const mark = typeof label === 'string' && label !== '' ? [plain(`${label} `)] : [];
  return [joined([...mark, first], ''), ...more];
}

function row(cells: unknown): FormattedText {
  const texts = listed(cells).map((cell) => (isObject(cell) ? inline(cell.text) : NO_TEXT));
  return joined(
    texts.filter(({ text }) => text.trim() !== ''),
    ' | ',
  );
}

/** Styles that are entities in other messages, and that the bot reads. */
const ENTITIES = ['mention', 'text_mention', 'bot_command'] as const;

function inline(rich: unknown): FormattedText {
  if (typeof rich === 'string') return plain(rich);
  if (Array.isArray(rich)) return joined(rich.map(inline), '');
  if (!isObject(rich)) return NO_TEXT;
  const { type, text, alternative_text, expression } = rich;
  if (typeof alternative_text === 'string') return plain(alternative_text);
  if (typeof expression === 'string') return plain(expression);
  const words = inline(text);
  const found = ENTITIES.find((one) => one === type);
  if (found === undefined) return words;
  const entity = { type: found, offset: 0, length: words.text.length, user: rich.user };
  return { text: words.text, entities: [entity, ...words.entities] };
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
