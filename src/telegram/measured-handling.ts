/** Counts and times what a handler does, by the kind of update. */
import type { Metrics } from '../metrics.ts';
import type { QueueHandler } from '../queue/queue.ts';

/** The kinds that Telegram may send us (Bot API, Update); anything else counts as `other`, so that the kinds stay few. */
const KINDS = [
  'message',
  'edited_message',
  'channel_post',
  'edited_channel_post',
  'callback_query',
  'inline_query',
  'chosen_inline_result',
  'my_chat_member',
  'chat_member',
] as const;

/** The same handler, its attempts counted. */
export function measured(handler: QueueHandler, metrics: Pick<Metrics, 'handled'>): QueueHandler {
  return async (work) => {
    const startedAt = performance.now();
    const note = (outcome: 'ok' | 'failed') =>
      metrics.handled(kindOf(work.bodies[0]), outcome, work.bodies.length, performance.now() - startedAt);
    try {
      await handler(work);
      note('ok');
    } catch (error) {
      note('failed');
      throw error;
    }
  };
}

function kindOf(body: unknown): string {
  if (typeof body !== 'object' || body === null) return 'other';
  return KINDS.find((kind) => kind in body) ?? 'other';
}
