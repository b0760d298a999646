/** Where and how the bot's message goes out: the parameters that every send method shares, and their checks. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import type { ChatRoom } from '../chat-room.ts';
import { type Draft, topicOf } from '../core.ts';
import { readReplyMarkup, replyMarkupParameter } from '../keyboard.ts';
import { isPresent } from '../membership.ts';
import type { CallContext } from '../method.ts';
import type { Message, TextQuote, User } from '../objects.ts';
import { chatIdOrName, flag, integer, json, type Read, text } from '../parameters.ts';
import { replyFields, textQuote } from '../reply-fields.ts';
import { checkIsTopic, countAgainstFlood, openRoom } from './permission.ts';

/** The parameters of every send method. */
export const destination = {
  chat_id: chatIdOrName,
  message_thread_id: integer('invalid message thread identifier specified').optional(),
  direct_messages_topic_id: integer('invalid direct messages topic identifier specified').optional(),
  reply_parameters: json(
    z.looseObject(
      {
        message_id: integer('invalid message identifier specified').optional(),
        ephemeral_message_id: integer('invalid ephemeral message identifier specified').optional(),
        allow_sending_without_reply: flag.optional(),
        quote: text.optional(),
        quote_position: integer('invalid quote position specified').optional(),
      },
      { error: 'object expected as reply parameters' },
    ),
    "can't parse reply parameters JSON object",
  ).optional(),
  ephemeral_message_parameters: json(
    z.looseObject(
      {
        receiver_user_id: integer('can\'t find field "receiver_user_id"'),
        callback_query_id: text.optional(),
      },
      { error: 'object expected as ephemeral message parameters' },
    ),
    "can't parse ephemeral message parameters JSON object",
  ).optional(),
  reply_to_message_id: integer('invalid message identifier specified').optional(),
  allow_sending_without_reply: flag.optional(),
  reply_markup: replyMarkupParameter.optional(),
  protect_content: flag.optional(),
};

type Destination = Read<typeof destination>;

interface Prepared {
  room: ChatRoom;
  /** The only person who sees the message. */
  receiver?: User;
  /** The sender, the reply, the topic, the keyboard. */
  draft: Draft;
}

/** Checks everything about a message but its content; throws ApiError. Counts the message against the flood limits. */
export function prepare(context: CallContext, parameters: Destination): Prepared {
  const markup = readReplyMarkup(parameters.reply_markup);
  const room = openRoom(context, parameters.chat_id);
  const { replyTo, quote } = replyOf(room, parameters);
  const threadId = parameters.message_thread_id || undefined;
  if (threadId !== undefined) checkIsTopic(room, threadId);
  const direct = directTopicOf(room, parameters.direct_messages_topic_id);
  const place = replyFields(room, { replyTo, threadId, quote, direct });
  if (room.forum?.isClosed(topicOf(place)) && !room.botIsAdmin) throw badRequest('TOPIC_CLOSED');
  if (!room.botMayPost) throw badRequest('need administrator rights in the channel chat');
  const receiver = receiverOf(room, context, parameters);
  countAgainstFlood(context, room);
  return {
    room,
    ...(receiver && { receiver }),
    draft: {
      from: context.core.me,
      ...place,
      ...(markup && { reply_markup: markup }),
      ...(parameters.protect_content && { has_protected_content: true }),
    },
  };
}

/** In a channel's direct messages, a message goes to one reader. Telegram does not publish its words for that. */
function directTopicOf({ chat, log }: ChatRoom, id: number | undefined): Message['direct_messages_topic'] {
  if (!chat.is_direct_messages) {
    if (id !== undefined) throw badRequest("the chat isn't a direct messages chat");
    return undefined;
  }
  const [topic] = log
    .all()
    .flatMap(({ direct_messages_topic: one }) => (one !== undefined && one.topic_id === id ? one : []));
  if (topic === undefined) throw badRequest('direct messages topic not found');
  return topic;
}

/** Posts a message with this content; returns it as the call is answered. */
export function post(
  { core }: CallContext,
  { room, draft, receiver }: Prepared,
  content: Partial<Message>,
): Message {
  const message = { ...draft, ...content };
  if (receiver !== undefined) return core.ephemerals.post(room.chat, message, receiver);
  return room.log.asShown(core.post(room, message));
}

/**
 * The receiver of an ephemeral message. Throws ApiError outside groups, for somebody who is no member, and if the bot is no admin and answers
 * nothing of the last 15 seconds; Telegram does not publish its words for that.
 */
function receiverOf(
  room: ChatRoom,
  { core }: CallContext,
  { ephemeral_message_parameters: asked, reply_parameters }: Destination,
): User | undefined {
  const messageId = reply_parameters?.ephemeral_message_id;
  if (asked === undefined) {
    if (messageId !== undefined) throw badRequest('message to be replied not found');
    return undefined;
  }
  const { receiver_user_id: id, callback_query_id: queryId } = asked;
  const member = room.members.find(({ user, status }) => user.id === id && isPresent(status));
  if (!/group$/.test(room.chat.type)) throw badRequest('BOT_NOT_ADMIN');
  if (member === undefined || member.user.is_bot) throw badRequest('USER_NOT_PARTICIPANT');
  const what = {
    ...(queryId !== undefined && { queryId }),
    ...(messageId !== undefined && { messageId }),
  };
  if (!room.botIsAdmin && !core.ephemerals.isRecent(room.chat.id, id, what))
    throw badRequest('BOT_NOT_ADMIN');
  return member.user;
}

function replyOf({ log }: ChatRoom, parameters: Destination): { replyTo?: Message; quote?: TextQuote } {
  const { reply_parameters: reply, reply_to_message_id, allow_sending_without_reply } = parameters;
  if (reply && reply.message_id === undefined && reply.ephemeral_message_id === undefined)
    throw badRequest('can\'t find field "message_id"');
  const id = (reply ? reply.message_id : reply_to_message_id) ?? 0;
  if (id <= 0) return {};
  const replyTo = log.get(id);
  if (!replyTo) {
    if (reply ? reply.allow_sending_without_reply : allow_sending_without_reply) return {};
    throw badRequest('message to be replied not found');
  }
  if (reply?.quote === undefined || reply.quote === '') return { replyTo };
  const quote = textQuote(replyTo, reply.quote, reply.quote_position);
  if (quote === undefined) throw badRequest('QUOTE_TEXT_INVALID');
  return { replyTo, quote };
}
