/** Forwarding what is already in a chat. */
import { badRequest } from '../api-error.ts';
import { forwardOrigin } from '../forward-origin.ts';
import { isServiceMessage } from '../group-privacy.ts';
import { contentOf } from '../message-content.ts';
import { type Methods, method } from '../method.ts';
import { chatIdOrName, integer } from '../parameters.ts';
import { destination, prepare } from './destination.ts';
import { openRoom } from './permission.ts';

const forwardMessage = method(
  {
    ...destination,
    from_chat_id: chatIdOrName,
    message_id: integer('message identifier is not specified'),
  },
  (context, parameters) => {
    const original = openRoom(context, parameters.from_chat_id).log.get(parameters.message_id);
    if (!original) throw badRequest('message to forward not found');
    if (isServiceMessage(original)) throw badRequest("message can't be forwarded");
    if (original.has_protected_content)
      throw badRequest("message has protected content and can't be forwarded");
    const { room, draft } = prepare(context, parameters);
    const forward_origin = forwardOrigin(original);
    const message = context.core.post(room, { ...draft, ...contentOf(original), forward_origin });
    return room.log.asShown(message);
  },
);

export const forwardingMethods: Methods = { forwardMessage };
