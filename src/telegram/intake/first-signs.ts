/** The first sign of life: from the receipt of a request to its end its chat shows that something is done, wherever it waits. */
import { ALBUM_PAUSE_MS, type QueueHandler } from '../../queue/queue.ts';
import type { ChatActions, Waiting } from '../api/chat-actions.ts';
import { namesBot } from '../request/asked.ts';
import type { Known } from '../request/command.ts';
import type { OnReceived } from './intake.ts';
import { isUpdate, isUsable, type UsableUpdate } from './usable-update.ts';

/** The end of a request that was received twice is noticed once: no sign is shown for longer than this, in ms. */
const LONGEST_MS = 60_000;
/** So many requests are remembered that ended before their receipt was told of: they are done within one commit. */
const MOST_ENDED = 1000;

export interface FirstSigns {
  /** Begins the sign of a request as soon as it is in the queue, beside the lane in which it waits. */
  readonly onReceived: OnReceived;
  /** The same handler: what it handles is shown to be done until it has ended. */
  whileHandled(handler: QueueHandler): QueueHandler;
}

interface FirstSignsOptions {
  readonly chatActions: Pick<ChatActions, 'begin'>;
  readonly known: Known;
  /** False where other processes handle what this one receives: then it cannot know the end, but that an album waits to be whole. */
  readonly isAlone: boolean;
}

/** No sign is shown yet. What came too late to matter, `isLate`, has one from the start of its handling. */
export function createFirstSigns({ chatActions, known, isAlone }: FirstSignsOptions): FirstSigns {
  const signs = new Map<number, Waiting>();
  /** Received and not ended, and the reverse: the end of quick work comes before its receipt is told of. */
  const received = new Set<number>();
  const ended = new Set<number>();

  const begin = (update: unknown): void => {
    if (!isUsable(update) || signs.has(update.update_id)) return;
    const place = placeOf(update, known);
    if (place !== undefined) signs.set(update.update_id, chatActions.begin(place));
  };
  const end = (id: number): void => {
    received.delete(id);
    signs.get(id)?.end();
    signs.delete(id);
  };
  const noteEnd = (id: number): void => {
    if (received.has(id)) return;
    ended.add(id);
    const [oldest] = ended;
    if (ended.size > MOST_ENDED && oldest !== undefined) ended.delete(oldest);
  };

  return {
    onReceived: (update, isLate) => {
      if (isLate || !isUpdate(update) || ended.delete(update.update_id)) return;
      const isAlbum = isUsable(update) && 'message' in update && 'media_group_id' in update.message;
      if (!isAlone && !isAlbum) return;
      received.add(update.update_id);
      begin(update);
      setTimeout(() => end(update.update_id), isAlone ? LONGEST_MS : ALBUM_PAUSE_MS).unref();
    },
    whileHandled: (handler) => async (work) => {
      begin(work.bodies[0]);
      try {
        await handler(work);
      } finally {
        for (const { update_id } of work.bodies.filter(isUpdate)) {
          noteEnd(update_id);
          end(update_id);
        }
      }
    },
  };
}

/** Where whoever asked would look for a sign; undefined where nobody waits, as far as the update itself tells. */
function placeOf(update: UsableUpdate, known: Known) {
  if ('my_chat_member' in update) return undefined;
  const isPress = 'callback_query' in update;
  const message = isPress
    ? update.callback_query.message
    : 'message' in update
      ? update.message
      : update.edited_message;
  const { chat } = message;
  if (!isPress && chat.type !== 'private' && !namesBot(message, known)) return undefined;
  const isInTopic = 'is_topic_message' in message && message.is_topic_message === true;
  return { chat: chat.id, topic: isInTopic ? message.message_thread_id : undefined };
}
