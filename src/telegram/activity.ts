/** Life signs while a person waits: a chat action that does not fade, and a count for work in several parts. */
import type { Opts } from 'telegraf/types';
import { isNotModified } from './api-remedies.ts';
import type { BotContext } from './context.ts';
import { removeProgress } from './progress-removal.ts';
import { placeOf } from './sending.ts';

type ChatAction = Opts<'sendChatAction'>['action'];

/** Telegram shows a chat action for 5 s; renewed a little earlier it never fades, in ms. */
const RENEW_AFTER_MS = 4500;
/** Work that ends sooner than this after it has changed its nature is not worth another call, in ms. */
const SHOW_CHANGE_AFTER_MS = 200;
/** In ms; in a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** Told how many paid calls of a part of the work are done, and how many it takes. */
export type OnProgress = (done: number, total: number) => void;

export interface Activity {
  /** Shows another chat action from now on, unless the work is over in a moment. */
  change(action: ChatAction): void;
  /**
   * Adds a part to the work, which tells how many paid calls it takes. Where all parts take more than one, one message shows how
   * many are done, edited in place.
   */
  part(): OnProgress;
}

/**
 * Does the work while the chat shows `action`. Nothing here is waited for or can fail the work: a life sign that does not
 * arrive must not delay or spoil the answer.
 */
export async function whileShowing<T>(
  ctx: BotContext,
  action: ChatAction,
  work: (activity: Activity) => Promise<T>,
): Promise<T> {
  let current = action;
  const show = (): void => {
    quietly(ctx, ctx.telegram.sendChatAction(chatId(ctx), current, threadOf(ctx)));
  };
  // After the work itself has begun: it must not wait for this, and may be done by then.
  const first = setImmediate(show);
  const timer = setInterval(show, RENEW_AFTER_MS);
  let changing: NodeJS.Timeout | undefined;
  const counter = createCounter(ctx);
  try {
    return await work({
      change: (next) => {
        if (next === current) return;
        current = next;
        clearTimeout(changing);
        changing = setTimeout(show, SHOW_CHANGE_AFTER_MS);
      },
      part: counter.part,
    });
  } finally {
    clearImmediate(first);
    clearInterval(timer);
    clearTimeout(changing);
    counter.remove();
  }
}

function createCounter(ctx: BotContext) {
  const parts: { done: number; total: number }[] = [];
  let message: Promise<number> | undefined;
  let shownAt = 0;

  const show = (): void => {
    const done = parts.reduce((sum, part) => sum + part.done, 0);
    const total = parts.reduce((sum, part) => sum + part.total, 0);
    if (total < 2) return;
    // What a group still takes this minute is for answers.
    if (ctx.bot.api.isBusy(chatId(ctx))) return;
    const text = ctx.words('progress', { done, total });
    const now = Date.now();
    if (message === undefined) {
      shownAt = now;
      message = sendCount(ctx, text);
      quietly(ctx, message);
    } else if (now - shownAt >= EDIT_EVERY_MS[ctx.isPrivate ? 'private' : 'group']) {
      shownAt = now;
      quietly(
        ctx,
        message.then((id) => ctx.telegram.editMessageText(chatId(ctx), id, undefined, text)),
      );
    }
  };
  const part = (): OnProgress => {
    const index = parts.push({ done: 0, total: 0 }) - 1;
    return (done, total) => {
      parts[index] = { done, total };
      show();
    };
  };
  const remove = (): void => {
    if (message === undefined) return;
    const removal = message.then((id) => removeProgress(ctx, { chat: chatId(ctx), message: id }));
    quietly(ctx, removal);
    ctx.removals.push(removal);
  };
  return { part, remove };
}

/** Sends it and writes down that it is there, for whoever finishes the work. */
async function sendCount(ctx: BotContext, text: string): Promise<number> {
  const { message_id } = await ctx.telegram.sendMessage(chatId(ctx), text, placeOf(ctx, undefined));
  const progress = { chat: chatId(ctx), message: message_id };
  await ctx.bot.progressMessages.keep(progress, ctx.update.update_id).catch((error: unknown) => {
    ctx.bot.log.warn({ error }, 'a count was not noted');
  });
  return message_id;
}

function quietly(ctx: BotContext, call: Promise<unknown>): void {
  call.catch((error: unknown) => {
    if (!isNotModified(error)) ctx.bot.log.debug({ error }, 'a life sign was not shown');
  });
}

function chatId(ctx: BotContext): number {
  return ctx.chat?.id ?? 0;
}

function threadOf(ctx: BotContext) {
  const place = placeOf(ctx, undefined);
  return 'message_thread_id' in place ? { message_thread_id: place.message_thread_id } : {};
}
