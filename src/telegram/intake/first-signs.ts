/** The first sign of life: a chat shows an action from the receipt of a request to its end, also while it waits in its lane. */
import { setTimeout as delay } from 'node:timers/promises';
import { dropOldest } from '../../bounded-memory.ts';
import type { Requests } from '../../queue/requests.ts';
import type { QueueHandler } from '../../queue/work.ts';
import type { ChatActions } from '../api/chat-actions.ts';
import { namesBot } from '../request/asked.ts';
import type { Known } from '../request/command.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import type { OnReceived } from './receipt.ts';
import { isUpdate, isUsable, originOf, type UsableUpdate } from './usable-update.ts';

/** No sign lasts longer than this, in ms: of a request that another process handles, this one does not see the end. */
const LONGEST_MS = 60_000;
/** A request that begins sooner needs no sign before that, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** How many requests are remembered that ended before `onReceived` was called: quick work is done within one commit. */
const MOST_ENDED = 1000;

interface FirstSigns {
  /** Begins the sign of a request as soon as it is in the queue. */
  readonly onReceived: OnReceived;
  /** Wraps a handler: the sign is shown until it has ended. */
  whileHandled(handler: QueueHandler): QueueHandler;
}

interface FirstSignsOptions {
  readonly chatActions: Pick<ChatActions, 'begin' | 'showOnce'>;
  readonly known: Known;
  /** Undefined where no other process handles what this one receives. */
  readonly requests: Pick<Requests, 'isUntaken'> | undefined;
  /** Whether a request gets no answer at all. */
  readonly isIgnored: (update: unknown) => boolean | Promise<boolean>;
}

/** A request that came late (`isLate`) has its sign only from the start of its handling. */
export function createFirstSigns(options: FirstSignsOptions): FirstSigns {
  const { chatActions, known, requests, isIgnored } = options;
  const signs = new Map<number, { end(): void }>();
  /** Received and not ended; and the reverse, since quick work ends before `onReceived` is called. */
  const received = new Set<number>();
  const ended = new Set<number>();

  const begin = (update: UsableUpdate): void => {
    const place = placeOf(update, known);
    if (place === undefined || signs.has(update.update_id)) return;
    signs.set(update.update_id, chatActions.begin(place));
  };
  /** Whoever begins the request shows its sign from then on. */
  const showWhileUntaken = async (
    queue: Pick<Requests, 'isUntaken'>,
    request: number,
    update: UsableUpdate,
  ): Promise<void> => {
    const place = placeOf(update, known);
    if (place === undefined) return;
    const until = performance.now() + LONGEST_MS;
    await delay(DUE_AFTER_MS, undefined, { ref: false });
    while (performance.now() < until && (await queue.isUntaken(request))) {
      chatActions.showOnce(place);
      await delay(RENEW_AFTER_MS, undefined, { ref: false });
    }
  };
  const end = (id: number): void => {
    received.delete(id);
    signs.get(id)?.end();
    signs.delete(id);
  };
  const noteEnd = (id: number): void => {
    if (received.has(id)) return;
    ended.add(id);
    dropOldest(ended, MOST_ENDED);
  };

  return {
    onReceived: ({ update }, isLate, request) => {
      if (isLate || update === undefined || request === undefined) return;
      if (requests !== undefined) {
        void showWhileUntaken(requests, request, update).catch(() => {});
        return;
      }
      if (ended.delete(update.update_id)) return;
      const id = update.update_id;
      received.add(id);
      begin(update);
      setTimeout(() => end(id), LONGEST_MS).unref();
    },
    whileHandled: (handler) => async (work) => {
      const [first] = work.bodies;
      const ignored = isIgnored(first);
      const isShown = typeof ignored === 'boolean' ? !ignored : !(await ignored);
      if (isShown && isUsable(first)) begin(first);
      try {
        return await handler(work);
      } finally {
        for (const { update_id } of work.bodies.filter(isUpdate)) {
          noteEnd(update_id);
          end(update_id);
        }
      }
    },
  };
}

/** The chat and topic where the asker waits; undefined if nobody waits, as far as the update tells. */
function placeOf(update: UsableUpdate, known: Known) {
  const { chat, message } = originOf(update);
  if (message === undefined) return undefined;
  // Channels have no chat actions (Bot API, sendChatAction), and others should not notice an ephemeral message.
  if (chat.type === 'channel' || ephemeralId(message) !== undefined) return undefined;
  if (!('callback_query' in update) && chat.type !== 'private' && !namesBot(message, known)) return undefined;
  const isInTopic = 'is_topic_message' in message && message.is_topic_message === true;
  return { chat: chat.id, topic: isInTopic ? message.message_thread_id : undefined };
}
