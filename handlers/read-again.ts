/**
 * "Read in the other language", under the text of pictures or of a document: reads the same pictures or pages. With a dialect after it, also
 * translates and speaks them.
 */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { parseDialect } from '../src/language/variety.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, noticeIfGone } from '../src/telegram/request/callback.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { keptFiles } from '../src/work/files.ts';
import { toSpeak } from '../src/work/speak.ts';
import { noteCorrection } from './ocr.ts';
import { bySetting } from './sent-files.ts';
import { offerAlways } from './speak.ts';

/** Reads in the language, and speaks in the dialect, else applies the person's setting for files. */
export const readAgain: Callback<BotContext> = {
  data: /^read:(\w+):(?<whole>[\w-]+)(?:@(\w+))?$/,
  notice: noticeIfGone('files'),
  handle: async (ctx, [, word = '', id = '', dialect = '']) => {
    const language = parseReadingLanguage(word);
    const source = language && (await keptFiles(ctx, id, language));
    // `notice` has told the sender.
    if (language === undefined || source === undefined) return;
    const variety = parseDialect(dialect);
    const wish = variety === undefined ? bySetting(ctx) : () => toSpeak(variety, { from: language });
    const isFound = await carryOut(ctx, [source], wish);
    if (isFound) await (variety ? offerAlways(ctx, language) : noteCorrection(ctx, language));
  },
};
