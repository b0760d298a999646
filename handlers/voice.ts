/** /voice: the voice in which Chinese is spoken to this person. */
import { parseVoice, VOICES, type Voice } from '../src/language/variety.ts';
import { settingChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext } from '../src/telegram/context.ts';
import { type Callback, OF_SETTINGS } from '../src/telegram/request/callback.ts';
import type { Command } from '../src/telegram/request/command.ts';

const voiceButton: Callback<BotContext> = {
  data: /^voice:(\w+)(?::(?<owner>-?\d+))?$/,
  owned: OF_SETTINGS,
  handle: async (ctx, [, word = '']) => {
    const chosen = parseVoice(word);
    if (chosen !== undefined) await choose(ctx, chosen);
  },
};

/** A voice that is named is chosen; without one, or with one that is unknown, all are offered. */
export const voice: Command<BotContext> = {
  name: 'voice',
  menu: 'everybody',
  callbacks: [voiceButton],
  handle: async (ctx, word) => {
    const chosen = parseVoice(word);
    if (chosen !== undefined) return choose(ctx, chosen);
    const label = (value: Voice) => ctx.words(`voice-${value}`);
    const keyboard = settingChoice(ctx, 'voice', VOICES, ctx.session.voice, label);
    await notice(ctx, word === '' ? 'voice-which' : 'voice-unknown', { keyboard });
  },
};

async function choose(ctx: BotContext, chosen: Voice): Promise<void> {
  ctx.session.voice = chosen;
  await confirm(ctx, 'voice-chosen', { voice: ctx.words(`voice-${chosen}`) });
}
