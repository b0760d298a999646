/** How one message of an answer goes out: by way of the request's other answers, and in a group in its turn. */
import type { MessageEntity } from 'telegraf/types';
import type { ReceivedContext } from '../context.ts';
import { askerName, type Place } from '../request/place.ts';
import { type Keyboard, markup } from './buttons.ts';
import { inTopic } from './closed-topic.ts';
import { editText } from './editing.ts';

/** What a long answer is called as a file; the bot knows its own by it (text-of.ts). */
export const TEXT_FILE_NAME = 'lotsawa.txt';

/** Where a message goes, and what hangs on it. */
export interface TextPlacing {
  readonly keyboard?: Keyboard | undefined;
  readonly place: Place;
  readonly isRepeatable?: boolean | undefined;
  /** What of a text of ours is set off; never made of markup, which what people write could hold, too. */
  readonly entities?: MessageEntity[] | undefined;
}

/** Sends a text that one message holds, or edits the message in whose place it comes. */
export async function postText(
  ctx: ReceivedContext,
  text: string,
  { keyboard, place, isRepeatable, entities }: TextPlacing,
): Promise<void> {
  const extra = {
    link_preview_options: { is_disabled: true },
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
    ...(entities === undefined ? {} : { entities }),
  };
  const send = async (place: Place) => {
    const whole = { ...place, ...extra };
    if (ctx.isPrivate) return ctx.telegram.sendMessage(ctx.chat.id, text, whole);
    return ctx.bot.sendToGroup({
      group: ctx.chat.id,
      text,
      name: askerName(ctx),
      extra: whole,
      signal: ctx.stopping,
    });
  };
  await ctx.answering.post({
    kind: 'text',
    send: () => inTopic(ctx, place, send),
    edit: (messageId) => editText(ctx, ctx.chat.id, messageId, text, extra),
    isRepeatable,
  });
}

/** Sends a text of any length as a file. */
export async function postTextFile(
  ctx: ReceivedContext,
  text: string,
  { keyboard, place }: TextPlacing,
): Promise<void> {
  const file = { source: Buffer.from(text, 'utf8'), filename: TEXT_FILE_NAME };
  const extra = {
    caption: ctx.words('whole-text'),
    ...(keyboard === undefined ? {} : { reply_markup: markup(keyboard) }),
  };
  await ctx.answering.post({
    kind: 'other',
    send: () =>
      inTopic(ctx, place, (place) => ctx.telegram.sendDocument(ctx.chat.id, file, { ...place, ...extra })),
  });
}
