/** What a message replies to, as far as it can be worked on: its picture or its text. */
import type { Message, TextQuote } from 'telegraf/types';
import { readingLanguageIn } from '../../language/reading-language.ts';
import type { Language } from '../../language/script.ts';
import type { ReceivedContext } from '../context.ts';
import { repliedMessage } from './asked.ts';
import type { Known } from './command.ts';
import { wordsBesideCommand } from './command-in.ts';
import { pictureElsewhere, picturesIn, type SentPicture } from './picture-in.ts';
import { mentions, textIn, textWithoutMention } from './text-in.ts';
import { textOf } from './text-of.ts';

export interface RepliedTo {
  /** Of the message replied to; unset where that one is in another chat. */
  readonly id: number | undefined;
  /** Its picture, or those of an album; empty where it has none. */
  readonly pictures: readonly SentPicture[];
  /** In which they are to be read, as a caption says; undefined where none names one. */
  readonly language: Language | undefined;
  /** The part that was quoted, else the whole text or caption; empty when there is none. */
  readonly text: string;
}

/**
 * What the message of this update replies to; undefined when it is no reply. A command in the caption of a photo, or of an album,
 * counts as a reply to it.
 */
export async function repliedTo(ctx: ReceivedContext): Promise<RepliedTo | undefined> {
  const { album, asked, bot } = ctx;
  if (asked.kind !== 'caption-command') return repliedToBy(ctx, ctx.message);
  const pictures = picturesIn(album, bot.api);
  return {
    id: pictures[0]?.message?.message_id,
    pictures,
    language: languageNamed(album, bot),
    text: '',
  };
}

/** What a message replies to. */
export async function repliedToBy(
  ctx: ReceivedContext,
  message: Message | undefined,
): Promise<RepliedTo | undefined> {
  const { bot } = ctx;
  const replied = repliedMessage(message);
  const { quote, external_reply } = elsewhereIn(message);
  // Telegram quotes by itself, too, to show what a reply is about; only a person's own choice means just that part.
  if (quote?.is_manual === true)
    return { id: replied?.message_id, pictures: [], language: undefined, text: quote.text };
  if (external_reply !== undefined) {
    const pictures = pictureElsewhere(external_reply, bot.api);
    const language = languageNamed([external_reply], bot);
    return { id: undefined, pictures, language, text: quote?.text ?? '' };
  }
  if (replied === undefined) return undefined;
  const pictures = picturesIn([replied], bot.api);
  const language = languageNamed([replied], bot);
  return { id: replied.message_id, pictures, language, text: await wordsIn(ctx, replied) };
}

/** The first language that a caption names, beside its command where it has one. */
function languageNamed(messages: readonly object[], known: Known): Language | undefined {
  return messages
    .map((message) => readingLanguageIn(wordsBesideCommand(message, known) ?? textIn(message)))
    .find((language) => language !== undefined);
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
async function wordsIn(ctx: ReceivedContext, message: Message): Promise<string> {
  const { bot, botInfo } = ctx;
  const beside = wordsBesideCommand(message, bot);
  if (beside !== undefined) return beside;
  return mentions(message, botInfo) ? textWithoutMention(message, botInfo) : textOf(ctx, message);
}
