/** What a message replies to, as far as it can be worked on: its picture or its text. */
import type { Message, TextQuote } from 'telegraf/types';
import type { Picture } from '../../interpreter/request.ts';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { Language } from '../../language/script.ts';
import type { BotContext } from '../context.ts';
import { captionCommandIn, wordsBesideCommand } from './command-in.ts';
import { pictureIn } from './picture-in.ts';
import { mentions, textIn, textWithoutMention } from './text-in.ts';
import { textOf } from './text-of.ts';

export interface RepliedTo {
  /** Of the message replied to; unset where that one is in another chat. */
  readonly id: number | undefined;
  readonly picture: Picture | undefined;
  /** In which the picture is to be read, as its caption says; undefined where that names none. */
  readonly language: Language | undefined;
  /** The part that was quoted, else the whole text or caption; empty when there is none. */
  readonly text: string;
}

/**
 * What the message of this update, or the one given, replies to; undefined when it is no reply. A command in the caption of a photo
 * counts as a reply to that photo.
 */
export function repliedTo(
  ctx: BotContext,
  message: Message | undefined = ctx.message,
): RepliedTo | undefined {
  if (message !== undefined && captionCommandIn(message, ctx.botInfo) !== undefined) {
    return { id: message.message_id, ...pictureOf(ctx, message), text: '' };
  }
  const replied = repliedMessage(message);
  const { quote, external_reply } = elsewhereIn(message);
  // Telegram quotes by itself, too, to show what a reply is about; only a person's own choice means just that part.
  if (quote?.is_manual === true)
    return { id: replied?.message_id, picture: undefined, language: undefined, text: quote.text };
  if (external_reply !== undefined) {
    return { id: undefined, ...pictureOf(ctx, external_reply), text: quote?.text ?? '' };
  }
  if (replied === undefined) return undefined;
  return { id: replied.message_id, ...pictureOf(ctx, replied), text: wordsIn(ctx, replied) };
}

function pictureOf({ bot, botInfo }: BotContext, message: object): Pick<RepliedTo, 'picture' | 'language'> {
  const caption = wordsBesideCommand(message, botInfo) ?? textIn(message);
  return { picture: pictureIn(message, bot.api), language: readingLanguageIn(caption) };
}

/** What tells of a quote, and of a message in another chat that this one replies to (Bot API, Message). */
interface Elsewhere {
  readonly quote?: TextQuote;
  readonly external_reply?: object;
}

function elsewhereIn(message: object | undefined): Elsewhere {
  return message ?? {};
}

/** Of a message that asked a bot for something neither its command nor its mention of this bot is meant. */
function wordsIn(ctx: BotContext, message: Message): string {
  const { botInfo } = ctx;
  const beside = wordsBesideCommand(message, botInfo);
  if (beside !== undefined) return beside;
  return mentions(message, botInfo) ? textWithoutMention(message, botInfo) : textOf(ctx, message);
}

/**
 * The message that this one replies to. What is written into a forum topic without replying to anything comes as a reply to
 * the message that made the topic (Bot API): nobody chose that one.
 */
export function repliedMessage(message: Message | undefined): Message | undefined {
  const replied =
    message !== undefined && 'reply_to_message' in message ? message.reply_to_message : undefined;
  return replied === undefined || 'forum_topic_created' in replied ? undefined : replied;
}
