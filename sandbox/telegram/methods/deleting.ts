/** Deleting messages: the bot's own, any in a private chat, and others' where it is an administrator. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { type CallContext, type Methods, method } from '../method.ts';
import { chatIdOrName, integer, json } from '../parameters.ts';
import { openRoom } from './permission.ts';

/** Seconds after which a message cannot be deleted any more: 48 hours. */
const DELETABLE = 48 * 60 * 60;
/** Messages in one call (Bot API, deleteMessages). */
const DELETED_AT_ONCE = 100;

const deleteMessage = method(
  z.looseObject({ chat_id: chatIdOrName, message_id: integer('message identifier is not specified') }),
  (context, { chat_id, message_id }) => deleteOne(context, chat_id, message_id),
);

const deleteMessages = method(
  z.looseObject({
    chat_id: chatIdOrName,
    message_ids: json(
      z.array(integer('invalid message identifier specified'), {
        error: 'expected an Array of message identifiers',
      }),
      "can't parse message identifiers JSON object",
    ),
  }),
  (context, { chat_id, message_ids }) => {
    if (message_ids.length < 1) throw badRequest('message identifiers are not specified');
    if (message_ids.length > DELETED_AT_ONCE) throw badRequest('too many message identifiers specified');
    const { log } = openRoom(context, chat_id);
    for (const messageId of message_ids) if (log.get(messageId)) deleteOne(context, chat_id, messageId);
    return true;
  },
);

function deleteOne(context: CallContext, chatId: number | string, messageId: number): true {
  const { core } = context;
  const room = openRoom(context, chatId);
  const message = room.log.get(messageId);
  if (!message) throw badRequest('message to delete not found');
  const own = message.from?.id === core.bot.id;
  const allowed = own || room.chat.type === 'private' || room.botIsAdmin;
  if (!allowed) throw badRequest("message can't be deleted");
  if (core.date() - message.date > DELETABLE && !room.botIsAdmin)
    throw badRequest("message can't be deleted for everyone");
  core.delete(room, message);
  return true;
}

export const deletingMethods: Methods = { deleteMessage, deleteMessages };
