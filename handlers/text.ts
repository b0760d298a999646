/** A text is translated: into the session's language, by default the other one than its own. */
import { readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../src/language/script.ts';
import { tibetanIfWylie } from '../src/language/wylie.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import { type KeyboardFor, translationButtons } from '../src/telegram/answer/buttons.ts';
import { readAgainButtons } from '../src/telegram/answer/read-again.ts';
import { answer, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { repliedMessage } from '../src/telegram/request/asked.ts';
import { type Callback, pressedMessage, toldIfGone } from '../src/telegram/request/callback.ts';
import { repliedTo, textOfPressed } from '../src/telegram/request/replied-to.ts';
import { mentions, textWithoutMention } from '../src/telegram/request/text-in.ts';
import { numbered } from './album.ts';
import { type PicturesToRead, readOnTheWay, readPictures } from './photo.ts';

export type Target = Language | 'auto';

/** A text to translate, and the message that it stands in where that is not the one that asked: the answer goes under it. */
export interface SourceText {
  readonly text: string;
  readonly replyTo?: number | undefined;
}

/** In a group a mention without words to translate means the message that it replies to, be it a text or a photo. */
export async function text(ctx: BotContext): Promise<void> {
  const own = textWithoutMention(ctx.message, ctx.botInfo);
  if (ctx.isOverheard) return translateText(ctx, { text: own }, 'auto');
  const replied = asksAboutReplied(ctx, own) ? await repliedTo(ctx) : undefined;
  if (replied === undefined) {
    return own === '' ? notice(ctx, 'anything-else') : translateText(ctx, { text: own }, ctx.session.target);
  }
  const { pictures, id: replyTo, language = ctx.session.reading } = replied;
  if (pictures.length > 0) {
    return readPictures(ctx, { pictures, replyTo, language: readingLanguageIn(own) ?? language });
  }
  await translateText(ctx, { text: replied.text, replyTo }, ctx.session.target);
}

/** A bare mention does, and so do words in neither language beside one ("what does this say?"), unless said to the bot's own answer. */
function asksAboutReplied({ message, botInfo }: BotContext, own: string): boolean {
  if (own === '') return true;
  if (message === undefined || !mentions(message, botInfo) || dominantLanguage(own) !== undefined)
    return false;
  return repliedMessage(message)?.from?.id !== botInfo.id;
}

/** "Translate" under a text: it is that of the message that the button hangs on, or the whole that it names. */
export const translateButton: Callback<BotContext> = {
  data: /^translate(?::(?<whole>[\w-]+))?$/,
  isAboutMessage: true,
  told: toldIfGone,
  handle: async (ctx, [, whole]) => {
    const message = pressedMessage(ctx);
    if (message === undefined) return;
    const text = await textOfPressed(ctx, message, whole);
    // Who pressed has been told so.
    if (text === undefined) return;
    await translateText(ctx, { text, replyTo: message.message_id }, 'auto');
  },
};

/** Answers with the translation of a text; without a paid call where there is nothing to translate. */
export async function translateText(ctx: BotContext, source: SourceText, target: Target): Promise<void> {
  const to = await destination(ctx, source, target);
  if (to === undefined) return;
  await whileShowing(ctx, 'typing', (activity) => translate(ctx, source, to, activity));
}

/** Answers with the translation of what pictures say, of an album in one; with just that where there is nothing to translate. */
export async function translatePictures(
  ctx: BotContext,
  asked: PicturesToRead,
  target: Target,
): Promise<void> {
  const { replyTo, language } = asked;
  await whileShowing(ctx, 'typing', async (activity) => {
    const texts = await readOnTheWay(ctx, asked, activity, ['translation']);
    if (texts === undefined) return;
    const text = numbered(texts);
    const again = await readAgainButtons(ctx, asked, language);
    const keyboard: KeyboardFor = (text, whole) => [...translationButtons(ctx)(text, whole), again];
    const to = await destination(ctx, { text, replyTo }, target);
    if (to === undefined) return answer(ctx, text, { keyboard, replyTo });
    await translate(ctx, { text, replyTo }, to, activity, keyboard);
  });
}

/** The language to translate into; undefined where there is none, and then the person has been told why. */
async function destination(
  ctx: BotContext,
  { text, replyTo }: SourceText,
  target: Target,
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
  { text, replyTo }: SourceText,
  to: Language,
  { part }: Activity,
  keyboard: KeyboardFor = translationButtons(ctx),
): Promise<void> {
  const asked = { asker: ctx.asker, signal: ctx.signal, onProgress: part() };
  const translation = await ctx.bot.interpreter.translate(text, to, asked);
  ctx.session.lastText = translation;
  ctx.session.lastOriginal = { text, translation };
  await answer(ctx, translation, { keyboard, replyTo });
}
