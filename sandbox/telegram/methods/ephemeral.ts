/** Changing and deleting ephemeral messages. Telegram does not publish its errors for them. */
import { badRequest } from '../api-error.ts';
import { messageText, textParameters } from '../formatting.ts';
import { readReplyMarkup, replyMarkupParameter } from '../keyboard.ts';
import { type CallContext, type Methods, method } from '../method.ts';
import type { Message } from '../objects.ts';
import { chatIdOrName, integer, type Read } from '../parameters.ts';
import { countAgainstFlood, openRoom } from './permission.ts';

const target = {
  chat_id: chatIdOrName,
  receiver_user_id: integer('invalid receiver_user_id specified'),
  ephemeral_message_id: integer('ephemeral message identifier is not specified'),
  reply_markup: replyMarkupParameter.optional(),
};
type Target = Read<typeof target>;

/** Without a keyboard, the old one is removed. */
const editEphemeralMessageText = method({ ...target, ...textParameters }, (context, parameters): true => {
  const content = messageText(parameters);
  const markup = readReplyMarkup(parameters.reply_markup);
  const { text: _, entities: __, reply_markup: ___, ...rest } = find(context, parameters);
  countAgainstFlood(context, openRoom(context, parameters.chat_id));
  context.core.ephemerals.put({ ...rest, ...content, ...(markup && { reply_markup: markup }) });
  return true;
});

const deleteEphemeralMessage = method(target, (context, parameters) => {
  context.core.ephemerals.remove(find(context, parameters));
  return true;
});

/** Throws ApiError for one that is gone, another person's, or not the bot's own. */
function find(context: CallContext, { chat_id, receiver_user_id, ephemeral_message_id }: Target): Message {
  const { core } = context;
  const message = core.ephemerals.get(openRoom(context, chat_id).chat.id, ephemeral_message_id);
  if (message?.from?.id !== core.bot.id || message.receiver_user?.id !== receiver_user_id)
    throw badRequest('MESSAGE_ID_INVALID');
  return message;
}

export const ephemeralMethods: Methods = {
  editEphemeralMessageText,
  deleteEphemeralMessage,
};
