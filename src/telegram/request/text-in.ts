/** The text of a message of any kind. */
import { type Entity, type FormattedText, joined, NO_TEXT, plain } from './formatted-text.ts';
import { richText } from './rich-message.ts';

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
  readonly poll?: {
    readonly question: string;
    readonly description?: string;
    readonly description_entities?: readonly Entity[];
    readonly options: readonly Option[];
  };
  readonly checklist?: { readonly title: string; readonly tasks: readonly Option[] };
}

/** The text of a message as it was written, a line for each option of a poll and each task of a checklist; empty if it has none. */
export function formattedTextIn(message: object | undefined): FormattedText {
  const { text, entities, caption, caption_entities, rich_message, poll, checklist }: TextFields =
    message ?? {};
  if (text !== undefined) return { text, entities: entities ?? [] };
  if (rich_message !== undefined) return richText(rich_message.blocks);
  if (poll !== undefined) {
    const { question, description = '', description_entities = [], options } = poll;
    return inLines(plain(question), { text: description, entities: description_entities }, options);
  }
  if (checklist !== undefined) return inLines(plain(checklist.title), NO_TEXT, checklist.tasks);
  return { text: caption ?? '', entities: caption_entities ?? [] };
}

function inLines(
  title: FormattedText,
  description: FormattedText,
  options: readonly Option[],
): FormattedText {
  const lines = [title, description, ...options.map(({ text }) => plain(text))];
  return joined(
    lines.filter(({ text }) => text.trim() !== ''),
    '\n',
  );
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
