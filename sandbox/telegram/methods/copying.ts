/** Sending on what is already in a chat: copies and forwards. */
import { z } from 'zod';
import { badRequest } from '../api-error.ts';
import { captionParameters, messageCaption } from '../formatting.ts';
import { forwardOrigin } from '../forward-origin.ts';
import { isServiceMessage } from '../group-privacy.ts';
import { contentOf } from '../message-content.ts';
import { type CallContext, type Methods, method } from '../method.ts';
import type { Message } from '../objects.ts';
import { chatIdOrName, integer, text } from '../parameters.ts';
import { openRoom } from './permission.ts';
import { placement, prepare } from './place.ts';

const source = {
  ...placement,
  from_chat_id: chatIdOrName,
  message_id: integer('message identifier is not specified'),
};

const copyMessage = method(
  z.looseObject({ ...source, ...captionParameters, caption: text.optional() }),
  (context, parameters) => {
    const original = findSource(context, parameters, 'copy');
    const { caption, caption_entities, ...content } = contentOf(original);
    const kept = { ...(caption !== undefined && { caption }), ...(caption_entities && { caption_entities }) };
    const newCaption =
      parameters.caption === undefined
        ? kept
        : messageCaption({ ...parameters, caption: parameters.caption });
    const { room, draft } = prepare(context, parameters);
    const { message_id } = context.core.post(room, { ...draft, ...content, ...newCaption });
    return { message_id };
  },
);

const forwardMessage = method(z.looseObject(source), (context, parameters) => {
  const original = findSource(context, parameters, 'forward');
  const { room, draft } = prepare(context, parameters);
  const forward_origin = forwardOrigin(original);
  const message = context.core.post(room, { ...draft, ...contentOf(original), forward_origin });
  return room.log.asShown(message);
});

/** Throws ApiError for a message that is not there, and for what Telegram itself posted. */
function findSource(
  context: CallContext,
  { from_chat_id, message_id }: { from_chat_id: number | string; message_id: number },
  purpose: 'copy' | 'forward',
): Message {
  const message = openRoom(context, from_chat_id).log.get(message_id);
  if (!message) throw badRequest(`message to ${purpose} not found`);
  if (isServiceMessage(message))
    throw badRequest(`message can't be ${purpose === 'copy' ? 'copied' : 'forwarded'}`);
  if (message.has_protected_content) throw badRequest("message has protected content and can't be forwarded");
  return message;
}

export const copyingMethods: Methods = { copyMessage, forwardMessage };
