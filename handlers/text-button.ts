/** Buttons under a text, which act on the text of their message, or on the stored text that they name. */
import type { Message } from 'telegraf/types';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, noticeIfGone } from '../src/telegram/request/callback.ts';
import { type ShownText, textOfCallback } from '../src/work/subject.ts';

interface Pressed extends ShownText {
  readonly message: Message;
  /** The word in the button's data, after its name. */
  readonly word: string;
  /** The id under which the text is stored, if the message holds only its end. */
  readonly whole: string | undefined;
}

/** A button whose data are `name`, or `name:WORD` for one `withWord`, and the id of the stored text, if there is one. */
export function textButton(
  name: string,
  handle: (ctx: BotContext, pressed: Pressed) => Promise<void>,
  { withWord = false } = {},
): Callback<BotContext> {
  return {
    data: new RegExp(`^${name}${withWord ? ':(?<word>\\w+)' : ''}(?::(?<whole>[\\w-]+))?$`),
    isAboutMessage: true,
    notice: noticeIfGone('text'),
    handle: async (ctx, { groups: { word = '', whole } = {} }) => {
      const message = ctx.pressed;
      const shown = message && (await textOfCallback(ctx, message, whole));
      // `notice` has told the sender.
      if (message !== undefined && shown !== undefined) await handle(ctx, { ...shown, message, word, whole });
    },
  };
}
