/** /settings: a button for each setting in one message; a press opens its choices in the same message. */
import { changeSetting, choicesPanel, settingsPanel } from '../src/telegram/answer/settings.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { say } from '../src/telegram/outbox/answer.ts';
import { replaceCallbackMessage } from '../src/telegram/outbox/editing.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

/**
 * A button names the panel's owner and, to open its choices, the setting; to choose one, the value, too, so that a second press changes
 * nothing. Without a setting it leads back to the panel.
 */
const settingButton: Callback<BotContext> = {
  data: /^set:(?<owner>-?\d+)(?::(\w+)(?::([\w-]+))?)?$/,
  owned: OF_SETTINGS,
  isPersonal: true,
  handle: async (ctx, [, , name = '', value]) => {
    if (value !== undefined) changeSetting(ctx.session, name, value);
    const choices = value === undefined ? choicesPanel(ctx, name) : undefined;
    const { text, keyboard } = choices ?? settingsPanel(ctx);
    const isReplaced = await replaceCallbackMessage(ctx, text, keyboard);
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

async function sendPanel(ctx: BotContext): Promise<void> {
  const { text, keyboard } = settingsPanel(ctx);
  await say(ctx, text, { keyboard });
}
