/** Reads pictures and documents: those sent, those that /ocr replies to, and again by the button "Read in the other language". */
import {
  parseBothLanguages,
  parseReadingLanguage,
  readingLanguageIn,
} from '../src/language/reading-language.ts';
import type { Language } from '../src/language/script.ts';
import { parseDialect } from '../src/language/variety.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { SETTINGS } from '../src/telegram/reply/settings.ts';
import { type Callback, noticeIfGone } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';
import { albumText } from '../src/telegram/request/parsed-message.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { filesIn, keptFiles } from '../src/work/files.ts';
import { type Source, textSource } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { repliedTo, sourcesReplied } from '../src/work/subject.ts';
import { toTranslate } from '../src/work/translate.ts';
import { toRead, type Wish } from '../src/work/wish.ts';
import { anythingElse } from './anything-else.ts';
import { choiceOf } from './settings.ts';
import { offerAlways } from './speak.ts';

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
      const sources = await sourcesReplied(ctx, replied, ctx.session.reading, word);
      if ((await carryOut(ctx, sources, () => toRead)) && language !== undefined)
        await noteCorrection(ctx, language);
      return;
    }
    if (language !== undefined) return readingLanguage.take(ctx, language);
    await readingLanguage.offer(ctx, word === '' || isBoth ? 'ocr-how' : 'ocr-unknown');
  },
};

/** Photos, images sent as files, albums and documents without a command: applies the person's setting (the setting *photo*). */
export async function sentFiles(ctx: BotContext): Promise<void> {
  const { reading } = ctx.session;
  const sources = await filesIn(ctx, ctx.album, reading);
  if (sources.length === 0) return ofUnreadFiles(ctx);
  const isFound = await carryOut(ctx, sources, bySetting(ctx));
  const [{ languages } = {}] = sources;
  const [named = reading, both] = languages ?? [];
  // The caption named the language.
  if (isFound && named !== reading && both === undefined) await noteCorrection(ctx, named);
}

/** Files that prove to be of no kind that is read: their caption is a text like others. */
async function ofUnreadFiles(ctx: BotContext): Promise<void> {
  const caption = albumText(ctx.album);
  if (caption === '') return anythingElse(ctx);
  await carryOut(ctx, [textSource(caption)], () => toTranslate(ctx.session.target));
}

/** The wish that the person has set for files; a text file, which needs no reading, is at least translated. */
export function bySetting({ session }: BotContext): (source: Source) => Wish {
  const { photo, target } = session;
  const then = photo === 'speak' ? toSpeak(undefined) : undefined;
  const translated = toTranslate(target, { isBySetting: true, then });
  return ({ form }) => (photo === 'read' && form !== 'text' ? toRead : translated);
}

/** Reads the same files in the language, and speaks in the dialect that it names, else applies the person's setting. */
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

/** After this many corrections of the reading language in a row, the bot asks once whether to keep the other language. */
const CORRECTIONS = 2;

/** Counts the pictures that the person had read in the other language. Not in a group, where many people do that. */
async function noteCorrection(ctx: BotContext, language: Language): Promise<void> {
  const { session } = ctx;
  if (!ctx.isPrivate || session.corrections >= CORRECTIONS) return;
  session.corrections = language === session.reading ? 0 : session.corrections + 1;
  if (session.corrections === CORRECTIONS) await readingLanguage.offer(ctx, `keep-reading-${language}`);
}
