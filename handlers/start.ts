/** /start: who the bot is and what to do first, which is another thing in a group; a link (t.me/bot?start=…) can lead further. */
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext } from '../src/telegram/context.ts';
import { help } from './help.ts';
import { privacy } from './privacy.ts';
import { settings } from './settings.ts';

/** Where `?start=` leads, beside `lang-zh` and the like. */
const PLACES: ReadonlyMap<string, (ctx: BotContext) => Promise<void>> = new Map([
  ['help', help],
  ['settings', settings],
  ['privacy', privacy],
]);

/** What stands after `?start=` comes as the payload; what leads nowhere is ignored. */
export async function start(ctx: CommandContext): Promise<void> {
  const payload = ctx.payload.trim().toLowerCase();
  const place = PLACES.get(payload);
  if (place !== undefined) return place(ctx);
  const language = payload.startsWith('lang-')
    ? parseInterfaceLanguage(payload.slice('lang-'.length))
    : undefined;
  if (language !== undefined) ctx.session.interfaceLanguage = language;
  // In a group any other word only tells of a ?startgroup= link: the bot was added by it and has said its welcome.
  else if (payload !== '' && !ctx.isPrivate) return;
  if (ctx.isPrivate) return notice(ctx, 'start');
  await notice(ctx, 'welcome', { args: { username: ctx.botInfo.username } });
}
