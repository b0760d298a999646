/** How a photo of the bot's own goes out: by its id where Telegram has it. */
import type { ReceivedContext } from '../context.ts';
import { pictureFileIn } from '../request/picture-in.ts';
import { topicOf } from '../request/place.ts';
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
