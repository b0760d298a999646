/** Messages whose words are in no `text`: rich messages, polls and checklists, within the limits of the Bot API. */
import type { RichBlock } from '@grammyjs/types';
import type { Message, User } from './objects.ts';

/** What a person composes; a rich message as blocks, of which everything else is Telegram's. */
export type Composed =
  | { readonly blocks: readonly RichBlock[] }
  | { readonly question: string; readonly options: readonly string[]; readonly description?: string }
  | { readonly title: string; readonly tasks: readonly string[] };

/** The fields of such a message; throws RangeError for one that a client would not send. */
export function wordedContent(composed: Composed): Pick<Message, 'rich_message' | 'poll' | 'checklist'> {
  if ('blocks' in composed) return { rich_message: richMessage([...composed.blocks]) };
  return 'question' in composed ? { poll: poll(composed) } : { checklist: checklist(composed) };
}

function richMessage(blocks: RichBlock[]): NonNullable<Message['rich_message']> {
  if (blocks.length === 0) throw new RangeError('a rich message has a block');
  const { characters, count, levels } = sizeOf(blocks);
  within(characters, 32_768, 'characters in a rich message');
  within(count, 500, 'blocks in a rich message');
  within(levels, 16, 'levels in a rich message');
  return { blocks };
}

/** What Telegram counts in blocks and styled texts: both have a `type`, and only texts hold others in `text`. */
function sizeOf(part: unknown, isBlock = true): { characters: number; count: number; levels: number } {
  if (typeof part === 'string') return { characters: [...part].length, count: 0, levels: 0 };
  if (typeof part !== 'object' || part === null) return { characters: 0, count: 0, levels: 0 };
  const isLevel = 'type' in part;
  const inner = Object.entries(part)
    .filter(([field]) => !['type', 'align', 'valign', 'file_id', 'file_unique_id'].includes(field))
    .map(([field, value]) => sizeOf(value, isBlock && field !== 'text'));
  return {
    characters: inner.reduce((sum, { characters }) => sum + characters, 0),
    count: inner.reduce((sum, { count }) => sum + count, isLevel && isBlock ? 1 : 0),
    levels: Math.max(0, ...inner.map(({ levels }) => levels)) + (isLevel ? 1 : 0),
  };
}

/** What is marked in a text, and whether it begins it. */
export interface FoundEntity {
  readonly type: string;
  readonly text: string;
  readonly isFirst: boolean;
  readonly user?: { readonly id: number } | undefined;
}

/** The marks of a rich message; the first of them counts as its beginning. */
export function richMarks(blocks: unknown): FoundEntity[] {
  return marked(blocks).map((mark, index) => ({ ...mark, isFirst: index === 0 }));
}

function marked(part: unknown): FoundEntity[] {
  if (typeof part !== 'object' || part === null) return [];
  const { type, text, user }: { type?: unknown; text?: unknown; user?: User } = part;
  const own =
    typeof type === 'string' && typeof text === 'string' ? [{ type, text, isFirst: false, user }] : [];
  return [...own, ...Object.values(part).flatMap(marked)];
}

function poll({
  question,
  options,
  description,
}: Extract<Composed, { question: string }>): NonNullable<Message['poll']> {
  hasCharacters(question, 300, 'a question');
  if (options.length < 1) throw new RangeError('a poll has an option');
  within(options.length, 12, 'options in a poll');
  for (const option of options) hasCharacters(option, 100, 'an option');
  return {
    id: '5417000000000000001',
    question,
    options: options.map((text, index) => ({ persistent_id: String(index), text, voter_count: 0 })),
    ...(description !== undefined && { description }),
    total_voter_count: 0,
    is_closed: false,
    is_anonymous: true,
    type: 'regular',
    allows_multiple_answers: false,
    allows_revoting: true,
    members_only: false,
  };
}

function checklist({
  title,
  tasks,
}: Extract<Composed, { title: string }>): NonNullable<Message['checklist']> {
  hasCharacters(title, 255, 'a title');
  if (tasks.length < 1) throw new RangeError('a checklist has a task');
  within(tasks.length, 30, 'tasks in a checklist');
  for (const task of tasks) hasCharacters(task, 100, 'a task');
  return { title, tasks: tasks.map((text, index) => ({ id: index + 1, text })) };
}

function hasCharacters(text: string, most: number, what: string): void {
  if (text.trim() === '') throw new RangeError(`${what} has characters`);
  within([...text].length, most, `characters in ${what}`);
}

function within(count: number, most: number, what: string): void {
  if (count > most) throw new RangeError(`there are at most ${most} ${what}`);
}
