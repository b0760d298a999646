/** Spoken answers, for people who do not read: offered by a voice note under the first words, chosen with a button under it. */
import { DIALECTS } from '../src/language/variety.ts';
import { parseDialect } from '../src/language/variety-names.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { sayAloud } from '../src/telegram/outbox/aloud.ts';
import { notice } from '../src/telegram/outbox/answer.ts';
import type { Callback } from '../src/telegram/request/callback.ts';

/** Offers spoken answers in the three dialects, with a button for each. */
export async function offerAloud(ctx: BotContext): Promise<void> {
  if (ctx.session.spoken) return;
  const buttons = DIALECTS.map((dialect) => ({
    text: `🔊 ${ctx.words(dialect)}`,
    callback_data: `aloud:${dialect}`,
  }));
  await sayAloud(ctx, 'aloud-offer', DIALECTS, { caption: ctx.words('aloud-offer'), keyboard: [buttons] });
}

/** The buttons stay, so that whoever pressed the wrong one can press another. */
export const aloudButton: Callback<BotContext> = {
  data: /^aloud:(\w+)$/,
  handle: async (ctx, [, word = '']) => {
    const dialect = parseDialect(word);
    if (dialect === undefined) return;
    ctx.session.dialect = dialect;
    ctx.session.spoken = true;
    await notice(ctx, 'aloud-chosen');
  },
};
