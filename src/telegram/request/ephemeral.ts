/**
 * Ephemeral messages (Bot API, "Ephemeral Messages and Commands"): only one member of a group and the bot see them. Their `message_id` is 0;
 * they have an id of their own.
 */
import type * as Telegram from '@grammyjs/types';
import type { CallbackQuery, Message, User } from 'telegraf/types';
import { isStandIn } from './identity.ts';

/** Parameters that show a message to one person alone. Telegram accepts them within 15 seconds after the request, from an admin always. */
export interface EphemeralParameters {
  readonly ephemeral_message_parameters: Telegram.EphemeralMessageParameters;
  readonly reply_parameters?: { readonly ephemeral_message_id: number };
}

/** The id of an ephemeral message; undefined for any other. Telegraf's types end at Bot API 7.1 and do not have it. */
export function ephemeralId(message: object | undefined): number | undefined {
  const { ephemeral_message_id: id }: Partial<Telegram.Message> = message ?? {};
  return id;
}

/** The parameters of an answer to an ephemeral message, or to a button under one; undefined for other requests. */
export function ephemeralReply(
  from: User | undefined,
  message: Message | undefined,
  query: CallbackQuery | undefined,
): EphemeralParameters | undefined {
  if (query !== undefined)
    return ephemeralId(query.message) === undefined ? undefined : ephemeralToSender(query);
  const id = ephemeralId(message);
  // Telegram shows them to people only, not to a chat that somebody writes as.
  if (id === undefined || from === undefined || isStandIn(from.id)) return undefined;
  return {
    ephemeral_message_parameters: { receiver_user_id: from.id },
    reply_parameters: { ephemeral_message_id: id },
  };
}

/** The parameters that show an answer to a callback query to its sender alone. */
export function ephemeralToSender({ id, from }: CallbackQuery): EphemeralParameters {
  return { ephemeral_message_parameters: { receiver_user_id: from.id, callback_query_id: id } };
}
