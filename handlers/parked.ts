/** The buttons of a parked request (src/telegram/intake/parked-requests.ts): *Try again* under a failure, *Go on* and *No* under a price. */
import { editButtons, removeCallbackButton, replaceCallbackMessage } from '../src/telegram/answer/editing.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** The first press removes the button, before the answer replaces its message. */
export const tryAgain: Callback<BotContext> = {
  data: /^again:(?<id>[\w-]+):(?<owner>-?\d+)$/,
  // Anybody in a group may repeat what was asked in its name.
  owned: { notYours: 'try-again-not-yours', isInOwnersName: false },
  gone: 'try-again-gone',
  notice: noticeIfNotParked('try-again-gone'),
  handle: async (ctx, [data, id = '', asker = '']) => {
    if (!(await ctx.bot.parked.isThere(id, asker))) return;
    await removeCallbackButton(ctx, data);
    await ctx.bot.parked.repeat(id, asker, placeOf(ctx));
  },
};

/** *Go on* repeats the request within the present limits, and its answer replaces the question; *No* drops it. */
export const answerCost: Callback<BotContext> = {
  data: /^(go|no):(?<id>[\w-]+):(?<owner>-?\d+)$/,
  // As above: anybody in a group may answer.
  owned: { notYours: 'costly-not-yours', isInOwnersName: false },
  gone: 'costly-gone',
  notice: noticeIfNotParked('costly-gone'),
  handle: async (ctx, [, word, id = '', asker = '']) => {
    if (!(await ctx.bot.parked.isThere(id, asker))) return;
    if (word === 'no') {
      await replaceCallbackMessage(ctx, ctx.words('costly-not-done'));
      return ctx.bot.parked.drop(id);
    }
    const place = placeOf(ctx);
    if (place !== undefined) await editButtons(ctx, place.chat, place.message);
    await ctx.bot.parked.repeat(id, asker, place);
  },
};

/** Tells the presser that the request is gone. Changes nothing: the message may be an answer by now, with buttons of its own. */
function noticeIfNotParked(sentence: string): Callback['notice'] {
  return async ({ groups: { id = '', owner = '' } = {} }, { parked }) =>
    (await parked.find(id, owner)) === undefined ? { id: sentence, isAlert: true } : undefined;
}

function placeOf({ callbackQuery }: BotContext) {
  const message = callbackQuery?.message;
  return message && { chat: message.chat.id, message: message.message_id };
}
