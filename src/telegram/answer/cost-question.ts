/** Says what a request costs before it makes many paid calls, and waits for confirmation (spec §2, "Asking before it costs"). */
import type { Failure } from '../../errors.ts';
import { unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { sayToListener } from '../outbox/aloud.ts';
import { answer } from '../outbox/answer.ts';
import { editText } from '../outbox/editing.ts';
import type { Keyboard } from './buttons.ts';
import { forFree, leftInWords, withCost } from './calls.ts';

/** Parks the request under the question's buttons; it survives a restart. Only its own person may press them. */
export async function askBeforeCost(ctx: ReceivedContext, { price }: Failure): Promise<void> {
  const { calls, cost, isAtLeast } = price ?? { calls: 0, cost: 0, isAtLeast: false };
  const takes = withCost(ctx, ctx.words(isAtLeast ? 'costly-at-least' : 'costly', { calls }), cost);
  const { id, lane } = ctx.work.request;
  const keyboard: Keyboard = [
    [
      { text: ctx.words('button-go-on'), callback_data: `go:${id}:${lane}`, style: 'success' },
      { text: ctx.words('button-no'), callback_data: `no:${id}:${lane}` },
    ],
  ];
  const question = [takes, ...(await leftInWords(ctx)), ...forFree(ctx), ctx.words('costly-sure')].join('\n');
  await answer(ctx, question, { keyboard: () => keyboard, interim: 'question' });
  await sayToListener(ctx, 'costly-aloud');
  ctx.ending = { state: 'asked', consent: calls };
}

/** Withdraws this person's open questions, says so in their place, and returns how many they were. */
export async function withdrawQuestions(ctx: ReceivedContext): Promise<number> {
  const questions = await ctx.bot.requests.withdrawQuestions(ctx.person);
  for (const { chat = ctx.chat.id, message } of questions) {
    if (typeof message.id !== 'number') continue;
    await unlessRefused(editText(ctx, chat, message.id, ctx.words('costly-not-done')));
  }
  return questions.length;
}
