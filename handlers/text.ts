/** A text, or a caption, is translated into the session's language, by default the other one than its own. */
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage } from '../src/language/script.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { repliedMessage } from '../src/telegram/request/asked.ts';
import { quotesPart, repliedTo, subjectReplied } from '../src/telegram/request/subject.ts';
import { mentions, textOfAlbum } from '../src/telegram/request/text-in.ts';
import { tellDocument, tellPictures } from './sent-files.ts';
import { translateText } from './translation.ts';

/** In a group a mention without words to translate means the message that it replies to, be it a text or a photo. */
export async function text(ctx: BotContext): Promise<void> {
  const own = textOfAlbum(ctx);
  if (ctx.isOverheard && ctx.session.unheard) return;
  if (ctx.isOverheard) return translateText(ctx, { text: own }, 'auto');
  const replied = asksAboutReplied(ctx, own) ? await repliedTo(ctx) : undefined;
  if (replied === undefined) {
    return own === '' ? notice(ctx, 'anything-else') : translateText(ctx, { text: own }, ctx.session.target);
  }
  const subject = subjectReplied(replied, own, readingLanguageIn(own), ctx.session.reading);
  if (subject.kind === 'document') return tellDocument(ctx, subject);
  if (subject.kind === 'pictures') return tellPictures(ctx, subject);
  await translateText(ctx, subject, ctx.session.target);
}

/**
 * A bare mention does, and so do words in neither language beside one ("what does this say?"), unless said to the bot's own answer. Who
 * quotes a part of it asks about that, and in a private chat needs no mention.
 */
function asksAboutReplied({ message, botInfo, isPrivate }: BotContext, own: string): boolean {
  if (own === '') return true;
  if (message === undefined || dominantLanguage(own) !== undefined) return false;
  const isMentioned = mentions(message, botInfo);
  if (quotesPart(message)) return isMentioned || isPrivate;
  return isMentioned && repliedMessage(message)?.from?.id !== botInfo.id;
}
