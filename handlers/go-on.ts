/** *Go on* and *No*, under the question whether a request is to be done for what it costs (src/telegram/answer/cost-question.ts). */
import { editButtons, replaceCallbackMessage } from '../src/telegram/answer/editing.ts';
import type { BotContext } from '../src/telegram/context.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** What was asked in a chat's name, anybody there may answer for, as they might ask it. */
const OF_ITS_ASKER: Callback['owned'] = { notYours: 'costly-not-yours', isInOwnersName: false };

const toldIfNotThere: Callback['told'] = async ([, id = '', asker = ''], { parked }) =>
  (await parked.find(id, asker)) === undefined ? { id: 'costly-gone', isAlert: true } : undefined;

/** The request is done under the limits as they are then; its answer takes the question's place. */
export const goOn: Callback<BotContext> = {
  data: /^go:([\w-]+):(?<owner>-?\d+)$/,
  owned: OF_ITS_ASKER,
  told: toldIfNotThere,
  handle: async (ctx, [, id = '', asker = '']) => {
    // Who pressed has been told so; that message may be an answer by now, with buttons of its own.
    if (!(await ctx.bot.parked.isThere(id, asker))) return;
    const message = ctx.callbackQuery?.message;
    const place = message && { chat: message.chat.id, message: message.message_id };
    if (place !== undefined) await editButtons(ctx, place.chat, place.message);
    await ctx.bot.parked.repeat(id, asker, place);
  },
};

export const no: Callback<BotContext> = {
  data: /^no:([\w-]+):(?<owner>-?\d+)$/,
  owned: OF_ITS_ASKER,
  told: toldIfNotThere,
  handle: async (ctx, [, id = '', asker = '']) => {
    if (!(await ctx.bot.parked.isThere(id, asker))) return;
    await replaceCallbackMessage(ctx, ctx.words('costly-not-done'));
    await ctx.bot.parked.drop(id);
  },
};
