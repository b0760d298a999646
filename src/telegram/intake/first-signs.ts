/** The sign of life of a request that waits for its turn: a chat action from its receipt until its work begins, which shows its own. */
import type { Requests } from '../../queue/requests.ts';
import type { BotApi } from '../api/api.ts';
import { namesBot } from '../request/asked.ts';
import type { Known } from '../request/command.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import { partOf } from '../request/part.ts';
import type { ParsedUpdate } from '../request/update.ts';

/** A request that begins sooner needs no sign before that, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** A request that waits longer than a minute shows that no more. */
const MAX_SIGNS = 13;

type Asking = ParsedUpdate & { readonly kind: 'request' };

interface FirstSignsOptions {
  readonly api: BotApi;
  readonly known: Known;
  /** Asked where other processes may have begun a request that this one has received; undefined if there are none. */
  readonly shared: Pick<Requests, 'isUntaken'> | undefined;
}

export class FirstSigns {
  readonly #options: FirstSignsOptions;
  /** By lane, the next sign that its latest request waits. */
  readonly #waiting = new Map<string, NodeJS.Timeout>();

  constructor(options: FirstSignsOptions) {
    this.#options = options;
  }

  /** A request has begun to wait in a lane. */
  show(parsed: Asking, lane: string, request: number): void {
    const place = placeOf(parsed, this.#options.known);
    if (place === undefined) return;
    const { api, shared } = this.#options;
    const showIn = (ms: number, times: number): void => {
      this.begun(lane);
      this.#waiting.set(lane, setTimeout(() => void show(times).catch(() => {}), ms).unref());
    };
    const show = async (times: number): Promise<void> => {
      this.#waiting.delete(lane);
      if (shared !== undefined && !(await shared.isUntaken(request))) return;
      if (times > 1) showIn(RENEW_AFTER_MS, times - 1);
      await api.sendChatAction(place.chat, 'typing', place.topic);
    };
    showIn(DUE_AFTER_MS, MAX_SIGNS);
  }

  /** The work on a request of this lane begins here. */
  begun(lane: string): void {
    clearTimeout(this.#waiting.get(lane));
    this.#waiting.delete(lane);
  }
}

/** The chat and topic where the asker waits; undefined if nobody waits, as far as the update tells. */
function placeOf({ update, chat, message }: Asking, known: Known) {
  if (message === undefined) return undefined;
  // Channels have no chat actions (Bot API, sendChatAction), and others should not notice an ephemeral message.
  if (chat.type === 'channel' || ephemeralId(message) !== undefined) return undefined;
  const isSaid = 'callback_query' in update || chat.type === 'private';
  if (!isSaid && !namesBot(partOf(message, known), known.me)) return undefined;
  const isInTopic = 'is_topic_message' in message && message.is_topic_message === true;
  return { chat: chat.id, topic: isInTopic ? { message_thread_id: message.message_thread_id } : {} };
}
