/** An edited message has its answer edited, not sent again (spec §2); edits of what was never answered are ignored. */
import { createHash } from 'node:crypto';
import type { Middleware } from 'telegraf';
import { isCommand } from './addressed.ts';
import type { BotContext } from './context.ts';
import { pictureIn } from './picture-in.ts';
import { textIn } from './text-in.ts';

/** Keeps which messages answered which, and lets an edit pass with what answered its message before. */
export function answersFollowEdits(): Middleware<BotContext> {
  return async (ctx, next) => {
    const { message, answering } = ctx;
    // An edit brings one picture of an album, and the answer is about all of them.
    if (message === undefined || 'media_group_id' in message) return ctx.isEdit ? undefined : next();
    const { answers } = ctx.bot;
    const asked = hashOf(ctx);
    if (ctx.isEdit) {
      const given = await answers.find(message.chat.id, message.message_id);
      if (given === undefined || given.asked === asked) return;
      // A command that others followed is history: what it set has been set anew since.
      if (!given.isLatest && isCommand(message)) return;
      ctx.isAfterthought = !given.isLatest;
      answering.replaces(given.parts);
    }
    await next();
    if (answering.given.length === 0) return;
    await removeLeftOver(ctx);
    const answer = { person: ctx.person, asked: ctx.hasFailed ? '' : asked, parts: answering.given };
    await answers.keep(message.chat.id, message.message_id, answer).catch((error: unknown) => {
      ctx.bot.log.warn({ error }, 'an answer was not kept for edits');
    });
  };
}

/** What was asked for since an edited message decides what /speak speaks: its edit leaves the session as it was. */
export function afterthoughtsChangeNoSession(): Middleware<BotContext> {
  return async (ctx, next) => {
    if (!ctx.isAfterthought) return next();
    const before = ctx.session;
    ctx.session = { ...before };
    try {
      await next();
    } finally {
      ctx.session = before;
    }
  };
}

/** Parts of the earlier answer that the new one has no use for; no matter when they are gone. */
async function removeLeftOver({ answering, bot, telegram, chat }: BotContext): Promise<void> {
  for (const { id } of answering.leftOver) {
    await telegram.deleteMessage(chat?.id ?? 0, id).catch((error: unknown) => {
      bot.log.debug({ error }, 'a part of an earlier answer was not removed');
    });
  }
}

function hashOf({ message, bot }: BotContext): string {
  const content = [textIn(message), pictureIn(message, bot.api)?.id];
  return createHash('sha256').update(JSON.stringify(content)).digest('base64url');
}
