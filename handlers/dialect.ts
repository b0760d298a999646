/** /dialect: the Tibetan dialect in which texts are spoken to this person. */
import { DIALECTS, type Dialect, parseDialect } from '../src/language/variety.ts';
import { settingChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const dialectButton: Callback<BotContext> = {
  data: /^dialect:(\w+)(?::(?<owner>-?\d+))?$/,
  owned: OF_SETTINGS,
  handle: async (ctx, [, word = '']) => {
    const chosen = parseDialect(word);
    if (chosen !== undefined) await choose(ctx, chosen);
  },
};

/** A dialect that is named is chosen; without one, or with one that is unknown, all are offered. */
export const dialect: Command<BotContext> = {
  name: 'dialect',
  menu: 'everybody',
  callbacks: [dialectButton],
  handle: async (ctx, word) => {
    const chosen = parseDialect(word);
    if (chosen !== undefined) return choose(ctx, chosen);
    const keyboard = settingChoice(ctx, 'dialect', DIALECTS, ctx.session.dialect, (value) =>
      ctx.words(value),
    );
    await notice(ctx, word === '' ? 'dialect-which' : 'dialect-unknown', { keyboard });
  },
};

async function choose(ctx: BotContext, chosen: Dialect): Promise<void> {
  ctx.session.dialect = chosen;
  await confirm(ctx, 'dialect-chosen', { dialect: ctx.words(chosen) });
}
