/** Where the messages of a request go, as parameters of the methods that send them. */
import type * as Telegram from '@grammyjs/types';
import type { CallbackQuery, Chat, Message, User } from 'telegraf/types';
import { isStandIn } from '../request/identity.ts';
import { ephemeralId } from '../request/parsed-message.ts';

/** Who asks, and by which message: that decides where the answer goes. */
export interface Requester {
  readonly from: User | undefined;
  /** The message that asks, or whose button was pressed. */
  readonly msg: Partial<Message> | undefined;
  readonly callbackQuery: CallbackQuery | undefined;
}

/** Parameters of every method that sends a message. */
export interface Destination {
  readonly reply_parameters?: { readonly message_id: number; readonly allow_sending_without_reply: boolean };
  readonly message_thread_id?: number | undefined;
  /** In the direct messages of a channel (Bot API 9.2): which reader's. */
  readonly direct_messages_topic_id?: number | undefined;
  /** To one person alone (`ephemeralId`). Telegram accepts it within 15 seconds after the request, from an admin always. */
  readonly ephemeral_message_parameters?: Telegram.EphemeralMessageParameters;
}

export type Topic = Pick<Destination, 'message_thread_id' | 'direct_messages_topic_id'>;

/** The topic of a message: of a forum, or of a channel's direct messages. */
export function topicOf(message: object | undefined): Topic {
  const {
    is_topic_message,
    message_thread_id,
    direct_messages_topic: direct,
  }: Partial<Telegram.Message> = message ?? {};
  if (direct !== undefined) return { direct_messages_topic_id: direct.topic_id };
  return is_topic_message === true ? { message_thread_id } : {};
}

/**
 * The topic in which chat actions are shown; undefined where none are: channels and their direct messages have none (Bot API), and others
 * should not notice an ephemeral message.
 */
export function actionTopic(chat: Chat, message: object | undefined): Topic | undefined {
  const topic = topicOf(message);
  const takesNone = chat.type === 'channel' || topic.direct_messages_topic_id !== undefined;
  return takesNone || ephemeralId(message) !== undefined ? undefined : topic;
}

/** An answer to an ephemeral message, or to a button under one; undefined for other requests. */
export function ephemeralReply({ from, msg, callbackQuery }: Requester): Destination | undefined {
  const id = ephemeralId(msg);
  // Telegram shows them to people only, not to a chat that somebody writes as.
  if (id === undefined || from === undefined || isStandIn(from.id)) return undefined;
  if (callbackQuery !== undefined) return ephemeralToSender(callbackQuery);
  // Telegraf's types end at Bot API 7.1: hence the cast.
  const reply: object = { reply_parameters: { ephemeral_message_id: id } };
  return { ...reply, ephemeral_message_parameters: { receiver_user_id: from.id } };
}

/** An answer to a callback query that its sender alone sees. */
export function ephemeralToSender({ id, from }: CallbackQuery): Destination {
  return { ephemeral_message_parameters: { receiver_user_id: from.id, callback_query_id: id } };
}
