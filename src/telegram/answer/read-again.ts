/** The button that has the same pictures read in the other language, and how they are found again for it, after months, too. */
import { type Language, otherLanguage } from '../../language/script.ts';
import { type AlbumPicture, parseAlbum } from '../../store/kept/answers.ts';
import type { ReceivedContext } from '../context.ts';
import { messagesOf } from '../request/kept-album.ts';
import { picturesIn, type SentPicture } from '../request/picture-in.ts';
import type { Button } from './buttons.ts';

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
  try {
    const id = isToldByReply ? undefined : (asked.keptAs ?? (await keep(ctx, asked)));
    const language = otherLanguage(readAs);
    const data = id === undefined ? `read:${language}` : `read:${language}:${id}`;
    return [{ text: ctx.words(`button-read-${language}`), callback_data: data }];
  } catch (error) {
    ctx.bot.log.warn({ error }, 'pictures were not kept for their button');
    return [];
  }
}

function keep(ctx: ReceivedContext, { pictures }: Pictures): Promise<string> {
  const asker = ctx.msg?.message_id ?? 0;
  const kept = pictures.map(({ file, message }): AlbumPicture => {
    return { message: message?.message_id ?? asker, fileId: file.file_id, uniqueId: file.file_unique_id };
  });
  return ctx.bot.wholes.keep(ctx.person, JSON.stringify(kept));
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
