/** What each chat holds: its messages as they now are, and the reactions to them. */

export class MessageStore {
  /** By chat id, then by message id. */
  #messages = new Map();
  #reactions = new Map();

  /** Takes the messages and reactions of a snapshot in the place of all that was here. */
  load(messages, reactions) {
    this.#messages = new Map(
      Object.entries(messages).map(([chatId, those]) => [
        Number(chatId),
        new Map(those.map((message) => [message.message_id, message])),
      ]),
    );
    this.#reactions = new Map(
      Object.entries(reactions).flatMap(([chatId, those]) =>
        Object.entries(those).map(([messageId, emoji]) => [`${chatId}/${messageId}`, emoji]),
      ),
    );
  }

  /** A chat's messages, in the order in which they came. */
  all(chatId) {
    return [...(this.#messages.get(chatId)?.values() ?? [])];
  }

  get(chatId, messageId) {
    return this.#messages.get(chatId)?.get(messageId);
  }

  /** Adds a message, or puts its edited form in its place. */
  put(chatId, message) {
    this.#messages.get(chatId)?.set(message.message_id, message);
  }

  remove(chatId, messageId) {
    this.#messages.get(chatId)?.delete(messageId);
  }

  /** The emoji of everyone's reactions to a message. */
  reactions(chatId, messageId) {
    return this.#reactions.get(`${chatId}/${messageId}`) ?? [];
  }

  setReactions(chatId, messageId, emoji) {
    this.#reactions.set(`${chatId}/${messageId}`, emoji);
  }
}
