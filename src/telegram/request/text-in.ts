/** The text of a message of any kind, with its entities in their order; their offsets and lengths count UTF-16 units, as JavaScript does. */
import type {
  Message,
  MessageEntity,
  RichBlock,
  RichBlockCaption,
  RichBlockListItem,
  RichBlockTableCell,
  RichText,
} from '@grammyjs/types';

import { inUnicode } from '../../language/private-tibetan.ts';

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly MessageEntity[];
}

const NO_TEXT = plain('');

function plain(text: string): FormattedText {
  return { text, entities: [] };
}

/** Joins texts; empty ones are left out, between separators blank ones, too. */
function joined(parts: readonly FormattedText[], separator: string): FormattedText {
  let text = '';
  const entities: MessageEntity[] = [];
  for (const part of parts) {
    if ((separator === '' ? part.text : part.text.trim()) === '') continue;
    if (text !== '') text += separator;
    for (const entity of part.entities) entities.push({ ...entity, offset: text.length + entity.offset });
    text += part.text;
  }
  return { text, entities };
}

/** The text of a message, a line for each option of a poll and each task of a checklist, its letters in Unicode; empty if it has none. */
export function formattedTextIn(message: object | undefined): FormattedText {
  const { text: written, entities } = writtenIn(message);
  const text = inUnicode(written);
  if (text === written) return { text, entities };
  const at = (offset: number): number => inUnicode(written.slice(0, offset)).length;
  const moved = entities.map((entity) => {
    const offset = at(entity.offset);
    return { ...entity, offset, length: at(entity.offset + entity.length) - offset };
  });
  return { text, entities: moved };
}

function writtenIn(message: object | undefined): FormattedText {
  // Telegraf's types end at Bot API 7.1.
  const fields: Partial<Message> = message ?? {};
  const { text, entities = [], caption = '', caption_entities = [], rich_message, poll, checklist } = fields;
  if (text !== undefined) return { text, entities };
  if (rich_message !== undefined) return joined(rich_message.blocks.flatMap(linesOf), '\n');
  if (poll !== undefined) return inLines(poll.question, poll.options);
  if (checklist !== undefined) return inLines(checklist.title, checklist.tasks);
  return { text: caption, entities: caption_entities };
}

function inLines(title: string, options: readonly { readonly text: string }[]): FormattedText {
  return joined([plain(title), ...options.map(({ text }) => plain(text))], '\n');
}

/**
 * Whether a person has forwarded the message. Then all of it is text: a command in it was given elsewhere. The copy of a channel's post
 * that Telegram puts into the discussion group is no forward: the channel itself says it there.
 */
export function isForwarded(message: object): boolean {
  return 'forward_origin' in message && !('is_automatic_forward' in message);
}

export function textIn(message: object | undefined): string {
  return formattedTextIn(message).text;
}

/** The fields of blocks that hold text, whatever their kind. */
interface BlockFields {
  readonly type: string;
  readonly summary?: RichText;
  readonly text?: RichText;
  readonly items?: readonly RichBlockListItem[];
  readonly cells?: readonly RichBlockTableCell[][];
  readonly blocks?: readonly RichBlock[];
  readonly caption?: RichText | RichBlockCaption;
  readonly credit?: RichText;
}

/**
 * The lines of a block of a rich message (Bot API 10.1), which has no `text`: a line for each paragraph, heading, list item, row of a table,
 * and line of a quote or a caption. A block of pictures alone has none.
 */
function linesOf(block: RichBlock): FormattedText[] {
  const { summary, text, items = [], cells = [], blocks = [], caption, credit }: BlockFields = block;
  const lines = [
    inline(summary),
    inline(text),
    ...items.flatMap(itemLines),
    ...cells.map(row),
    ...blocks.flatMap(linesOf),
    inline(caption),
    ...(typeof caption === 'object' && 'credit' in caption ? [inline(caption.credit)] : []),
    inline(credit),
  ];
  return lines.filter((line) => line.text.trim() !== '');
}

/** An item of a list, its mark before its first line. */
function itemLines({ label, blocks }: RichBlockListItem): FormattedText[] {
  const [first, ...more] = blocks.flatMap(linesOf);
  if (first === undefined) return [];
  return [joined([plain(label === '' ? '' : `${label} `), first], ''), ...more];
}

function row(cells: readonly RichBlockTableCell[]): FormattedText {
  return joined(
    cells.map(({ text }) => inline(text)),
    ' | ',
  );
}

/** A rich text, with the entities of other messages that the bot reads. */
function inline(rich: RichText | RichBlockCaption | undefined): FormattedText {
  if (rich === undefined) return NO_TEXT;
  if (typeof rich === 'string') return plain(rich);
  if (Array.isArray(rich)) return joined(rich.map(inline), '');
  if ('alternative_text' in rich) return plain(rich.alternative_text);
  if (!('text' in rich)) return NO_TEXT;
  const { text, entities } = inline(rich.text);
  if (!('type' in rich)) return { text, entities };
  const range = { offset: 0, length: text.length };
  if (rich.type === 'text_mention')
    return { text, entities: [{ type: rich.type, user: rich.user, ...range }, ...entities] };
  if (rich.type === 'mention' || rich.type === 'bot_command')
    return { text, entities: [{ type: rich.type, ...range }, ...entities] };
  return { text, entities };
}
