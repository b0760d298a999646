/** /settings: every setting of a person in one message, changed in place. */
import { replacePressed } from '../src/telegram/answer/pressed-edits.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import { changeSetting, settingsInWords, settingsKeyboard } from '../src/telegram/answer/settings-panel.ts';
import type { BotContext, PressContext } from '../src/telegram/context.ts';

/** Sends a panel with the present values. */
export function settings(ctx: BotContext): Promise<void> {
  return notice(ctx, 'settings', { args: settingsInWords(ctx), keyboard: settingsKeyboard(ctx) });
}

/** A button names the panel's owner, the setting and the value, so it asks for the same however often it is pressed. */
export async function settingPressed(ctx: PressContext): Promise<void> {
  const [, , name = '', value = ''] = ctx.match;
  changeSetting(ctx.session, name, value);
  const replaced = await replacePressed(
    ctx,
    ctx.words('settings', settingsInWords(ctx)),
    settingsKeyboard(ctx),
  );
  if (!replaced) await settings(ctx);
}
