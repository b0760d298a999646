/** /ocr: reads the photo replied to, or sets the reading language. */
import {
  parseBothLanguages,
  parseReadingLanguage,
  readingLanguageIn,
} from '../src/language/reading-language.ts';
import type { Language } from '../src/language/script.ts';
import { SETTINGS } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';
import { toRead } from '../src/work/wish.ts';
import { choiceOf } from './settings.ts';

const readingLanguage = choiceOf('reading', SETTINGS.reading, parseReadingLanguage, (_, language) => [
  `reading-${language}`,
]);

/** As a reply to a photo, reads it in the language named, in both, or in the session's. Alone, sets or offers the reading language. */
export const ocr: Command<BotContext> = {
  name: 'ocr',
  menu: 'groups',
  about: ['picture'],
  callbacks: [readingLanguage.button],
  handle: async (ctx, word) => {
    const isBoth = parseBothLanguages(word) !== undefined;
    const language = isBoth ? undefined : (parseReadingLanguage(word) ?? readingLanguageIn(word));
    const replied = await repliedTo(ctx, 'whole');
    if (replied !== undefined) {
      const sources = sourcesReplied(ctx, replied, ctx.session.reading, word);
      if ((await carryOut(ctx, sources, () => toRead)) && language !== undefined)
        await noteCorrection(ctx, language);
      return;
    }
    if (language !== undefined) return readingLanguage.take(ctx, language);
    await readingLanguage.offer(ctx, word === '' || isBoth ? 'ocr-how' : 'ocr-unknown');
  },
};

/** After this many corrections of the reading language in a row, the bot asks once whether to keep the other language. */
const CORRECTIONS = 2;

/** Counts the pictures that the person had read in the other language. Not in a group, where many people do that. */
export async function noteCorrection(ctx: BotContext, language: Language): Promise<void> {
  const { session } = ctx;
  if (!ctx.isPrivate || session.corrections >= CORRECTIONS) return;
  session.corrections = language === session.reading ? 0 : session.corrections + 1;
  if (session.corrections === CORRECTIONS) await readingLanguage.offer(ctx, `keep-reading-${language}`);
}
