/** What the bot is doing in each chat, and in each topic of a forum ("typing"). */

const placeOf = (chatId, topicId) => `${chatId}/${topicId ?? ''}`;

export class ChatActions {
  #now = new Map();

  /** `null` ends it. */
  set(chatId, topicId, action) {
    if (action === null) this.#now.delete(placeOf(chatId, topicId));
    else this.#now.set(placeOf(chatId, topicId), action);
  }

  in(chatId, topicId) {
    return this.#now.get(placeOf(chatId, topicId));
  }

  anywhereIn(chatId) {
    for (const [place, action] of this.#now) if (place.startsWith(`${chatId}/`)) return action;
    return undefined;
  }
}
