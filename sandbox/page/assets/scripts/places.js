/** Small questions about where a message stands and who is in a chat. */

/** The id of the forum topic that a message is in; nothing in General. */
export function topicOf(message) {
  return message.is_topic_message ? message.message_thread_id : undefined;
}

/** Whether somebody, or the bot, is in a chat now. */
export function isMember(chat, personId) {
  return chat.members.some(({ id }) => id === personId);
}

/** Whether the bot and one person alone see a message; its number here is negative. */
export function isForOne(message) {
  return message.ephemeral_message_id !== undefined;
}

/** Whether a person sees a message. */
export function isShownTo(personId, message) {
  return !isForOne(message) || message.from?.id === personId || message.receiver_user?.id === personId;
}

/** Only its person sees a private chat. */
export function isOthersPrivate(chat, personId) {
  return chat.type === 'private' && chat.id !== personId;
}
