/** /cancel and its button. The work before them has stopped already (src/telegram/middleware/running-work.ts). */
import { unlessRefused } from '../src/telegram/api/api-errors.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/reply/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** Running work removes its own progress message; this removes that of finished work. */
const cancelButton: Callback<BotContext> = {
  data: /^cancel:(?<owner>-?\d+)$/,
  owned: { notYours: 'cancel-not-yours', notGroupAdmins: 'cancel-not-yours' },
  stopsWork: true,
  notice: async () => ({ id: 'cancel-heard', isAlert: false }),
  handle: async (ctx) => {
    const message = ctx.callbackQuery?.message;
    if (message !== undefined)
      await unlessRefused(ctx.bot.api.deleteMessage(message.chat.id, message.message_id));
  },
};

export const cancel: Command<BotContext> = {
  name: 'cancel',
  menu: 'everybody',
  stopsWork: true,
  callbacks: [cancelButton],
  handle: async (ctx) => {
    const stopped = await ctx.bot.requests.countStopped(ctx.person);
    const questions = await withdrawQuestions(ctx);
    await notice(ctx, stopped + questions > 0 ? 'cancelled' : 'nothing-to-cancel');
  },
};

/** Withdraws this person's open questions, says so in their place, and returns how many they were. */
async function withdrawQuestions(ctx: BotContext): Promise<number> {
  const questions = await ctx.bot.requests.withdrawQuestions(ctx.person);
  for (const { chat = ctx.chat.id, message } of questions) {
    if (typeof message.id !== 'number') continue;
    const { id } = message;
    const edit = () => ctx.bot.api.editMessageText(chat, id, undefined, ctx.words('costly-not-done'));
    await unlessRefused(ctx.outbox.edit(edit));
  }
  return questions.length;
}
