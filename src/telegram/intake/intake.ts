/** How an update from Telegram goes into the queue: whose lane, which album, which press. */
import { createHash } from 'node:crypto';
import type { Message } from 'telegraf/types';
import type { QueuedUpdate } from '../../queue/queue.ts';
import { type Callback, pressedBy, presserId } from '../request/callback.ts';
import { type Origin, senderId } from '../request/identity.ts';
import { isUsable, QUEUED_KINDS, withWellFormedText } from './usable-update.ts';

/** The kinds of update that the bot asks Telegram for. */
export const ALLOWED_UPDATES = [...QUEUED_KINDS, 'inline_query'] as const;

/**
 * Told of an update once it is in the queue, for what must not wait in a lane. `isLate`: it waited at Telegram while nobody fetched, so
 * what is of use only at once may come too late.
 */
export type OnReceived = (body: unknown, isLate: boolean) => void;

/**
 * The update as the queue takes it; undefined for what the bot has no use for, and for an inline query, which is worthless later. On some
 * of the bot's buttons a press waits in the lane of its chat: `callbacks` tells.
 */
export function toQueued(received: unknown, callbacks: readonly Callback[]): QueuedUpdate | undefined {
  const body = withWellFormedText(received);
  if (!isUsable(body)) return undefined;
  const queued = { updateId: body.update_id, body };
  if ('my_chat_member' in body) return { ...queued, lane: laneOfChat(body.my_chat_member) };
  if ('edited_message' in body) return { ...queued, lane: senderId(body.edited_message) };
  if ('callback_query' in body) {
    const { from, message, data } = body.callback_query;
    const { chat, message_id } = message;
    const pressed = pressedBy(data, callbacks);
    const press = { ...queued, lane: presserId({ from, chat }, pressed) };
    // Each *Cancel* holds its person's work from its receipt until its own turn (middleware/cancelling.ts): one dropped would have none.
    if (pressed?.callback.stopsWork) return press;
    // A client can send one press twice, under two update ids.
    return { ...press, once: boundedKey(`${from.id}:${chat.id}:${message_id}:${data}`) };
  }
  const { message } = body;
  if (isUpgrade(message)) return { ...queued, lane: laneOfChat(message) };
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  const lane = senderId(message);
  return album === undefined
    ? { ...queued, lane }
    : { ...queued, lane, album: boundedKey(`${message.chat.id}:${album}`) };
}

/** What Telegram gives is far shorter; a longer one would not fit into PostgreSQL's index, and hold up all that came with it. */
const LONGEST_KEY = 200;

function boundedKey(text: string): string {
  return text.length <= LONGEST_KEY ? text : createHash('sha256').update(text).digest('base64url');
}

/** What befalls a chat is nobody's request: it waits for the chat alone. */
function laneOfChat({ chat }: Origin): string {
  return senderId({ chat });
}

/** A group has become a supergroup, told in the one or in the other. */
function isUpgrade(message: Message): boolean {
  return 'migrate_to_chat_id' in message || 'migrate_from_chat_id' in message;
}
