/** Editing the bot's own messages, also those sent through inline mode. */
import { isDeepStrictEqual } from 'node:util';
import { badRequest } from '../api-error.ts';
import type { ChatRoom } from '../chat-room.ts';
import { captionParameters, messageCaption, messageText, textParameters } from '../formatting.ts';
import { readReplyMarkup, replyMarkupParameter } from '../keyboard.ts';
import { type CallContext, type Methods, method } from '../method.ts';
import type { Message } from '../objects.ts';
import { chatIdOrName, integer, type Read, text } from '../parameters.ts';
import { countAgainstFlood, openRoom } from './permission.ts';

/** The message to edit, and its new keyboard: without one, the old one is removed. */
const target = {
  chat_id: chatIdOrName.optional(),
  message_id: integer('message identifier is not specified').optional(),
  inline_message_id: text.optional(),
  reply_markup: replyMarkupParameter.optional(),
};

type Target = Read<typeof target>;

const editMessageText = method({ ...target, ...textParameters }, (context, parameters) => {
  const content = messageText(parameters);
  return editTarget(context, parameters, (message) => {
    if (message.text === undefined) throw badRequest('there is no text in the message to edit');
    const { text: _, entities: __, ...rest } = message;
    return { ...rest, ...content };
  });
});

/** What a caption can stand under. */
const CAPTIONED = ['photo', 'video', 'animation', 'document', 'voice', 'audio'] as const;

const editMessageCaption = method({ ...target, ...captionParameters }, (context, parameters) => {
  const content = messageCaption(parameters);
  return editTarget(context, parameters, (message) => {
    if (!CAPTIONED.some((kind) => message[kind] !== undefined))
      throw badRequest('there is no caption in the message to edit');
    const { caption: _, caption_entities: __, ...rest } = message;
    return { ...rest, ...content };
  });
});

const editMessageReplyMarkup = method(target, (context, parameters) =>
  editTarget(context, parameters, (message) => message),
);

/** Finds the message, lets `change` give its new content, hangs the new keyboard under it and answers with it. */
function editTarget(
  context: CallContext,
  parameters: Target,
  change: (message: Message) => Message,
): Message | true {
  const { core } = context;
  const markup = readReplyMarkup(parameters.reply_markup);
  const { room, message } = findTarget(context, parameters);
  const { reply_markup: _, ...changed } = change(message);
  const now = { ...changed, ...(markup && { reply_markup: markup }) };
  if (isDeepStrictEqual(now, message))
    throw badRequest(
      'message is not modified: specified new message content and reply markup are exactly the same as a current content and reply markup of the message',
    );
  countAgainstFlood(context, room);
  const edited = core.edit(room, now, core.me);
  return parameters.inline_message_id ? true : room.log.asShown(edited);
}

/** The message that an edit names; throws ApiError: none such, not the bot's own, or not to be edited any more. */
function findTarget(
  context: CallContext,
  { chat_id, message_id, inline_message_id }: Target,
): { room: ChatRoom; message: Message } {
  const { core } = context;
  if (chat_id === undefined) {
    const place = core.inlineMessages.get(inline_message_id ?? '');
    const room = place && core.rooms.get(place.chatId);
    const message = place && room?.log.get(place.messageId);
    if (!inline_message_id) throw badRequest('message identifier is not specified');
    if (!room || !message) throw badRequest('MESSAGE_ID_INVALID');
    return { room, message };
  }
  if (!message_id) throw badRequest('message identifier is not specified');
  const room = openRoom(context, chat_id);
  const message = room.log.get(message_id);
  if (!message) throw badRequest('message to edit not found');
  if (message.from?.id !== core.bot.id || room.log.isClosedToEdits(message_id))
    throw badRequest("message can't be edited");
  return { room, message };
}

export const editingMethods: Methods = { editMessageText, editMessageCaption, editMessageReplyMarkup };
