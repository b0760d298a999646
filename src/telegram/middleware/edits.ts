/** An edited message has its answer edited, not sent again (spec §2); edits of what was never answered are ignored. */
import type { Middleware } from 'telegraf';
import type { Message, UserFromGetMe } from 'telegraf/types';
import type { AnswerPart } from '../../store/kept/answers.ts';
import type { EditOutcome } from '../answer/answering.ts';
import { editButtons } from '../answer/editing.ts';
import { notice } from '../answer/sending.ts';
import { isRefusal, isUnreachable } from '../api/api-errors.ts';
import { UNTOLD } from '../api/promised-results.ts';
import type { BotContext } from '../context.ts';
import { isCommand, textCommandIn, wordsBesideCommand } from '../message/command-in.ts';
import { albumAfter, picturesOf } from '../message/kept-album.ts';
import { repliedMessage } from '../message/replied-to.ts';
import { contentOf } from './asked-content.ts';

/**
 * Keeps which messages answered which, and lets an edit pass with what answered its message before. What failed and is tried again
 * passes with the message that said so: its answer comes in that place.
 */
export function answersFollowEdits(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message, answering, takesPlaceOf } = ctx;
    if (message !== undefined && ctx.isEdit) {
      const given = await ctx.bot.answers.find(message.chat.id, message.message_id);
      if (given === undefined) return;
      ctx.album = albumAfter(message, given.album);
      // Telegram tells of link previews and reactions as edits, too.
      if (given.asked === contentOf(ctx) && !ctx.isRepeated) return;
      // A command that others followed is history, unless it has a text of its own: what it set has been set anew since.
      if (!given.isLatest && isCommand(message, ctx.botInfo) && !hasContent(message, ctx.botInfo)) return;
      ctx.isAfterthought = !given.isLatest;
      answering.replaces(given.parts);
    } else if (takesPlaceOf?.chat === ctx.chat.id) {
      answering.replaces([{ id: takesPlaceOf.message, kind: 'text' }]);
    }
    await next();
    if (answering.given.length === 0) return;
    await removeLeftOver(ctx);
    if (message !== undefined) await keepAnswer(ctx, message, contentOf(ctx), answering.given);
  };
}

async function keepAnswer(
  ctx: BotContext,
  { chat, message_id }: Message,
  asked: string,
  parts: readonly AnswerPart[],
): Promise<void> {
  const answer = { person: ctx.person, asked, parts, album: picturesOf(ctx.album, ctx.botInfo) };
  await ctx.bot.answers.keep(chat.id, message_id, answer).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'an answer was not kept for edits yet');
  });
}

/** Nothing that can be asked: whatever the message comes to say is answered anew. */
const UNANSWERED = '';

/**
 * Takes the buttons off the former answer, since they mean what its message said before, and so learns what Telegram still has of it:
 * that is in no other way to be known before the work, which costs paid calls. What somebody has deleted stays deleted, and its edit
 * ends here; what can no longer be edited is answered anew.
 */
export function deletedAnswersStayDeleted(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { answering, message } = ctx;
    const { former } = answering;
    // An earlier attempt has looked, and has put new buttons under what it answered.
    if (message === undefined || !ctx.isEdit || former.length === 0 || ctx.isPartlyAnswered) return next();
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
async function takeButtons(ctx: BotContext, messageId: number): Promise<EditOutcome> {
  try {
    return await editButtons(ctx, ctx.chat.id, messageId);
  } catch (error) {
    if (!isRefusal(error) || isUnreachable(error)) throw error;
    return 'edited';
  }
}

/** An answer to what its message said before must not be taken for one to what it says now: where there is none, that is said. */
export function answersDoNotOutliveTexts(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (!ctx.isWithdrawn) await next();
    const { former, given } = ctx.answering;
    const isUnanswered = ctx.isEdit && !ctx.isSuperseded && former.length > 0 && given.length === 0;
    if (isUnanswered && ctx.message !== undefined && 'text' in ctx.message)
      await notice(ctx, 'answer-outdated');
  };
}

/** What was asked for since an edited message decides what /speak speaks: its edit leaves the session as it was. */
export function afterthoughtsChangeNoSession(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (!ctx.isAfterthought) return next();
    const before = ctx.session;
    ctx.keptSession = { ...before };
    try {
      await next();
    } finally {
      ctx.keptSession = before;
    }
  };
}

/** Parts of the earlier answer that the new one has no use for; no matter when they are gone. */
async function removeLeftOver(ctx: BotContext): Promise<void> {
  const { answering, bot, telegram } = ctx;
  for (const { id } of answering.leftOver) {
    await telegram.deleteMessage(ctx.chat.id, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'a part of an earlier answer was not removed');
    });
  }
}

const ABOUT_CONTENT: ReadonlySet<string> = new Set(['tibetan', 'chinese', 'auto', 'speak', 'ocr', 'wylie']);

/** Whether a command is about a text or a photo, be it its own or the one replied to, and so sets nothing. */
function hasContent(message: Message, me: UserFromGetMe): boolean {
  const command = textCommandIn(message, me)?.name ?? '';
  if (!ABOUT_CONTENT.has(command)) return false;
  if (repliedMessage(message) !== undefined || 'external_reply' in message) return true;
  return command !== 'ocr' && wordsBesideCommand(message, me) !== '';
}
