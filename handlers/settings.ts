/** /settings: shows every setting of a person in one message, whose buttons change them in place. */
import { changeSetting, settingsInWords, settingsKeyboard } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import { replaceCallbackMessage } from '../src/telegram/outbox/editing.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

/** A button names the panel's owner, the setting and the value, so a second press changes nothing. */
const settingButton: Callback<BotContext> = {
  data: /^set:(?<owner>-?\d+):(\w+):([\w-]+)$/,
  owned: OF_SETTINGS,
  isPersonal: true,
  handle: async (ctx, [, , name = '', value = '']) => {
    changeSetting(ctx.session, name, value);
    const panel = ctx.words('settings', settingsInWords(ctx));
    const isReplaced = await replaceCallbackMessage(ctx, panel, settingsKeyboard(ctx));
    if (!isReplaced) await sendPanel(ctx);
  },
};

/** Sends a panel with the present values. */
export const settings: Command<BotContext> = {
  name: 'settings',
  menu: 'everybody',
  isEphemeral: true,
  isPersonal: true,
  callbacks: [settingButton],
  handle: sendPanel,
};

function sendPanel(ctx: BotContext): Promise<void> {
  return notice(ctx, 'settings', { args: settingsInWords(ctx), keyboard: settingsKeyboard(ctx) });
}
