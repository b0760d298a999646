/** How pictures of the bot's own go out: a photo by its id where Telegram has it, a chart with its words. */
import type { MessageEntity } from 'telegraf/types';
import { forbidsKind } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { pictureFileIn } from '../request/sent-file.ts';
import { inTopic, placeOf, postText, topicOf } from './posting.ts';
import { unlessForgotten } from './voice-answer.ts';

/** Where a photo was sent, and under which id Telegram has it now. */
export interface SentPhoto {
  readonly messageId: number | undefined;
  readonly fileId: string | undefined;
}

/** By the id that is known; else, or where Telegram has forgotten it, as an upload. */
export async function answerWithOwnPhoto(
  ctx: ReceivedContext,
  known: string | undefined,
  load: () => Promise<Buffer>,
): Promise<SentPhoto> {
  let fileId = known;
  const send = async () => {
    const place = topicOf(ctx);
    const again =
      known === undefined
        ? undefined
        : await unlessForgotten(ctx.telegram.sendPhoto(ctx.chat.id, known, place));
    const sent =
      again ??
      (await ctx.telegram.sendPhoto(ctx.chat.id, { source: await load(), filename: 'lotsawa.jpg' }, place));
    fileId = pictureFileIn(sent)?.file_id;
    return sent;
  };
  await ctx.answering.post({ kind: 'other', send });
  return { messageId: ctx.answering.given.at(-1)?.id, fileId };
}

/** Sends a picture with what it shows in words, which a caption holds; `entities` set parts of them off. */
export async function answerWithPicture(
  ctx: ReceivedContext,
  png: Buffer,
  words: string,
  entities: MessageEntity[],
): Promise<void> {
  const asked = placeOf(ctx, undefined);
  const file = { source: png, filename: 'lotsawa.png' };
  const extra = { caption: words, caption_entities: entities };
  const send = () =>
    inTopic(ctx, asked, (place) => ctx.telegram.sendPhoto(ctx.chat.id, file, { ...place, ...extra }));
  try {
    await ctx.answering.post({ kind: 'other', send });
  } catch (error) {
    // A group that takes no pictures has the words at least.
    if (!forbidsKind(error)) throw error;
    await postText(ctx, words, { place: asked, entities });
  }
}
