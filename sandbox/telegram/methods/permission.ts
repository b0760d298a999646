/** Whether the bot may act in a chat now: the checks that methods of every kind share. */
import { badRequest } from '../api-error.ts';
import type { ChatRoom } from '../chat-room.ts';
import type { CallContext } from '../method.ts';

/** The chat that the bot may act in; throws ApiError: unknown, blocked, kicked, upgraded. */
export function openRoom({ core }: CallContext, chatId: number | string): ChatRoom {
  const room = core.room(chatId);
  const refusal = room.refusal();
  if (refusal) throw refusal;
  return room;
}

/** Throws ApiError when this is no topic: unknown, deleted, or the thread of a reply. */
export function checkIsTopic({ log, forum }: ChatRoom, threadId: number): void {
  if (forum?.has(threadId)) return;
  const isThread = log.all().some(({ message_thread_id }) => message_thread_id === threadId);
  throw badRequest(isThread ? 'message thread is not a forum topic thread' : 'message thread not found');
}

/** Throws ApiError 429 when flood limits are switched on and reached. */
export function countAgainstFlood({ core, faults, flood }: CallContext, { chat }: ChatRoom): void {
  if (faults.flood) flood.pass(chat, faults.flood === true ? {} : faults.flood, core.now().getTime());
}
