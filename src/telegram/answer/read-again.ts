/** The buttons about the pictures that were read: read them in the other language, translate their caption; and how they are found again for it, after months, too. */
import type { Message } from 'telegraf/types';
import { parseReadingLanguage } from '../../language/reading-language.ts';
import { dominantLanguage, type Language, otherLanguage } from '../../language/script.ts';
import { type AlbumPicture, parseAlbum } from '../../store/kept/answers.ts';
import type { ReceivedContext } from '../context.ts';
import { wordsBesideCommand } from '../request/command.ts';
import { messagesOf } from '../request/request.ts';
import { picturesIn, type SentPicture } from '../request/sent-file.ts';
import { textWithoutMention } from '../request/text-in.ts';
import { type Button, keptForButton } from './buttons.ts';

/** One picture, or those of an album. */
export interface Pictures {
  readonly pictures: readonly SentPicture[];
  /** The message that the answer goes under; undefined where that is in another chat. */
  readonly replyTo: number | undefined;
  /** The id under which they are kept already. */
  readonly keptAs?: string;
}

/**
 * Of one picture its button hangs on an answer to its message, and Telegram tells of that one; an album, and a picture in another chat,
 * are kept for the button. Empty where that fails: an answer without its button is better than none.
 */
export async function readAgainButtons(
  ctx: ReceivedContext,
  asked: Pictures,
  readAs: Language,
): Promise<[Button] | []> {
  const [first, ...more] = asked.pictures;
  const isToldByReply = more.length === 0 && first?.message !== undefined && asked.keptAs === undefined;
  const id = isToldByReply ? undefined : (asked.keptAs ?? (await keep(ctx, asked)));
  if (id === undefined && !isToldByReply) return [];
  const language = otherLanguage(readAs);
  const data = id === undefined ? `read:${language}` : `read:${language}:${id}`;
  return [{ text: ctx.words(`button-read-${language}`), callback_data: data }];
}

/** "Translate caption", where the pictures have one in Tibetan or Chinese that says more than the language to read them in. */
export async function captionButtons(
  ctx: ReceivedContext,
  { pictures, replyTo }: Pictures,
): Promise<Button[]> {
  const captions = pictures.map(({ message }) => ({ message, caption: message && captionOf(ctx, message) }));
  const captioned = captions.find(({ caption }) => caption !== undefined);
  if (captioned?.caption === undefined) return [];
  const text = ctx.words('button-translate-caption');
  // Telegram tells of the one message that the answer replies to.
  if (captioned.message?.message_id === replyTo) return [{ text, callback_data: 'caption' }];
  const id = await keptForButton(ctx.bot, ctx.person, captioned.caption);
  return id === undefined ? [] : [{ text, callback_data: `translate:${id}` }];
}

/** What a caption has to say beside a command and mentions; undefined where it is in neither language, or only names one. */
export function captionOf({ bot, botInfo }: ReceivedContext, message: Message): string | undefined {
  const caption = wordsBesideCommand(message, bot) ?? textWithoutMention(message, botInfo);
  const isText = dominantLanguage(caption) !== undefined && parseReadingLanguage(caption) === undefined;
  return isText ? caption : undefined;
}

function keep(ctx: ReceivedContext, { pictures }: Pictures): Promise<string | undefined> {
  const asker = ctx.msg?.message_id ?? 0;
  const kept = pictures.map(({ file, message }): AlbumPicture => {
    return { message: message?.message_id ?? asker, fileId: file.file_id, uniqueId: file.file_unique_id };
  });
  return keptForButton(ctx.bot, ctx.person, JSON.stringify(kept));
}

/** The pictures that are kept under this id; undefined where they are kept no more. */
export async function keptPictures(ctx: ReceivedContext, id: string): Promise<Pictures | undefined> {
  const whole = await ctx.bot.wholes.find(id);
  if (whole === undefined) return undefined;
  const { chat, from } = ctx;
  const date = ctx.callbackQuery?.message?.date ?? 0;
  const messages = messagesOf(parseAlbum(whole), { date, chat, from });
  return { pictures: picturesIn(messages, ctx.bot.api), replyTo: messages[0]?.message_id, keptAs: id };
}
