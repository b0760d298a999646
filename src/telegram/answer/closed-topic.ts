/** Answers whose topic was closed, or deleted, while they were made: they go to General, under a line that says what they answer. */
import { isTopicClosed, isTopicGone } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { askerName, linkToAsking, type Place } from '../request/place.ts';

/**
 * Sends to its place, else to General. A member there sees who asked, and gets to the question; the line is a message of its own, since
 * the buttons under an answer act on all of its text. Throws what Telegram answers where General is closed, too.
 */
export async function inTopic<T>(
  ctx: ReceivedContext,
  place: Place,
  send: (place: Place) => Promise<T>,
): Promise<T> {
  if (place.message_thread_id === undefined) return send(place);
  if (ctx.insteadOfTopic === undefined) {
    try {
      return await send(place);
    } catch (error) {
      if (!isTopicGone(error)) throw error;
      // In a private chat there is one person to be answered, who knows what was asked.
      if (ctx.isPrivate) return send({ ...place, message_thread_id: undefined });
      ctx.insteadOfTopic = await sayWhatFollows(ctx, isTopicClosed(error));
    }
  }
  return send({
    reply_parameters: { message_id: ctx.insteadOfTopic, allow_sending_without_reply: true },
  });
}

/** Gives the number of the line that says so, with the question's address where there is still a question. */
async function sayWhatFollows(ctx: ReceivedContext, isQuestionThere: boolean): Promise<number> {
  const { from, message } = ctx;
  const name = askerName(ctx);
  const text = isQuestionThere
    ? ctx.words('topic-closed', { name, link: linkToAsking(ctx) })
    : ctx.words('topic-gone', { name });
  const isPerson = from !== undefined && message?.sender_chat === undefined;
  const { message_id } = await ctx.telegram.sendMessage(ctx.chat.id, text, {
    link_preview_options: { is_disabled: true },
    ...(isPerson
      ? { entities: [{ type: 'text_mention', offset: text.indexOf(name), length: name.length, user: from }] }
      : {}),
  });
  return message_id;
}
