/** The buttons of a parked request: *Try again* under a failure, *Go on* and *No* under a price. */
import type { BotContext } from '../src/telegram/context.ts';
import { changeButtons, replacePressed } from '../src/telegram/reply/answer.ts';
import type { ButtonStores, Callback } from '../src/telegram/request/callback.ts';

/** Removes the button before the answer comes; in a pause it only says how long that lasts (`until`: ms since the epoch). */
export const tryAgain: Callback<BotContext> = {
  data: /^again:(?<id>\d+):(?<owner>-?\d+)(?::(?<until>\d+))?$/,
  // In a group anybody may retry a request made in its name.
  owned: { notYours: 'try-again-not-yours' },
  gone: 'try-again-gone',
  notice: async (match, stores, message) => {
    const minutes = await minutesLeft(match, stores);
    if (minutes > 0) return { id: 'try-again-later', args: { minutes }, isAlert: false };
    return noticeIfNot('parked', 'try-again-gone')(match, stores, message);
  },
  handle: async (ctx, match) => {
    const [data, id = '', asker = ''] = match;
    if ((await minutesLeft(match, ctx.bot)) > 0) return;
    if (!(await ctx.bot.requests.isParked(Number(id), asker, 'parked'))) return;
    const message = ctx.pressed;
    const buttons = message !== undefined && 'reply_markup' in message ? message.reply_markup : undefined;
    const others = buttons?.inline_keyboard.map((row) =>
      row.filter((button) => !('callback_data' in button && button.callback_data === data)),
    );
    await changeButtons(ctx, others && { inline_keyboard: others.filter((row) => row.length > 0) });
    await ctx.bot.requests.resume(Number(id), asker, 'parked', ctx.work.request.id);
  },
};

/** *Go on* runs the request within the present limits, and its answer replaces the question; *No* drops it. */
export const answerCost: Callback<BotContext> = {
  data: /^(go|no):(?<id>\d+):(?<owner>-?\d+)$/,
  owned: { notYours: 'costly-not-yours' },
  gone: 'costly-gone',
  notice: noticeIfNot('asked', 'costly-gone'),
  handle: async (ctx, [, word, id = '', asker = '']) => {
    if (!(await ctx.bot.requests.isParked(Number(id), asker, 'asked'))) return;
    if (word === 'no') {
      await replacePressed(ctx, ctx.words('costly-not-done'));
      await ctx.bot.requests.withdrawQuestions(asker, Number(id));
    } else {
      await changeButtons(ctx);
      await ctx.bot.requests.resume(Number(id), asker, 'asked', ctx.work.request.id);
    }
  },
};

/** How long the pause still lasts that was on when the request failed; 0 if an admin has ended it. */
async function minutesLeft({ groups }: RegExpExecArray, { pauses }: ButtonStores): Promise<number> {
  const until = groups?.until;
  return until === undefined ? 0 : Math.ceil((await pauses.left(Number(until))) / 60_000);
}

/** A notice if the request is gone. It changes nothing: the message may be an answer by now, with buttons of its own. */
function noticeIfNot(state: 'asked' | 'parked', sentence: string): NonNullable<Callback['notice']> {
  return async ({ groups: { id = '', owner = '' } = {} }, { requests }) =>
    (await requests.isParked(Number(id), owner, state)) ? undefined : { id: sentence, isAlert: true };
}
