/** The text of a photo, of an image sent as a file, or of an album. */
import type { Asked } from '../src/interpreter/request.ts';
import { parseReadingLanguage } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language } from '../src/language/script.ts';
import type { CallKind } from '../src/paid-calls.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import {
  keptPictures,
  type Pictures,
  type PicturesToRead,
  pictureButtons,
  recognitionButtons,
} from '../src/telegram/answer/buttons.ts';
import { answerRecognised, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, callbackMessage } from '../src/telegram/request/callback.ts';
import { readingsOf } from '../src/telegram/request/own-text.ts';
import { repliedToBy } from '../src/telegram/request/replied-to.ts';
import type { SentPicture } from '../src/telegram/request/sent-file.ts';
import { readAlbum, readAlbumOnTheWay } from './album.ts';

/** Answers with the text of the pictures. */
export async function readPictures(ctx: BotContext, asked: PicturesToRead): Promise<void> {
  const [only, ...more] = asked.pictures;
  if (only === undefined || more.length > 0) return readAlbum(ctx, asked);
  const { language, replyTo } = asked;
  const text = await whileShowing(ctx, 'typing', () => read(ctx, only, language));
  if (text === '') return sayNothingFound(ctx, asked);
  const [reading = ''] = await readingsOf(ctx, [text]);
  ctx.session.lastText = reading;
  const { again, caption } = await pictureButtons(ctx, asked);
  await answerRecognised(ctx, text, { keyboard: recognitionButtons(ctx, again, caption), replyTo, reading });
}

/** "Read in the other language": it names the pictures, or hangs on an answer to the one that it is about. */
export const readAgain: Callback<BotContext> = {
  data: /^read:(\w+)(?::(?<whole>[\w-]+))?$/,
  told: async ({ groups }, { wholes }, message) => {
    const whole = groups?.whole;
    const isThere = whole === undefined ? isReply(message) : (await wholes.find(whole)) !== undefined;
    return isThere ? undefined : { id: 'photo-gone', isAlert: true };
  },
  handle: async (ctx, [, word = '', id]) => {
    const language = parseReadingLanguage(word);
    const asked = id === undefined ? await repliedPicture(ctx) : await keptPictures(ctx, id);
    if (language !== undefined && asked !== undefined) return readPictures(ctx, { ...asked, language });
    // Of anything else its sender has been told.
    if (id === undefined && isReply(ctx.callbackQuery?.message)) await notice(ctx, 'photo-gone');
  },
};

/** Whether Telegram still tells of a message that it replies to. */
function isReply(message: object | undefined): boolean {
  return message !== undefined && ('reply_to_message' in message || 'external_reply' in message);
}

async function repliedPicture(ctx: BotContext): Promise<Pictures | undefined> {
  const { pictures = [], id } = (await repliedToBy(ctx, callbackMessage(ctx))) ?? {};
  return pictures.length === 0 ? undefined : { pictures, replyTo: id };
}

/**
 * What each picture says (the reading of its text) on the way to something else, which takes these paid calls more at least, or where they have none that
 * of their caption; of a picture in which nothing was found, or that failed, an empty one. Undefined where there is no text at all, and
 * then the person has been told.
 */
export async function readOnTheWay(
  ctx: BotContext,
  asked: PicturesToRead,
  activity: Activity,
  callsAfter: readonly CallKind[],
): Promise<readonly string[] | undefined> {
  const { pictures, language, caption = '' } = asked;
  const [only, ...more] = pictures;
  const texts =
    only === undefined || more.length > 0
      ? await readAlbumOnTheWay(ctx, asked, activity, callsAfter)
      : [await read(ctx, only, language, { onProgress: activity.part(), callsAfter })];
  if (texts?.some((text) => text !== '')) return readingsOf(ctx, texts);
  if (texts === undefined) return undefined;
  const onlyNamesLanguage = parseReadingLanguage(caption) !== undefined;
  if (!onlyNamesLanguage && dominantLanguage(caption) !== undefined) return [caption];
  await sayNothingFound(ctx, asked);
  return undefined;
}

async function sayNothingFound(ctx: BotContext, asked: PicturesToRead): Promise<void> {
  const { language, replyTo } = asked;
  const { again, caption } = await pictureButtons(ctx, asked);
  await notice(ctx, `nothing-found-${language}`, { keyboard: [again, caption], replyTo });
}

function read(
  { bot, asker, signal }: BotContext,
  { picture }: SentPicture,
  language: Language,
  more: Pick<Asked, 'onProgress' | 'callsAfter'> = {},
): Promise<string> {
  return bot.interpreter.recognise(picture, language, { asker, signal, ...more });
}
