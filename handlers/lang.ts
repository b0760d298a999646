/** /lang: the language in which the bot speaks to this person. */
import { type InterfaceLanguage, parseInterfaceLanguage } from '../src/language/interface-language.ts';
import { interfaceLanguageChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext, PressContext } from '../src/telegram/context.ts';

/** A language that is named is chosen; without one, or with one that is unknown, all are offered. */
export async function lang(ctx: CommandContext): Promise<void> {
  const word = ctx.payload.trim();
  const chosen = parseInterfaceLanguage(word);
  if (chosen !== undefined) return choose(ctx, chosen);
  await notice(ctx, word === '' ? 'lang-which' : 'lang-unknown', { keyboard: interfaceLanguageChoice(ctx) });
}

/** A press on one of the languages offered. */
export async function langPressed(ctx: PressContext): Promise<void> {
  const chosen = parseInterfaceLanguage(ctx.match[1] ?? '');
  if (chosen !== undefined) await choose(ctx, chosen);
}

async function choose(ctx: BotContext, chosen: InterfaceLanguage): Promise<void> {
  ctx.session.interfaceLanguage = chosen;
  await confirm(ctx, 'lang-chosen');
}
