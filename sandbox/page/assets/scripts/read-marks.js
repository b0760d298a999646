/** What each person has seen: the last message read in every chat, and in every topic of a forum. */
import { isForOne, topicOf } from './places.js';

/** Stands for every topic of a chat. */
export const ALL = 'all';

const isIn = (topicId, message) => topicId === ALL || (topicOf(message) ?? null) === (topicId ?? null);

export class ReadMarks {
  #last = new Map();

  #place(personId, chatId, message) {
    return `${personId}/${chatId}/${topicOf(message) ?? ''}`;
  }

  /** Marks those of a chat's messages as read that stand in the topic. */
  read(personId, chatId, messages, topicId) {
    for (const message of messages)
      if (!isForOne(message) && isIn(topicId, message))
        this.#last.set(this.#place(personId, chatId, message), message.message_id);
  }

  /** The ids of the messages of others in the topic that a person has not seen. */
  unread(personId, chatId, messages, topicId) {
    const isUnread = (message) => {
      const last = this.#last.get(this.#place(personId, chatId, message)) ?? 0;
      if (isForOne(message)) return false;
      return isIn(topicId, message) && message.message_id > last && message.from?.id !== personId;
    };
    return messages.filter(isUnread).map(({ message_id }) => message_id);
  }
}
