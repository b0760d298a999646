/** The text of a message of any kind, with its entities (Bot API, MessageEntity) in their order. */

/** A range of the text. `offset` and `length` count UTF-16 units, as JavaScript strings do. */
export interface Entity {
  readonly type: string;
  readonly offset: number;
  readonly length: number;
  /** Whom a `text_mention` names (Bot API, User). */
  readonly user?: unknown;
}

export interface FormattedText {
  readonly text: string;
  readonly entities: readonly Entity[];
}

const NO_TEXT: FormattedText = { text: '', entities: [] };

function plain(text: string): FormattedText {
  return { text, entities: [] };
}

/** Joins texts; empty ones are left out. */
function joined(parts: readonly FormattedText[], separator: string): FormattedText {
  let text = '';
  const entities: Entity[] = [];
  for (const part of parts) {
    if (part.text === '') continue;
    if (text !== '') text += separator;
    for (const entity of part.entities) entities.push({ ...entity, offset: text.length + entity.offset });
    text += part.text;
  }
  return { text, entities };
}

/** Whether JSON is an object. */
export function isObject(json: unknown): json is Readonly<Record<string, unknown>> {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}

interface Option {
  readonly text: string;
}

/** The fields that hold a message's text, each of another kind of message. */
interface TextFields {
  readonly text?: string;
  readonly entities?: readonly Entity[];
  readonly caption?: string;
  readonly caption_entities?: readonly Entity[];
  /** Bot API 10.1. */
  readonly rich_message?: { readonly blocks: readonly unknown[] };
  readonly poll?: { readonly question: string; readonly options: readonly Option[] };
  readonly checklist?: { readonly title: string; readonly tasks: readonly Option[] };
}

/** The text of a message as it was written, a line for each option of a poll and each task of a checklist; empty if it has none. */
export function formattedTextIn(message: object | undefined): FormattedText {
  const { text, entities, caption, caption_entities, rich_message, poll, checklist }: TextFields =
    message ?? {};
  if (text !== undefined) return { text, entities: entities ?? [] };
  if (rich_message !== undefined) return joined(linesOf(rich_message.blocks), '\n');
  if (poll !== undefined) return inLines(poll.question, poll.options);
  if (checklist !== undefined) return inLines(checklist.title, checklist.tasks);
  return { text: caption ?? '', entities: caption_entities ?? [] };
}

function inLines(title: string, options: readonly Option[]): FormattedText {
  const lines = [title, ...options.map(({ text }) => text)];
  return plain(lines.filter((line) => line.trim() !== '').join('\n'));
}

/**
 * Whether a person has forwarded the message. Then all of it is text: a command in it was given elsewhere. The copy of a channel's post
 * that Telegram puts into the discussion group is no forward: the channel itself says it there.
 */
export function isForwarded(message: object): boolean {
  return 'forward_origin' in message && !('is_automatic_forward' in message);
}

/** The text of a message as it was written; empty if it has none. */
export function textIn(message: object | undefined): string {
  return formattedTextIn(message).text;
}

/**
 * The lines of a rich message (Bot API 10.1), which has no `text`: a line for each paragraph, heading, list item, row of a table, and line
 * of a quote or a caption. A block of pictures alone has none. Unknown kinds of blocks are read by the same fields.
 */
function linesOf(block: unknown): FormattedText[] {
  if (Array.isArray(block)) return block.flatMap(linesOf);
  if (!isObject(block)) return [];
  const { summary, text, items, cells, blocks, caption, credit } = block;
  const lines = [
    inline(summary),
    inline(text),
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
  const { type, text, alternative_text } = rich;
  if (typeof alternative_text === 'string') return plain(alternative_text);
  const words = inline(text);
  const found = ENTITIES.find((one) => one === type);
  if (found === undefined) return words;
  const entity = { type: found, offset: 0, length: words.text.length, user: rich.user };
  return { text: words.text, entities: [entity, ...words.entities] };
}

function listed(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}
