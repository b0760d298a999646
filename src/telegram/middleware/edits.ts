/** An edited message has its answer edited, not sent again (spec §2); edits of what was never answered are ignored. */
import type { Middleware } from 'telegraf';
import type { Message, UserFromGetMe } from 'telegraf/types';
import { notice } from '../answer/sending.ts';
import type { BotContext } from '../context.ts';
import { isCommand, textCommandIn, wordsBesideCommand } from '../message/command-in.ts';
import { repliedMessage } from '../message/replied-to.ts';
import { albumAfter, picturesOf } from './album-edits.ts';
import { contentOf } from './asked-content.ts';

/**
 * Keeps which messages answered which, and lets an edit pass with what answered its message before. What failed and is tried again
 * passes with the message that said so: its answer comes in that place.
 */
export function answersFollowEdits(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message, answering, takesPlaceOf } = ctx;
    const { answers } = ctx.bot;
    if (message !== undefined && ctx.isEdit) {
      const given = await answers.find(message.chat.id, message.message_id);
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
    if (message === undefined) return;
    const album = picturesOf(ctx.album);
    const answer = { person: ctx.person, asked: contentOf(ctx), parts: answering.given, album };
    await answers.keep(message.chat.id, message.message_id, answer).catch((error: unknown) => {
      ctx.bot.log.warn({ error }, 'an answer was not kept for edits yet');
    });
  };
}

/** An answer to what its message said before must not be taken for one to what it says now: where there is none, that is said. */
export function answersDoNotOutliveTexts(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (!ctx.isWithdrawn) await next();
    const isUnanswered = ctx.isEdit && !ctx.isSuperseded && ctx.answering.given.length === 0;
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
