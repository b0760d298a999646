/** Says what a request costs before it makes many paid calls, and waits for a yes (spec §2, "Asking before it costs"). */
import type { Failure } from '../../errors.ts';
import { yuan } from '../../paid-calls.ts';
import type { LeftToday } from '../../store/money/accounting.ts';
import { unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { MessagePlace } from '../intake/parked-requests.ts';
import { confirmedId } from './answering.ts';
import type { Keyboard } from './buttons.ts';
import { editText } from './editing.ts';
import { answer } from './sending.ts';

/** Parks the request under the question's buttons, also over a restart. Only its own person may press them. */
export async function askBeforeCost(ctx: ReceivedContext, { price }: Failure): Promise<void> {
  const { bot, person } = ctx;
  const { calls, cost, isAtLeast } = price ?? { calls: 0, cost: 0, isAtLeast: false };
  await removeEarlierQuestions(ctx);
  const left = leftInWords(ctx, await bot.accounting.leftToday(ctx.asker));
  const words = ctx.words(isAtLeast ? 'costly-at-least' : 'costly', { calls, cost: yuan(cost) });
  // Parts of the answer that came before the question, as those of a file of the same album, are not given again after a yes.
  const given = ctx.answering.given.map(confirmedId);
  const id = await bot.parked.parkQuestion(person, ctx.updates, { calls, given });
  const keyboard: Keyboard = [
    [
      { text: ctx.words('button-go-on'), callback_data: `go:${id}:${person}` },
      { text: ctx.words('button-no'), callback_data: `no:${id}:${person}` },
    ],
  ];
  const question = [words, ...left, ctx.words('costly-sure')].join('\n');
  // A later attempt asks a message anew, since it has taken this question back (`removeEarlierQuestions`). That of a press stays, and works.
  await answer(ctx, question, { keyboard: () => keyboard, isRepeatable: ctx.message !== undefined });
  const message = ctx.answering.given.at(-1)?.id;
  if (message === undefined) return;
  await bot.parked.noteQuestion(id, person, { chat: ctx.chat.id, message }).catch((error: unknown) => {
    // When this question is taken back, its buttons stay, and say that it is gone.
    bot.log.warn({ error }, 'the message of a question was not noted');
  });
}

/** A process killed while it asked has left a question; this attempt asks anew. */
async function removeEarlierQuestions({ bot, person, message, mayHaveBegun, answering }: ReceivedContext) {
  if (!mayHaveBegun || message === undefined) return;
  const askedBy = { chat: message.chat.id, message: message.message_id };
  for (const { place } of await bot.parked.takeBackQuestions(person, askedBy)) {
    // One that took the place of an earlier answer is edited into the new question.
    if (place === undefined || answering.former.some(({ id }) => id === place.message)) continue;
    await bot.api.deleteMessage(place.chat, place.message).catch((error: unknown) => {
      bot.log.debug({ error }, 'an earlier question was not removed');
    });
  }
}

function leftInWords(ctx: ReceivedContext, { person, group, budget }: LeftToday): string[] {
  const limited = [
    ['costly-left-person', person],
    ['costly-left-group', group],
  ] as const;
  const lines = limited.flatMap(([id, of]) => {
    return of === undefined || !Number.isFinite(of.limit) ? [] : [ctx.words(id, { ...of })];
  });
  return Number.isFinite(budget)
    ? [...lines, ctx.words('costly-left-budget', { left: yuan(budget) })]
    : lines;
}

/** Takes this person's questions back, says so in their place, and gives their number. `askedBy`: only those about this message. */
export async function takeQuestionsBack(ctx: ReceivedContext, askedBy?: MessagePlace): Promise<number> {
  const questions = await ctx.bot.parked.takeBackQuestions(ctx.person, askedBy);
  for (const { place } of questions) {
    // After an edit, the new answer replaces the question.
    if (place === undefined || askedBy !== undefined) continue;
    await unlessRefused(editText(ctx, place.chat, place.message, ctx.words('costly-not-done')));
  }
  return questions.length;
}
