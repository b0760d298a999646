/** Life signs while a person waits: a chat action that does not fade, and the progress of work of several paid calls. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Middleware } from 'telegraf';
import type { OnGrowth, OnProgress } from '../../interpreter/request.ts';
import type { ProgressMessage } from '../../store/kept/answers.ts';
import { isNotModified, unlessRefused } from '../api/api-errors.ts';
import type { ChatAction } from '../api/chat-actions.ts';
import type { ReceivedContext } from '../context.ts';
import { cancelButton, markup } from './buttons.ts';
import { createDraft, type Draft } from './drafts.ts';
import { placeOf, topicOf } from './posting.ts';

export interface Activity {
  /** Shows another chat action from now on, unless the work is over in a moment. */
  change(action: ChatAction): void;
  /**
   * Adds a part to the work, which tells how many paid calls it takes. Where all parts together take more than one, one message
   * shows how many are done, edited in place.
   */
  part(): OnProgress;
  /**
   * Whether the answer may grow as a draft in place of the message that counts: in a private chat, where nothing is there yet that the
   * answer takes the place of. Its text is told to `onGrowth`, and `end` comes before the answer.
   */
  draft(): { readonly onGrowth: OnGrowth; end(): Promise<void> } | undefined;
}

/**
 * Does the work while the chat shows `action`. Nothing here is waited for or can fail the work: a life sign that does not
 * arrive must not delay or spoil the answer.
 */
export async function whileShowing<T>(
  ctx: ReceivedContext,
  action: ChatAction,
  work: (activity: Activity) => Promise<T>,
): Promise<T> {
  const place = { chat: ctx.chat.id, topic: topicOf(ctx).message_thread_id };
  // Channels have no chat actions (Bot API, sendChatAction).
  const waiting =
    ctx.chat.type === 'channel' || ctx.forOne !== undefined
      ? { change: () => {}, end: () => {} }
      : ctx.bot.api.chatActions.begin(place, action);
  const progress = createProgress(ctx);
  try {
    return await work({ change: waiting.change, part: progress.part, draft: progress.draft });
  } finally {
    waiting.end();
    progress.remove();
  }
}

/** How often the message is edited at most, in ms; in a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** Who waits longer than this for a single paid call is offered to cancel it, in ms. */
const LONG_WAIT_MS = 10_000;

/**
 * Of one piece of work: `part` adds a part to it, `remove` ends it. Nothing is shown before the first part tells that it takes long, or
 * the work has taken long.
 */
function createProgress(ctx: ReceivedContext) {
  const chat = ctx.chat.id;
  const parts: { done: number; total: number }[] = [];
  let message: Promise<ProgressMessage> | undefined;
  let shownAt = 0;
  let isLongWait = false;
  let draft: Draft | undefined;

  const show = (): void => {
    const done = parts.reduce((sum, part) => sum + part.done, 0);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (total < 2 && !isLongWait) return;
    if (draft !== undefined && message === undefined) {
      if (total > 1) draft.begin();
      return;
    }
    // Nobody waits in a channel, and all of its readers would see it; so would a group what one person has asked alone.
    if (ctx.chat.type === 'channel' || ctx.forOne !== undefined) return;
    // What a group still takes this minute is for answers.
    if (ctx.bot.api.pace.isBusy(chat)) return;
    const text = total < 2 ? ctx.words('progress-long') : ctx.words('progress', { done, total });
    const now = performance.now();
    if (message === undefined) {
      shownAt = now;
      message = sendProgress(ctx, text);
      quietly(ctx, message);
    } else if (now - shownAt >= EDIT_EVERY_MS[ctx.isPrivate ? 'private' : 'group']) {
      shownAt = now;
      quietly(
        ctx,
        message.then((sent) =>
          ctx.telegram.editMessageText(sent.chat, sent.message, undefined, text, cancelMarkup(ctx)),
        ),
      );
    }
  };
  // Who asked for nothing, as where the bot listens, does not wait.
  const waiting = ctx.isOverheard
    ? undefined
    : setTimeout(() => {
        isLongWait = true;
        if (message === undefined) show();
      }, LONG_WAIT_MS);
  const part = (): OnProgress => {
    const index = parts.push({ done: 0, total: 0 }) - 1;
    return (done, total) => {
      parts[index] = { done, total };
      show();
    };
  };
  const beginDraft = (): ReturnType<Activity['draft']> => {
    if (!ctx.isPrivate || ctx.answering.former.length > 0) return undefined;
    const begun = createDraft(ctx, () => {
      draft = undefined;
      show();
    });
    draft = begun;
    return { onGrowth: begun.show, end: begun.end };
  };
  const remove = (): void => {
    clearTimeout(waiting);
    void draft?.end();
    if (message === undefined) return;
    const removal = message.then((sent) => removeProgress(ctx, sent));
    quietly(ctx, removal);
    ctx.removals.push(removal);
  };
  return { part, draft: beginDraft, remove };
}

/** Sends it and writes down that it is there: another process may finish the work. */
async function sendProgress(ctx: ReceivedContext, text: string): Promise<ProgressMessage> {
  const sent = await ctx.telegram.sendMessage(ctx.chat.id, text, {
    ...placeOf(ctx, undefined),
    ...cancelMarkup(ctx),
  });
  // The chat that it came to: its group may have become a supergroup meanwhile.
  const progress = { chat: sent.chat.id, message: sent.message_id };
  await ctx.bot.progressMessages.keep(progress, ctx.update.update_id).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'a progress message was not noted');
  });
  return progress;
}

function cancelMarkup(ctx: ReceivedContext) {
  return { reply_markup: markup([[cancelButton(ctx)]]) };
}

/** Takes a progress message away. Never throws; what cannot be reached is left for the next attempt. */
export async function removeProgress(ctx: ReceivedContext, progress: ProgressMessage): Promise<void> {
  const { log, progressMessages } = ctx.bot;
  try {
    // Else somebody has deleted it, or it is too old.
    await unlessRefused(ctx.telegram.deleteMessage(progress.chat, progress.message));
    await progressMessages.drop(progress);
  } catch (error) {
    log.warn({ error }, 'a progress message was not removed');
  }
}

function quietly(ctx: ReceivedContext, call: Promise<unknown>): void {
  call.catch((error: unknown) => {
    if (!isNotModified(error)) ctx.bot.log.debug({ error }, 'progress was not shown');
  });
}

/** Longest that the person's next request waits for a removal, in ms. */
const PATIENCE_MS = 5000;

/** Removes what an earlier attempt at the same work has left, and holds the work until its own is removed. */
export function leavesNoProgress(): Middleware<ReceivedContext> {
  return async (ctx, next) => {
    const leftOver = ctx.mayHaveBegun ? await leftOverOf(ctx) : [];
    for (const progress of leftOver) ctx.removals.push(removeProgress(ctx, progress));
    try {
      await next();
    } finally {
      if (ctx.removals.length > 0) {
        await Promise.race([Promise.allSettled(ctx.removals), delay(PATIENCE_MS, undefined, { ref: false })]);
      }
    }
  };
}

async function leftOverOf({ bot, update }: ReceivedContext): Promise<ProgressMessage[]> {
  return bot.progressMessages.ofUpdate(update.update_id).catch((error: unknown) => {
    bot.log.warn({ error }, 'left-over progress messages could not be looked for');
    return [];
  });
}
