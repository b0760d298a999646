/** When a person edits a message, the bot edits its answer (spec §2). Edits of messages that it never answered are ignored. */
import type { Message } from 'telegraf/types';
import type { AnswerPart } from '../../store/kept/answers.ts';
import type { EditOutcome } from '../answer/answering.ts';
import { takeQuestionsBack } from '../answer/cost-question.ts';
import { editButtons } from '../answer/editing.ts';
import { notice } from '../answer/sending.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { contentOf, picturesOf } from '../request/request.ts';
import { hasFileToRead } from '../request/sent-file.ts';

/** Stores which messages answer which, and stops edits that ask for nothing new. */
export async function trackAnswers(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  const { message, answering } = ctx;
  if (ctx.edit === 'idle') return;
  // What the message asked before is no longer wanted, even if somebody says yes to its cost.
  if (ctx.edit !== 'none' && message !== undefined)
    await takeQuestionsBack(ctx, { chat: message.chat.id, message: message.message_id });
  await next();
  if (answering.given.length === 0) return;
  await removeLeftOver(ctx);
  // An ephemeral message has no id by which to recognise its edit.
  if (message !== undefined && message.message_id !== UNKNOWN_MESSAGE_ID)
    await keepAnswer(ctx, message, contentOf(ctx, ctx.botInfo), answering.given);
}

async function keepAnswer(
  ctx: ReceivedContext,
  { chat, message_id }: Message,
  asked: string,
  parts: readonly AnswerPart[],
): Promise<void> {
  const answer = { person: ctx.person, asked, parts, album: picturesOf(ctx, ctx.botInfo) };
  await ctx.bot.answers.keep(chat.id, message_id, answer).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'an answer is not stored for edits yet');
  });
}

/** Equal to no content, so that the next edit of the message is answered anew in any case. */
const UNANSWERED = '';

/**
 * Removes the buttons of the former answer, which mean the old text. This also tells, before any paid call, what Telegram still has of
 * that answer. If somebody has deleted all of it, the edit ends here; what can no longer be edited is sent anew.
 */
export async function respectDeletedAnswers(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  const { answering, message } = ctx;
  const { former } = answering;
  // An earlier attempt has done this, and put new buttons under its answer.
  if (message === undefined || ctx.edit === 'none' || former.length === 0 || ctx.isPartlyAnswered)
    return next();
  const outcomes = await Promise.all(
    former.map(({ id }) => (id === UNKNOWN_MESSAGE_ID ? 'refused' : takeButtons(ctx, id))),
  );
  const left = former.flatMap((part, index): AnswerPart[] => {
    if (outcomes[index] === 'deleted') return [];
    return [outcomes[index] === 'refused' && part.kind === 'text' ? { ...part, kind: 'other' } : part];
  });
  answering.former = left;
  if (left.length === 0) return;
  try {
    await next();
  } finally {
    // Cancelled, or edited again: if the message returns to its old text, the answer needs its buttons back.
    if (answering.given.length === 0) await keepAnswer(ctx, message, UNANSWERED, left);
  }
}

/** Ignores other refusals: the answer itself will meet them. */
async function takeButtons(ctx: ReceivedContext, messageId: number): Promise<EditOutcome> {
  try {
    return await editButtons(ctx, ctx.chat.id, messageId);
  } catch (error) {
    if (!isRefusal(error) || isUnreachable(error)) throw error;
    return 'edited';
  }
}

/** Marks the former answer as outdated if the edited message gets no new one: nobody should take it for an answer to the new text. */
export async function markOutdatedAnswers(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  if (ctx.edit !== 'withdrawn') await next();
  const { former, given } = ctx.answering;
  const isUnanswered = ctx.edit !== 'none' && !ctx.isSuperseded && former.length > 0 && given.length === 0;
  const isOfFile = hasFileToRead(ctx.message) && !ctx.isOverheard;
  if (isUnanswered && !isOfFile) await notice(ctx, 'answer-outdated');
}

/** Deletes parts of the former answer that the new one does not need. It does not matter if they are gone. */
async function removeLeftOver(ctx: ReceivedContext): Promise<void> {
  const { answering, bot } = ctx;
  for (const { id } of answering.leftOver) {
    await bot.api.deleteMessage(ctx.chat.id, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'a part of an earlier answer was not removed');
    });
  }
}
