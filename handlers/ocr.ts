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
import { choiceOf } from './preferences.ts';

const readingLanguage = choiceOf(
  'reading',
  SETTINGS.reading,
  parseReadingLanguage,
  (language) => `reading-${language}`,
);

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
      const sources = sourcesReplied(ctx, replied, {
        words: word,
        named: isBoth ? 'both' : language,
        usual: ctx.session.reading,
      });
      if ((await carryOut(ctx, sources, () => toRead)) && language !== undefined)
        await noteCorrection(ctx, language);
      return;
    }
    if (language !== undefined) return readingLanguage.take(ctx, language);
    await readingLanguage.offer(ctx, word === '' || isBoth ? 'ocr-how' : 'ocr-unknown');
  },
};

/** After so many pictures in a row that were to be read in the other language, the person is asked whether to keep that; once. */
const CORRECTIONS = 2;

/** Notes in which language the person wanted a picture to be read. In a group many do, and nobody is asked. */
export async function noteCorrection(ctx: BotContext, language: Language): Promise<void> {
  const { session } = ctx;
  if (!ctx.isPrivate || session.corrections >= CORRECTIONS) return;
  session.corrections = language === session.reading ? 0 : session.corrections + 1;
  if (session.corrections === CORRECTIONS) await readingLanguage.offer(ctx, `keep-reading-${language}`);
}
