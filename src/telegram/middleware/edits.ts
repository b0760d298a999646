/** An edited message has its answer edited, not sent again (spec §2); edits of what was never answered are ignored. */
import type { Middleware } from 'telegraf';
import type { Message } from 'telegraf/types';
import type { AnswerPart } from '../../store/kept/answers.ts';
import type { EditOutcome } from '../answer/answering.ts';
import { takeQuestionsBack } from '../answer/cost-question.ts';
import { editButtons } from '../answer/editing.ts';
import { notice } from '../answer/sending.ts';
import { UNTOLD } from '../api/api.ts';
import { isRefusal, isUnreachable } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import { contentOf, picturesOf } from '../request/request.ts';
import { pictureFileIn } from '../request/sent-file.ts';

/** Keeps which messages answered which, and lets no edit pass that asks for nothing new. */
export function answersFollowEdits(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { message, answering } = ctx;
    if (ctx.edit === 'idle') return;
    // What the message asked for before is not to be done any more, be it agreed to later.
    if (ctx.edit !== 'none' && message !== undefined)
      await takeQuestionsBack(ctx, { chat: message.chat.id, message: message.message_id });
    await next();
    if (answering.given.length === 0) return;
    await removeLeftOver(ctx);
    // One for one pair of eyes has no number by which its edit could be told.
    if (message !== undefined && message.message_id !== UNTOLD)
      await keepAnswer(ctx, message, contentOf(ctx, ctx.botInfo), answering.given);
  };
}

async function keepAnswer(
  ctx: ReceivedContext,
  { chat, message_id }: Message,
  asked: string,
  parts: readonly AnswerPart[],
): Promise<void> {
  const answer = { person: ctx.person, asked, parts, album: picturesOf(ctx, ctx.botInfo) };
  await ctx.bot.answers.keep(chat.id, message_id, answer).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'an answer was not kept for edits yet');
  });
}

/** Equal to no content: the next edit of the message is answered anew in any case. */
const UNANSWERED = '';

/**
 * Takes the buttons off the former answer, since they mean what its message said before, and so learns what Telegram still has of it:
 * that is in no other way to be known before the work, which costs paid calls. What somebody has deleted stays deleted, and its edit
 * ends here; what can no longer be edited is answered anew.
 */
export function deletedAnswersStayDeleted(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const { answering, message } = ctx;
    const { former } = answering;
    // An earlier attempt has looked, and has put new buttons under what it answered.
    if (message === undefined || ctx.edit === 'none' || former.length === 0 || ctx.isPartlyAnswered)
      return next();
    const outcomes = await Promise.all(
      former.map(({ id }) => (id === UNTOLD ? 'refused' : takeButtons(ctx, id))),
    );
    const left = former.flatMap((part, index): AnswerPart[] => {
      if (outcomes[index] === 'deleted') return [];
      return [outcomes[index] === 'refused' && part.kind === 'text' ? { ...part, kind: 'other' } : part];
    });
    answering.replaces(left);
    if (left.length === 0) return;
    try {
      await next();
    } finally {
      // Cancelled, or edited meanwhile: should it come to say what it said before, the answer still needs its buttons back.
      if (answering.given.length === 0) await keepAnswer(ctx, message, UNANSWERED, left);
    }
  };
}

/** What else Telegram refuses is for the answer itself to meet. */
async function takeButtons(ctx: ReceivedContext, messageId: number): Promise<EditOutcome> {
  try {
    return await editButtons(ctx, ctx.chat.id, messageId);
  } catch (error) {
    if (!isRefusal(error) || isUnreachable(error)) throw error;
    return 'edited';
  }
}

/** An answer to what its message said before must not be taken for one to what it says now: where there is none, that is said. */
export function answersDoNotOutliveTexts(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    if (ctx.edit !== 'withdrawn') await next();
    const { former, given } = ctx.answering;
    const isUnanswered = ctx.edit !== 'none' && !ctx.isSuperseded && former.length > 0 && given.length === 0;
    const isOfPicture = pictureFileIn(ctx.message) !== undefined && !ctx.isOverheard;
    if (isUnanswered && !isOfPicture) await notice(ctx, 'answer-outdated');
  };
}

/** Parts of the earlier answer that the new one has no use for; no matter when they are gone. */
async function removeLeftOver(ctx: ReceivedContext): Promise<void> {
  const { answering, bot, telegram } = ctx;
  for (const { id } of answering.leftOver) {
    await telegram.deleteMessage(ctx.chat.id, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'a part of an earlier answer was not removed');
    });
  }
}
