/** /ocr: read the photo replied to, or choose the language in which photos are read. */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { LANGUAGES, type Language } from '../src/language/script.ts';
import { settingChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { repliedTo } from '../src/telegram/request/replied-to.ts';
import { readPictures } from './photo.ts';

const readingButton: Callback<BotContext> = {
  data: /^reading:(\w+)(?::(?<owner>-?\d+))?$/,
  owned: OF_SETTINGS,
  handle: async (ctx, [, word = '']) => {
    const language = parseReadingLanguage(word);
    if (language !== undefined) await choose(ctx, language);
  },
};

/** As a reply to a photo it reads that one, in the language named, else in the session's; alone it chooses or offers the language. */
export const ocr: Command<BotContext> = {
  name: 'ocr',
  menu: 'everybody',
  about: ['picture'],
  callbacks: [readingButton],
  handle: async (ctx, word) => {
    const language = parseReadingLanguage(word);
    const replied = await repliedTo(ctx);
    if (replied !== undefined && replied.pictures.length > 0) {
      const { pictures, id: replyTo, language: named = ctx.session.reading } = replied;
      return readPictures(ctx, { pictures, replyTo, language: language ?? named });
    }
    if (replied !== undefined) return notice(ctx, 'ocr-no-photo');
    if (language !== undefined) return choose(ctx, language);
    const label = (value: Language) => ctx.words(`language-${value}`);
    const keyboard = settingChoice(ctx, 'reading', LANGUAGES, ctx.session.reading, label);
    await notice(ctx, word === '' ? 'ocr-how' : 'ocr-unknown', { keyboard });
  },
};

async function choose(ctx: BotContext, language: Language): Promise<void> {
  ctx.session.reading = language;
  await confirm(ctx, `reading-${language}`);
}
