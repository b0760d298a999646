/** /start: who the bot is and what to do first, which is another thing in a group; a link (t.me/bot?start=…) can lead further. */
import { parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { interfaceLanguageButtons, type Keyboard } from '../src/telegram/answer/buttons.ts';
import { replacePressed } from '../src/telegram/answer/pressed-edits.ts';
import { notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext, PressContext } from '../src/telegram/context.ts';
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
  if (ctx.isPrivate) return notice(ctx, 'start', { keyboard: firstSteps(ctx) });
  await notice(ctx, 'welcome', { args: { username: ctx.botInfo.username } });
}

/** A press on a language under the greeting, which turns into it where it stands. */
export async function greetingLanguagePressed(ctx: PressContext): Promise<void> {
  const language = parseInterfaceLanguage(ctx.match[1] ?? '');
  if (language === undefined) return;
  ctx.session.interfaceLanguage = language;
  const isReplaced = await replacePressed(ctx, ctx.words('start'), firstSteps(ctx));
  if (!isReplaced) await notice(ctx, 'start', { keyboard: firstSteps(ctx) });
}

/** What a newcomer can do with one press. */
function firstSteps(ctx: BotContext): Keyboard {
  return [
    [{ text: ctx.words('button-try-photo'), callback_data: 'sample' }],
    interfaceLanguageButtons(ctx, (language) => `start:${language}`),
  ];
}
