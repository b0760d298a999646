/** /voice: the voice in which Chinese is spoken to this person. */
import { parseVoice, type Voice } from '../src/language/variety.ts';
import { voiceChoice } from '../src/telegram/answer/buttons.ts';
import { confirm, notice } from '../src/telegram/answer/sending.ts';
import type { BotContext, CommandContext, PressContext } from '../src/telegram/context.ts';

/** A voice that is named is chosen; without one, or with one that is unknown, all are offered. */
export async function voice(ctx: CommandContext): Promise<void> {
  const word = ctx.payload.trim();
  const chosen = parseVoice(word);
  if (chosen !== undefined) return choose(ctx, chosen);
  await notice(ctx, word === '' ? 'voice-which' : 'voice-unknown', { keyboard: voiceChoice(ctx) });
}

/** A press on one of the voices offered. */
export async function voicePressed(ctx: PressContext): Promise<void> {
  const chosen = parseVoice(ctx.match[1] ?? '');
  if (chosen !== undefined) await choose(ctx, chosen);
}

async function choose(ctx: BotContext, chosen: Voice): Promise<void> {
  ctx.session.voice = chosen;
  await confirm(ctx, 'voice-chosen', { voice: ctx.words(`voice-${chosen}`) });
}
