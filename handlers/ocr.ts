/** /ocr: read the photo replied to, or choose the language in which photos are read. */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import type { Language } from '../src/language/script.ts';
import { readingLanguageChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext, PressContext } from '../src/telegram/context.ts';
import { repliedTo } from '../src/telegram/message/replied-to.ts';
import { readPictures } from './photo.ts';

/** As a reply to a photo it reads that one, in the language named, else in the session's; alone it chooses or offers the language. */
export async function ocr(ctx: CommandContext): Promise<void> {
  const word = ctx.payload.trim();
  const language = parseReadingLanguage(word);
  const replied = repliedTo(ctx);
  if (replied !== undefined && replied.pictures.length > 0) {
    const { pictures, id: replyTo, language: named = ctx.session.reading } = replied;
    return readPictures(ctx, { pictures, replyTo, language: language ?? named });
  }
  if (replied !== undefined) return notice(ctx, 'ocr-no-photo');
  if (language === undefined)
    return notice(ctx, word === '' ? 'ocr-how' : 'ocr-unknown', { keyboard: readingLanguageChoice(ctx) });
  await choose(ctx, language);
}

/** A press on one of the reading languages offered. */
export async function readingLanguagePressed(ctx: PressContext): Promise<void> {
  const language = parseReadingLanguage(ctx.match[1] ?? '');
  if (language !== undefined) await choose(ctx, language);
}

async function choose(ctx: BotContext, language: Language): Promise<void> {
  ctx.session.reading = language;
  await confirm(ctx, `reading-${language}`);
}
