/** Translates a text or a caption into the session's target, by default into the other language. */
import { sayHowToRead } from '../src/language/page-range.ts';
import { dominantLanguage } from '../src/language/script.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { albumText, quotesPart, repliedMessage } from '../src/telegram/request/parsed-message.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { textSource } from '../src/work/source.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';
import { toTranslate } from '../src/work/translate.ts';
import { anythingElse } from './anything-else.ts';
import { bySetting } from './ocr.ts';

/** A mention without a text to translate acts on the message that it replies to: a text, pictures or documents. */
export async function text(ctx: BotContext): Promise<void> {
  const own = albumText(ctx.album);
  const { target, reading, unheard } = ctx.session;
  if (ctx.isOverheard && unheard) return;
  const translated = () => toTranslate(ctx.isOverheard ? 'auto' : target);
  const asksAbout = !ctx.isOverheard && asksAboutReplied(ctx, own) ? await repliedTo(ctx) : undefined;
  const sources = asksAbout && (await sourcesReplied(ctx, asksAbout, reading, own));
  // In reply to a text, the name of a language is itself a text.
  const isText = sources?.every(({ form }) => form === 'text') === true;
  if (sources === undefined || (isText && dominantLanguage(own) !== undefined)) {
    if (own === '') return anythingElse(ctx);
    await carryOut(ctx, [textSource(own)], translated);
    return;
  }
  await carryOut(ctx, sources, isText ? translated : bySetting(ctx));
}

/**
 * Whether a message asks about the one that it replies to. A bare mention does; so does a mention with words in neither language ("what
 * does this say?"), or with words that may say how to read, except in reply to the bot's own answer. A person who quotes a part asks about
 * that, and needs no mention in a private chat. A forwarded message, which may still show what it replied to, never does.
 */
function asksAboutReplied({ message, album, botInfo, isPrivate }: BotContext, own: string): boolean {
  if (own === '') return true;
  const [part] = album;
  if (part === undefined || part.isForwarded) return false;
  const isQuote = quotesPart(message);
  const mayAsk = part.mentionsBot
    ? isQuote || repliedMessage(message)?.from?.id !== botInfo.id
    : isQuote && isPrivate;
  return mayAsk && (dominantLanguage(own) === undefined || sayHowToRead(own));
}
