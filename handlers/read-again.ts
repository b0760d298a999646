/**
 * "Read in the other language", under the text of pictures or of a document: reads the same pictures or pages. With a dialect after it, also
 * translates and speaks them.
 */
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import type { Language } from '../src/language/script.ts';
import { parseDialect } from '../src/language/variety-names.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { type Callback, callbackMessage, noticeIfGone } from '../src/telegram/request/callback.ts';
import { carryOut } from '../src/work/carry-out.ts';
import { keptPages } from '../src/work/document.ts';
import { keptPictures } from '../src/work/pictures.ts';
import type { Source } from '../src/work/source.ts';
import { toSpeak } from '../src/work/speak.ts';
import { filesIn, repliedToBy } from '../src/work/subject.ts';
import { noteCorrection } from './ocr.ts';
import { bySetting } from './sent-files.ts';
import { offerAlways } from './speak.ts';

/** The button names the stored pictures, or its message replies to the picture. */
export const readAgain: Callback<BotContext> = {
  data: /^read:(\w+)(?::(?<whole>[\w-]+))?(?:@(\w+))?$/,
  notice: async ({ groups }, { wholes }, message) => {
    const whole = groups?.whole;
    const isThere =
      whole === undefined ? isReply(message) : (await wholes.find('pictures', whole)) !== undefined;
    return isThere ? undefined : { id: 'photo-gone', isAlert: true };
  },
  handle: async (ctx, [, word = '', id, dialect]) => {
    const language = parseReadingLanguage(word);
    if (language === undefined) return;
    const source =
      id === undefined ? await repliedPicture(ctx, language) : await keptPictures(ctx, id, language);
    if (source !== undefined) return readIn(ctx, source, language, dialect);
    // `notice` has told the sender in all other cases.
    if (id === undefined && isReply(ctx.callbackQuery?.message)) await notice(ctx, 'photo-gone');
  },
};

/** Reads in this language, and speaks in the dialect, else applies the person's setting for files. */
async function readIn(ctx: BotContext, source: Source, language: Language, dialect = ''): Promise<void> {
  const variety = parseDialect(dialect);
  const isFound = await carryOut(
    ctx,
    [source],
    variety ? () => toSpeak(variety, { from: language }) : bySetting(ctx),
  );
  if (isFound) await (variety ? offerAlways(ctx, language) : noteCorrection(ctx, language));
}

/** Whether Telegram still delivers the message that it replies to. */
function isReply(message: object | undefined): boolean {
  return message !== undefined && ('reply_to_message' in message || 'external_reply' in message);
}

async function repliedPicture(ctx: BotContext, language: Language): Promise<Source | undefined> {
  const { parts = [] } = (await repliedToBy(ctx, callbackMessage(ctx))) ?? {};
  return filesIn(ctx, parts, { named: language, usual: language }).find(({ form }) => form === 'lines');
}

export const readPagesAgain: Callback<BotContext> = {
  data: /^pages:(\w+):(?<whole>[\w-]+?)(?:@(\w+))?$/,
  notice: noticeIfGone('document-gone', 'document'),
  handle: async (ctx, [, word = '', id = '', dialect]) => {
    const language = parseReadingLanguage(word);
    const source = language && (await keptPages(ctx, id, language));
    // `notice` has told the sender.
    if (language !== undefined && source !== undefined) await readIn(ctx, source, language, dialect);
  },
};
