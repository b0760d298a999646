/** A text is translated: into the session's language, by default the other one than its own. */
import type { Picture } from '../src/interpreter/request.ts';
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import { translationButtons } from '../src/telegram/answer/buttons.ts';
import { answer, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { pressedMessage } from '../src/telegram/message/pressed-message.ts';
import { repliedMessage, repliedTo } from '../src/telegram/message/replied-to.ts';
import { textOf } from '../src/telegram/message/text-file.ts';
import { mentions, textWithoutMention } from '../src/telegram/message/text-in.ts';
import { readOnTheWay, readPicture } from './photo.ts';

export type Target = Language | 'auto';

/** In a group a mention without words to translate means the message that it replies to, be it a text or a photo. */
export async function text(ctx: BotContext): Promise<void> {
  const own = textWithoutMention(ctx.message, ctx.botInfo);
  if (ctx.isOverheard) return translateText(ctx, own, 'auto');
  const replied = asksAboutReplied(ctx, own) ? repliedTo(ctx) : undefined;
  if (replied === undefined) {
    return own === '' ? notice(ctx, 'anything-else') : translateText(ctx, own, ctx.session.target);
  }
  if (replied.picture !== undefined) {
    const language = readingLanguageIn(own) ?? ctx.session.reading;
    return readPicture(ctx, replied.picture, language, replied.id);
  }
  await translateText(ctx, replied.text, ctx.session.target, replied.id);
}

/** A bare mention does, and so do words in neither language beside one ("what does this say?"), unless said to the bot's own answer. */
function asksAboutReplied({ message, botInfo }: BotContext, own: string): boolean {
  if (own === '') return true;
  if (message === undefined || !mentions(message, botInfo) || dominantLanguage(own) !== undefined)
    return false;
  return repliedMessage(message)?.from?.id !== botInfo.id;
}

/** A press on "translate": the text is that of the message that the button hangs on. */
export async function translatePressed(ctx: BotContext): Promise<void> {
  const message = pressedMessage(ctx);
  if (message === undefined) return notice(ctx, 'press-too-old');
  await translateText(ctx, textOf(ctx, message), 'auto', message.message_id);
}

/** Answers with the translation of a text; without a paid call where there is nothing to translate. */
export async function translateText(
  ctx: BotContext,
  text: string,
  target: Target,
  replyTo?: number,
): Promise<void> {
  const to = await destination(ctx, text, target, replyTo);
  if (to === undefined) return;
  await whileShowing(ctx, 'typing', (activity) => translate(ctx, text, to, activity, replyTo));
}

/** Answers with the translation of what a picture says; with just that where there is nothing to translate. */
export async function translatePicture(
  ctx: BotContext,
  picture: Picture,
  target: Target,
  replyTo: number | undefined,
): Promise<void> {
  await whileShowing(ctx, 'typing', async (activity) => {
    const text = await readOnTheWay(ctx, picture, activity, replyTo);
    if (text === undefined) return;
    const to = await destination(ctx, text, target, replyTo);
    if (to === undefined) return answer(ctx, text, { keyboard: translationButtons(ctx), replyTo });
    await translate(ctx, text, to, activity, replyTo);
  });
}

/** The language to translate into; undefined where there is none, and then the person has been told why. */
async function destination(
  ctx: BotContext,
  text: string,
  target: Target,
  replyTo: number | undefined,
): Promise<Language | undefined> {
  const from = dominantLanguage(text);
  if (from === undefined) {
    const isWylie = tibetanIfWylie(text) !== undefined;
    await notice(ctx, isWylie ? 'neither-script-nor-wylie' : 'neither-script', { replyTo });
    return undefined;
  }
  ctx.session.lastText = text;
  const to = target === 'auto' ? otherLanguage(from) : target;
  if (from !== to) return to;
  await notice(ctx, `already-${to}`, { replyTo });
  return undefined;
}

async function translate(
  ctx: BotContext,
  text: string,
  to: Language,
  activity: Activity,
  replyTo: number | undefined,
): Promise<void> {
  const asked = { asker: ctx.asker, signal: ctx.signal, onProgress: activity.part() };
  const translation = await ctx.bot.interpreter.translate(text, to, asked);
  ctx.session.lastText = translation;
  ctx.session.lastOriginal = { text, translation };
  await answer(ctx, translation, { keyboard: translationButtons(ctx), replyTo });
}
