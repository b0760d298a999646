/** An update at its receipt: what it asks for, and how it goes into the queue (whose lane, which album, which callback query). */
import { createHash } from 'node:crypto';
import type * as Today from '@grammyjs/types';
import type { Message, Opts, UserFromGetMe } from 'telegraf/types';
import type { QueuedUpdate } from '../../queue/queue.ts';
import { type Asked, askedByCallback, askedByMessage, stopsWork } from '../request/asked.ts';
import { callbackSenderId } from '../request/callback.ts';
import type { Vocabulary } from '../request/command.ts';
import { keyOfMessage } from '../request/ephemeral.ts';
import { type Origin, senderId } from '../request/identity.ts';
import {
  GUEST_KIND,
  isGuestUpdate,
  isUsable,
  normalised,
  POST_KINDS,
  QUEUED_KINDS,
  STOP_KIND,
  type UsableCallbackQuery,
  type UsableUpdate,
} from './usable-update.ts';

/** The kinds of update that the bot asks Telegram for. */
export const ALLOWED_UPDATES: ReadonlyArray<Exclude<keyof Today.Update, 'update_id'>> = [
  ...QUEUED_KINDS,
  ...POST_KINDS,
  STOP_KIND,
  GUEST_KIND,
  'inline_query',
];

/** The same as Telegraf's types put it, which end at Bot API 7.1 and know no guests: hence the cast where they are asked for. */
export type AllowedUpdates = NonNullable<Opts<'getUpdates'>['allowed_updates']>;

/** An update as it came in: parsed once, for the queue and for all who look at it beside its lane. */
export interface Received {
  /** As Telegram sent it, of whatever kind. */
  readonly body: unknown;
  /** The same with well-formed text, a channel's post as a message; undefined for what no handler of `bot.ts` can take. */
  readonly update: UsableUpdate | undefined;
  /** What it asks for by itself; undefined for an edit, and for a message that came before the bot knew its own account. */
  readonly asked: Asked | undefined;
  /** As the queue takes it; undefined for what the bot has no use for, and for an inline query, which is worthless later. */
  readonly queued: QueuedUpdate | undefined;
}

/** `receive` with what the bot knows of itself. */
export type Receive = (body: unknown) => Received;

/**
 * Told of an update once it is in the queue, for what must not wait in a lane. `isLate`: it waited at Telegram while the bot did not fetch, so
 * what is of use only at once may come too late.
 */
export type OnReceived = (received: Received, isLate: boolean) => void;

/** Parses an update for its receipt. `me` is undefined until Telegram has told the bot its own account. */
export function receive(
  body: unknown,
  { commands, callbacks }: Vocabulary,
  me: UserFromGetMe | undefined,
): Received {
  const update = normalised(body);
  if (isGuestUpdate(update)) {
    const lane = senderId(update.guest_message);
    const queued = { updateId: update.update_id, body: update, lane };
    return { body, update: undefined, asked: undefined, queued };
  }
  if (!isUsable(update)) return { body, update: undefined, asked: undefined, queued: undefined };
  const queued = { updateId: update.update_id, body: update };
  if ('my_chat_member' in update) {
    return { body, update, asked: undefined, queued: { ...queued, lane: laneOfChat(update.my_chat_member) } };
  }
  if ('edited_message' in update) {
    return { body, update, asked: undefined, queued: { ...queued, lane: senderId(update.edited_message) } };
  }
  if ('callback_query' in update) {
    const asked = askedByCallback(update.callback_query, { callbacks });
    return { body, update, asked, queued: { ...queued, ...placeOfCallback(update.callback_query, asked) } };
  }
  const { message } = update;
  const asked = me && askedByMessage(message, [message], { commands, callbacks, me });
  return { body, update, asked, queued: { ...queued, ...placeOfMessage(message) } };
}

/** Where a callback query waits: by some of the bot's buttons in the lane of its chat. */
function placeOfCallback({ from, message, data }: UsableCallbackQuery, asked: Asked & { kind: 'callback' }) {
  const { chat } = message;
  const lane = callbackSenderId({ from, chat }, asked.matched);
  // Each *Cancel* holds its person's work from its receipt until its own turn (middleware/running-work.ts): one dropped would have none.
  if (stopsWork(asked)) return { lane };
  // A client can send one tap as two callback queries, under two update ids.
  return { lane, once: boundedKey(`${from.id}:${keyOfMessage(message)}:${data}`) };
}

function placeOfMessage(message: Message) {
  if (isUpgrade(message)) return { lane: laneOfChat(message) };
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  const lane = senderId(message);
  return album === undefined ? { lane } : { lane, album: boundedKey(`${message.chat.id}:${album}`) };
}

/** What Telegram gives is far shorter; a longer one would not fit into PostgreSQL's index, and hold up all that came with it. */
const LONGEST_KEY = 200;

function boundedKey(text: string): string {
  return text.length <= LONGEST_KEY ? text : createHash('sha256').update(text).digest('base64url');
}

/** What befalls a chat is no person's request: it waits in the lane of the chat. */
function laneOfChat({ chat }: Origin): string {
  return senderId({ chat });
}

/** A group has become a supergroup, told in the one or in the other. */
function isUpgrade(message: Message): boolean {
  return 'migrate_to_chat_id' in message || 'migrate_from_chat_id' in message;
}
