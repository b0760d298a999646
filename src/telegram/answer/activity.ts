/** Life signs while a person waits: a chat action that does not fade, and the progress of work of several paid calls. */
import type { Opts } from 'telegraf/types';
import type { OnProgress } from '../../interpreter/request.ts';
import type { BotContext } from '../context.ts';
import { topicOf } from '../message/place.ts';
import { createProgress } from './progress.ts';

type ChatAction = Opts<'sendChatAction'>['action'];

/** Telegram shows a chat action for 5 s; renewed a little earlier it never fades, in ms. */
const RENEW_AFTER_MS = 4500;
/** Work that ends sooner than this after it has changed its nature is not worth another call, in ms. */
const SHOW_CHANGE_AFTER_MS = 500;

export interface Activity {
  /** Shows another chat action from now on, unless the work is over in a moment. */
  change(action: ChatAction): void;
  /**
   * Adds a part to the work, which tells how many paid calls it takes. Where all parts together take more than one, one message
   * shows how many are done, edited in place.
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
  const [chat, topic] = [ctx.chat.id, topicOf(ctx)];
  const show = (): void => {
    ctx.telegram.sendChatAction(chat, current, topic).catch((error: unknown) => {
      ctx.bot.log.debug({ error }, 'a life sign was not shown');
    });
  };
  // After the work itself has begun: it must not wait for this, and may be done by then.
  const first = setImmediate(show);
  const timer = setInterval(show, RENEW_AFTER_MS);
  let changing: NodeJS.Timeout | undefined;
  const progress = createProgress(ctx);
  try {
    return await work({
      change: (next) => {
        if (next === current) return;
        current = next;
        clearTimeout(changing);
        changing = setTimeout(show, SHOW_CHANGE_AFTER_MS);
      },
      part: progress.part,
    });
  } finally {
    clearImmediate(first);
    clearInterval(timer);
    clearTimeout(changing);
    progress.remove();
  }
}
