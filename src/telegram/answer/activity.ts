/** Life signs while a person waits: a chat action that does not fade, and the progress of work of several paid calls. */
import type { OnProgress } from '../../interpreter/request.ts';
import type { ChatAction } from '../api/chat-actions.ts';
import type { ReceivedContext } from '../context.ts';
import { topicOf } from '../request/place.ts';
import { createProgress } from './progress.ts';

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
  ctx: ReceivedContext,
  action: ChatAction,
  work: (activity: Activity) => Promise<T>,
): Promise<T> {
  const place = { chat: ctx.chat.id, topic: topicOf(ctx).message_thread_id };
  const waiting = ctx.bot.api.chatActions.begin(place, action);
  const progress = createProgress(ctx);
  try {
    return await work({ change: waiting.change, part: progress.part });
  } finally {
    waiting.end();
    progress.remove();
  }
}
