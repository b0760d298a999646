/** Deleting messages: the bot's own, any in a private chat, and others' where it is an administrator. */
import { badRequest } from '../api-error.ts';
import { type Methods, method } from '../method.ts';
import { chatIdOrName, integer } from '../parameters.ts';
import { openRoom } from './permission.ts';

/** Seconds after which a message cannot be deleted any more: 48 hours. */
const DELETABLE = 48 * 60 * 60;
const deleteMessage = method(
  { chat_id: chatIdOrName, message_id: integer('message identifier is not specified') },
  (context, { chat_id, message_id }) => {
    const { core } = context;
    const room = openRoom(context, chat_id);
    const message = room.log.get(message_id);
    if (!message) throw badRequest('message to delete not found');
    const own = message.from?.id === core.bot.id;
    const allowed = own || room.chat.type === 'private' || room.botIsAdmin;
    if (!allowed) throw badRequest("message can't be deleted");
    if (core.date() - message.date > DELETABLE && !room.botIsAdmin)
      throw badRequest("message can't be deleted for everyone");
    core.delete(room, message);
    return true;
  },
);

export const deletingMethods: Methods = { deleteMessage };
