/**
 * Messages for one pair of eyes (Bot API, "Ephemeral Messages and Commands"): a member of a group and the bot see them, nobody else. They
 * have no number in their chat, whose `message_id` is 0, but one of their own.
 */
import type { EphemeralMessageParameters } from '@grammyjs/types';
import type { CallbackQuery, Message, User } from 'telegraf/types';
import { isStandIn } from './identity.ts';

/** Parameters that show a message to one person alone. Telegram takes them for 15 seconds after what it answers, of an admin always. */
export interface ForOne {
  readonly ephemeral_message_parameters: EphemeralMessageParameters;
  readonly reply_parameters?: { readonly ephemeral_message_id: number };
}

/** What Telegram calls such a message; undefined for any other. Telegraf's types end at Bot API 7.1 and do not have it. */
export function ephemeralId(message: object | undefined): number | undefined {
  const { ephemeral_message_id: id }: { readonly ephemeral_message_id?: number } = message ?? {};
  return id;
}

/** Tells a message apart from all others, of both kinds. */
export function keyOfMessage(message: Pick<Message, 'chat' | 'message_id'>): string {
  const id = ephemeralId(message);
  return `${message.chat.id}:${id === undefined ? message.message_id : `e${id}`}`;
}

/** How a request is answered that only its sender and the bot have seen: such a message, or a button under one. */
export function forOneAlone(
  from: User | undefined,
  message: Message | undefined,
  query: CallbackQuery | undefined,
): ForOne | undefined {
  if (query !== undefined) return ephemeralId(query.message) === undefined ? undefined : forSenderOf(query);
  const id = ephemeralId(message);
  // Telegram shows them to people alone, not to a chat in whose name somebody writes.
  if (id === undefined || from === undefined || isStandIn(from.id)) return undefined;
  return {
    ephemeral_message_parameters: { receiver_user_id: from.id },
    reply_parameters: { ephemeral_message_id: id },
  };
}

/** An answer to a callback query for its sender's eyes alone. */
export function forSenderOf({ id, from }: CallbackQuery): ForOne {
  return { ephemeral_message_parameters: { receiver_user_id: from.id, callback_query_id: id } };
}
