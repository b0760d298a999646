/** A photo, an image sent as a file, or an album: its text is read. */
import type { Asked, Picture } from '../src/interpreter/request.ts';
import { parseReadingLanguage, readingLanguageIn } from '../src/language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../src/language/script.ts';
import { type Activity, whileShowing } from '../src/telegram/answer/activity.ts';
import { readAgainButton, readingButtons } from '../src/telegram/answer/buttons.ts';
import { answerRecognised } from '../src/telegram/answer/recognised-text.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, PressContext } from '../src/telegram/context.ts';
import { pictureIn } from '../src/telegram/message/picture-in.ts';
import { pressedMessage } from '../src/telegram/message/pressed-message.ts';
import { repliedTo } from '../src/telegram/message/replied-to.ts';
import { textIn } from '../src/telegram/message/text-in.ts';
import { type AlbumPart, readAlbum } from './album.ts';

/** A picture, and the message that holds it: the answer goes under that one, where its buttons find the picture again. */
export interface SentPicture {
  readonly picture: Picture;
  /** Undefined where that message is in another chat. */
  readonly replyTo: number | undefined;
  /** In which it is to be read, as its caption says; undefined where that names none. */
  readonly language?: Language | undefined;
  readonly caption?: string;
}

/** A caption that names a language decides for this once; else the session's reading language does. */
export async function photo(ctx: BotContext): Promise<void> {
  const named = ctx.album
    .map((message) => readingLanguageIn(textIn(message)))
    .find((language) => language !== undefined);
  const language = named ?? ctx.session.reading;
  const parts = ctx.album.flatMap((message): AlbumPart[] => {
    const picture = pictureIn(message, ctx.bot.api);
    return picture === undefined ? [] : [{ message, picture }];
  });
  const [only, ...more] = parts;
  if (only !== undefined && more.length === 0) {
    return readPicture(ctx, { picture: only.picture, replyTo: only.message.message_id }, language);
  }
  await readAlbum(ctx, parts, language);
}

/** Answers with the text of one picture. */
export async function readPicture(
  ctx: BotContext,
  { picture, replyTo }: SentPicture,
  language: Language,
): Promise<void> {
  const text = await whileShowing(ctx, 'typing', () => read(ctx, picture, language));
  if (text === '') return sayNothingFound(ctx, language, replyTo);
  ctx.session.lastText = text;
  await answerRecognised(ctx, text, { keyboard: readingButtons(ctx, language), replyTo });
}

/** A press on "read in the other language", under what was read: the photo is the message that this one replies to. */
export async function readAgainPressed(ctx: PressContext): Promise<void> {
  const language = parseReadingLanguage(ctx.match[1] ?? '');
  const replied = repliedTo(ctx, pressedMessage(ctx));
  if (language === undefined || replied?.picture === undefined) return notice(ctx, 'photo-gone');
  await readPicture(ctx, { picture: replied.picture, replyTo: replied.id }, language);
}

/**
 * The text of a picture on the way to something else, which takes so many paid calls more at least, or where it has none that of its
 * caption; undefined where there is neither, and then the person has been told.
 */
export async function readOnTheWay(
  ctx: BotContext,
  { picture, replyTo, language = ctx.session.reading, caption = '' }: SentPicture,
  { part }: Activity,
  callsAfter = 0,
): Promise<string | undefined> {
  const text = await read(ctx, picture, language, { onProgress: part(), callsAfter });
  if (text !== '') return text;
  const onlyNamesLanguage = parseReadingLanguage(caption) !== undefined;
  if (!onlyNamesLanguage && dominantLanguage(caption) !== undefined) return caption;
  await sayNothingFound(ctx, language, replyTo);
  return undefined;
}

async function sayNothingFound(
  ctx: BotContext,
  language: Language,
  replyTo: number | undefined,
): Promise<void> {
  const again = readAgainButton(ctx, otherLanguage(language));
  await notice(ctx, `nothing-found-${language}`, { keyboard: [[again]], replyTo });
}

function read(
  { bot, asker, signal }: BotContext,
  picture: Picture,
  language: Language,
  more: Pick<Asked, 'onProgress' | 'callsAfter'> = {},
): Promise<string> {
  return bot.interpreter.read(picture, language, { asker, signal, ...more });
}
