/** The first sign of life: a chat shows an action from the receipt of a request to its end, also while it waits for its turn. */
import { setTimeout as delay } from 'node:timers/promises';
import type { Requests } from '../../queue/requests.ts';
import type { QueueHandler } from '../../queue/work.ts';
import type { ChatActions } from '../api/chat-actions.ts';
import { namesBot } from '../request/asked.ts';
import type { Known } from '../request/command.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import type { OnReceived } from './receipt.ts';
import { isUsable, originOf, type UsableUpdate } from './usable-update.ts';

/** No request shows a sign for longer before it begins, in ms. */
const LONGEST_MS = 60_000;
/** A request that begins sooner needs no sign before that, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;

interface FirstSigns {
  /** Shows that a request waits, until a process has begun it. */
  readonly onReceived: OnReceived;
  /** Wraps a handler: the sign is shown until it has ended. */
  whileHandled(handler: QueueHandler): QueueHandler;
}

interface FirstSignsOptions {
  readonly chatActions: Pick<ChatActions, 'begin' | 'showOnce'>;
  readonly known: Known;
  readonly requests: Pick<Requests, 'isUntaken'>;
  /** Whether a request gets no answer at all. */
  readonly isIgnored: (update: unknown) => boolean | Promise<boolean>;
}

/** A request that came late (`isLate`) has its sign only from the start of its handling. */
export function createFirstSigns({ chatActions, known, requests, isIgnored }: FirstSignsOptions): FirstSigns {
  const showWhileUntaken = async (request: number, update: UsableUpdate): Promise<void> => {
    const place = placeOf(update, known);
    if (place === undefined) return;
    const until = performance.now() + LONGEST_MS;
    await delay(DUE_AFTER_MS, undefined, { ref: false });
    while (performance.now() < until && (await requests.isUntaken(request))) {
      chatActions.showOnce(place);
      await delay(RENEW_AFTER_MS, undefined, { ref: false });
    }
  };
  const signFor = async (body: unknown) => {
    const place = isUsable(body) && !(await isIgnored(body)) ? placeOf(body, known) : undefined;
    return place && chatActions.begin(place);
  };

  return {
    onReceived: ({ update }, isLate, request) => {
      if (isLate || update === undefined || request === undefined) return;
      // Without the database there is no sign.
      showWhileUntaken(request, update).catch(() => {});
    },
    whileHandled: (handler) => async (work) => {
      const sign = await signFor(work.bodies[0]);
      try {
        return await handler(work);
      } finally {
        sign?.end();
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
