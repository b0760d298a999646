/** A message, parsed once: its text, its command, its mention of the bot, its file. */
import type * as Telegram from '@grammyjs/types';
import type { Message, UserFromGetMe } from 'telegraf/types';
import { pasted } from '../../language/split.ts';
import { commandIn, type ParsedCommand, type ParserDeps } from './command.ts';
import { type SentFiles, sentFilesIn } from './sent-file.ts';
import { type FormattedText, formattedTextIn, isForwarded } from './text-in.ts';

/** One message, or one of those of an album. */
export interface ParsedMessage<Ctx = never> extends SentFiles {
  /** Undefined if it is in another chat. */
  readonly message: Message | undefined;
  /** The text or caption as it was written; empty if it has neither. */
  readonly text: string;
  /** The text without mentions of the bot (a forwarded message keeps them) and outer white space. */
  readonly textWithoutMention: string;
  /** Undefined for a forwarded message, too. */
  readonly command: ParsedCommand<Ctx> | undefined;
  readonly mentionsBot: boolean;
  readonly isForwarded: boolean;
  readonly hasFile: boolean;
}

/** Without an id, it is in another chat, as a reply reports it. */
export function parseMessage<Ctx>(
  message: Message | { readonly message_id: undefined; readonly caption?: string | undefined },
  deps: ParserDeps<Ctx>,
): ParsedMessage<Ctx> {
  const written = formattedTextIn(message);
  const files: SentFiles = 'text' in message ? { pictures: [] } : sentFilesIn(message);
  const isElsewhere = isForwarded(message);
  const mentions = isElsewhere ? [] : mentionsIn(written, deps.me);
  const textWithoutMention = withoutMentions(written.text, mentions).trim();
  const said = { written, isMentioned: mentions.length > 0, textWithoutMention };
  return {
    message: message.message_id === undefined ? undefined : message,
    text: written.text,
    textWithoutMention,
    command: isElsewhere ? undefined : commandIn(message, said, deps),
    mentionsBot: said.isMentioned,
    isForwarded: isElsewhere,
    ...files,
    hasFile: files.pictures.length > 0 || files.document !== undefined,
  };
}

/** In one pass: a rich message may consist of mentions alone. */
function withoutMentions(text: string, mentions: readonly Telegram.MessageEntity[]): string {
  let rest = '';
  let end = 0;
  for (const { offset, length } of mentions) {
    rest += text.slice(end, offset);
    end = Math.max(end, offset + length);
  }
  return rest + text.slice(end);
}

/** Mentions of the bot by username, or by user id, since a client can link any words to a user. */
function mentionsIn({ text, entities }: FormattedText, me: UserFromGetMe): Telegram.MessageEntity[] {
  const mention = `@${me.username}`.toLowerCase();
  return entities.filter((one) => {
    if (one.type === 'text_mention') return one.user.id === me.id;
    const { type, offset, length } = one;
    return type === 'mention' && text.slice(offset, offset + length).toLowerCase() === mention;
  });
}

/** The text of a message, of an album, or of all pieces of a text that the sender's app has split, without mentions of the bot. */
export function albumText(album: readonly ParsedMessage[]): string {
  const texts = album.map((part) => part.textWithoutMention).filter((one) => one !== '');
  const isPaste =
    album.length > 1 && album.every(({ message }) => message !== undefined && 'text' in message);
  return isPaste ? pasted(texts) : texts.join('\n\n');
}

/**
 * The message that this one replies to. In a forum topic, a message that replies to nothing comes as a reply to the message that created
 * the topic (Bot API); that does not count.
 */
export function repliedMessage(message: Message | undefined): Message | undefined {
  const replied =
    message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
  return replied === undefined || 'forum_topic_created' in replied ? undefined : replied;
}

/** Whether the person chose a part to quote. Telegram also adds quotes of its own, to show what a reply is about. */
export function quotesPart(message: Message | undefined): boolean {
  return message !== undefined && 'quote' in message && message.quote?.is_manual === true;
}

/** Beside text and files (Bot API, Message). */
const CONTENT = [
  'checklist',
  'contact',
  'dice',
  'game',
  'location',
  'paid_media',
  'poll',
  'rich_message',
  'story',
] as const satisfies readonly (keyof Telegram.Message)[];

/** Whether a person sent something in a message without text. Telegram's own reports have none of it, today's and those to come. */
export function hasContent(message: object): boolean {
  const isFile = (value: unknown) => typeof value === 'object' && value !== null && 'file_id' in value;
  return CONTENT.some((field) => field in message) || Object.values(message).some(isFile);
}

/**
 * The id of an ephemeral message, which only one member of a group and the bot see (Bot API, "Ephemeral Messages and Commands"); its
 * `message_id` is 0. Undefined for any other. Telegraf's types end at Bot API 7.1 and do not have it.
 */
export function ephemeralId(message: object | undefined): number | undefined {
  const { ephemeral_message_id: id }: Partial<Telegram.Message> = message ?? {};
  return id;
}
