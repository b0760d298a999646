/** "More" under a translation in a group that the bot listens to: shows the buttons that other translations have from the start. */
import { markup, translationButtons } from '../src/telegram/answer/buttons.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { editButtons } from '../src/telegram/outbox/editing.ts';
import { type Callback, callbackMessage, noticeIfGone } from '../src/telegram/request/callback.ts';
import { textOfCallback } from '../src/work/subject.ts';

export const more: Callback<BotContext> = {
  data: /^more(?::(?<whole>[\w-]+))?$/,
  isAboutMessage: true,
  notice: noticeIfGone('callback-too-old'),
  handle: async (ctx, [, whole]) => {
    const message = callbackMessage(ctx);
    const text = message && (await textOfCallback(ctx, message, whole));
    // `notice` has told the sender.
    if (message === undefined || text === undefined) return;
    await editButtons(ctx, message.chat.id, message.message_id, markup(translationButtons(ctx)(text, whole)));
  },
};
