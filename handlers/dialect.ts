/** /dialect: the Tibetan dialect in which texts are spoken to this person. */
import { type Dialect, parseDialect } from '../src/language/variety.ts';
import { dialectChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext, PressContext } from '../src/telegram/context.ts';

/** A dialect that is named is chosen; without one, or with one that is unknown, all are offered. */
export async function dialect(ctx: CommandContext): Promise<void> {
  const word = ctx.payload.trim();
  const chosen = parseDialect(word);
  if (chosen !== undefined) return choose(ctx, chosen);
  await notice(ctx, word === '' ? 'dialect-which' : 'dialect-unknown', { keyboard: dialectChoice(ctx) });
}

/** A press on one of the dialects offered. */
export async function dialectPressed(ctx: PressContext): Promise<void> {
  const chosen = parseDialect(ctx.match[1] ?? '');
  if (chosen !== undefined) await choose(ctx, chosen);
}

async function choose(ctx: BotContext, chosen: Dialect): Promise<void> {
  ctx.session.dialect = chosen;
  await confirm(ctx, 'dialect-chosen', { dialect: ctx.words(chosen) });
}
