/** Sending texts and chat actions. */
import { badRequest } from '../api-error.ts';
import { messageText, textParameters } from '../formatting.ts';
import { type Methods, method } from '../method.ts';
import { chatIdOrName, integer, text } from '../parameters.ts';
import { destination, post, prepare } from './destination.ts';
import { checkIsTopic, openRoom } from './permission.ts';

const sendMessage = method({ ...destination, ...textParameters }, (context, parameters) => {
  const content = messageText(parameters);
  return post(context, prepare(context, parameters), content);
});

/** What each action is shown as; Telegram keeps the older names. */
const CHAT_ACTIONS: Record<string, string> = {
  typing: 'typing',
  upload_photo: 'upload_photo',
  record_video: 'record_video',
  upload_video: 'upload_video',
  record_voice: 'record_voice',
  record_audio: 'record_voice',
  upload_voice: 'upload_voice',
  upload_audio: 'upload_voice',
  upload_document: 'upload_document',
  choose_sticker: 'choose_sticker',
  find_location: 'find_location',
  pick_up_location: 'find_location',
  record_video_note: 'record_video_note',
  upload_video_note: 'upload_video_note',
};

const sendChatAction = method(
  {
    chat_id: chatIdOrName,
    message_thread_id: integer('invalid message thread identifier specified').optional(),
    action: text.default(''),
  },
  (context, { chat_id, message_thread_id, action }) => {
    const shown = CHAT_ACTIONS[action.toLowerCase()];
    if (shown === undefined) throw badRequest('wrong parameter action in request');
    const room = openRoom(context, chat_id);
    if (room.chat.type === 'channel' || room.chat.is_direct_messages)
      throw badRequest('channel chats are not supported');
    const threadId = message_thread_id || undefined;
    if (threadId !== undefined) checkIsTopic(room, threadId);
    const event = { chat: room.chat, action: shown, ...(threadId !== undefined && { threadId }) };
    context.core.chatActions.show(event, room.chat.id, threadId);
    return true;
  },
);

export const textMethods: Methods = { sendMessage, sendChatAction };
