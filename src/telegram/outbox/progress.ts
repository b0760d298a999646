/** Shows a waiting person that the bot works: a chat action that does not fade, and the progress of several paid calls. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '../../interpreter/request.ts';
import { cancelButton, markup } from '../answer/buttons.ts';
import { isNotModified, unlessRefused } from '../api/api-errors.ts';
import type { ChatAction } from '../api/chat-actions.ts';
import type { ReceivedContext } from '../context.ts';
import { createDraft, type Draft } from './draft.ts';
import { placeOf, topicOf } from './posting.ts';

export interface Activity {
  /** Shows another chat action from now on, unless the work ends in a moment. */
  change(action: ChatAction): void;
  /**
   * Adds a part to the work; the part reports how many paid calls it takes. If all parts together take more than one, a message
   * shows how many are done. It is edited in place.
   */
  part(): OnProgress;
  /**
   * Lets the answer grow as a draft, in place of the progress message. Undefined outside private chats, if that message is there already,
   * and if the answer replaces an earlier one. Report its text to `show`, and call `end` before the answer.
   */
  draft(): Draft | undefined;
}

/**
 * Does the work while the chat shows `action`. Nothing here delays the work or makes it fail: the answer matters more than a sign
 * that it is coming.
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

/** A message that shows how far a request is. */
interface ProgressMessage {
  readonly chat: number;
  readonly message: number;
}

/** Shortest time between two edits of the message, in ms. In a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** After this wait for a single paid call the person is offered to cancel it, in ms. */
const LONG_WAIT_MS = 10_000;

/**
 * The progress of one piece of work: `part` adds a part to it, `remove` ends it. Nothing is shown until a part reports more than one
 * paid call, or the work has taken long.
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
    // A channel's readers are not waiting; and a group should not see what one person asked for their eyes alone.
    if (ctx.chat.type === 'channel' || ctx.forOne !== undefined) return;
    // Keeps what a group still takes this minute for answers.
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
          ctx.bot.api.editMessageText(sent.chat, sent.message, undefined, text, cancelMarkup(ctx)),
        ),
      );
    }
  };
  // Where the bot only listens, nobody asked and nobody waits.
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
  const beginDraft = (): Draft | undefined => {
    if (!ctx.isPrivate || ctx.outbox.former.length > 0 || message !== undefined) return undefined;
    const begun = createDraft(ctx, () => {
      draft = undefined;
      show();
    });
    draft = begun;
    const end = (): Promise<void> => {
      // What is left of the work (a speech) is counted again.
      draft = undefined;
      return begun.end();
    };
    return { ...begun, end };
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

/** Sends it and notes it in the database: another process may finish the work. */
async function sendProgress(ctx: ReceivedContext, text: string): Promise<ProgressMessage> {
  const sent = await ctx.bot.api.sendMessage(ctx.chat.id, text, {
    ...placeOf(ctx, undefined),
    ...cancelMarkup(ctx),
  });
  // Not `ctx.chat`: the group may have become a supergroup meanwhile.
  const progress = { chat: sent.chat.id, message: sent.message_id };
  await ctx.outbox
    .add({ id: progress.message, kind: 'progress', chat: progress.chat })
    .catch((error: unknown) => ctx.bot.log.warn({ error }, 'a progress message was not noted'));
  return progress;
}

function cancelMarkup(ctx: ReceivedContext) {
  return { reply_markup: markup([[cancelButton(ctx)]]) };
}

/** Removes a progress message. Never throws; what cannot be removed now is left to the next attempt. */
export async function removeProgress(ctx: ReceivedContext, progress: ProgressMessage): Promise<void> {
  try {
    // Telegram refuses where somebody has deleted it, or it is too old.
    await unlessRefused(ctx.bot.api.deleteMessage(progress.chat, progress.message));
    ctx.outbox.drop(progress.message);
  } catch (error) {
    ctx.bot.log.warn({ error }, 'a progress message was not removed');
  }
}

function quietly(ctx: ReceivedContext, call: Promise<unknown>): void {
  call.catch((error: unknown) => {
    if (!isNotModified(error)) ctx.bot.log.debug({ error }, 'progress was not shown');
  });
}

/** The person's next request waits at most this long for a removal, in ms. */
const PATIENCE_MS = 5000;

/** Removes progress messages that an earlier attempt left, and ends the work only after its own are removed. */
export async function removeProgressMessages(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  for (const { id, chat = ctx.chat.id } of ctx.outbox.progress) {
    if (typeof id === 'number') ctx.removals.push(removeProgress(ctx, { chat, message: id }));
  }
  try {
    await next();
  } finally {
    if (ctx.removals.length > 0) {
      await Promise.race([Promise.allSettled(ctx.removals), delay(PATIENCE_MS, undefined, { ref: false })]);
    }
  }
}
