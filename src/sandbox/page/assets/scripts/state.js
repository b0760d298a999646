/** Everything the page knows: the local Telegram's world, who is acting, which chat is open, what is unread. */

/**
 * Fires `loaded`, `person`, `chat`, `message`, `edited`, `deleted`, `action`, `unread`, `commands`, `paid`, `faults`,
 * each with what changed in `detail`. Messages, people and buttons keep Telegram's own field names.
 */
export class State extends EventTarget {
  bot = undefined;
  people = [];
  chats = [];
  samples = [];
  paid = undefined;
  savedCalls = 0;
  faults = undefined;
  personId = undefined;
  chatId = undefined;
  #messages = new Map();
  #actions = new Map();
  #lastRead = new Map();

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Takes the server's whole world, at the start and after a lost connection. */
  load(snapshot) {
    const first = this.bot === undefined;
    Object.assign(this, {
      bot: snapshot.bot,
      people: snapshot.people,
      chats: snapshot.chats,
      samples: snapshot.samples,
      paid: snapshot.paid,
      savedCalls: snapshot.savedCalls,
      faults: snapshot.faults,
    });
    this.#messages = new Map(
      snapshot.chats.map((chat) => [
        chat.id,
        new Map(snapshot.messages[chat.id].map((m) => [m.message_id, m])),
      ]),
    );
    if (first)
      for (const person of this.people)
        for (const chat of this.chatsOf(person.id)) this.#read(person.id, chat.id);
    if (!this.people.some((person) => person.id === this.personId)) this.personId = this.people[0]?.id;
    if (!this.chatsOf(this.personId).some((chat) => chat.id === this.chatId)) this.chatId = this.personId;
    this.#fire('loaded');
  }

  /** Makes another person act, in that person's own chat with the bot unless the open chat is theirs too. */
  become(personId) {
    if (personId === this.personId) return;
    const stays = this.chatsOf(personId).some((chat) => chat.id === this.chatId);
    this.personId = personId;
    if (!stays) this.chatId = personId;
    this.markRead();
    this.#fire('person');
  }

  open(chatId) {
    this.chatId = chatId;
    this.markRead();
    this.#fire('chat');
  }

  person(id = this.personId) {
    return this.people.find((person) => person.id === id);
  }

  chat(id = this.chatId) {
    return this.chats.find((chat) => chat.id === id);
  }

  chatsOf(personId) {
    return this.chats.filter((chat) => chat.memberIds.includes(personId));
  }

  /** A chat's messages, oldest first. */
  messages(chatId = this.chatId) {
    return [...(this.#messages.get(chatId)?.values() ?? [])].toSorted((a, b) => a.message_id - b.message_id);
  }

  message(messageId, chatId = this.chatId) {
    return this.#messages.get(chatId)?.get(messageId);
  }

  isFromBot(message) {
    return message.from?.id === this.bot.id;
  }

  add(chatId, message) {
    this.#messages.get(chatId)?.set(message.message_id, message);
    this.#fire('message', { chatId, message });
    this.#fire('unread');
  }

  replace(chatId, message) {
    this.#messages.get(chatId)?.set(message.message_id, message);
    this.#fire('edited', { chatId, message });
  }

  remove(chatId, messageId) {
    this.#messages.get(chatId)?.delete(messageId);
    this.#fire('deleted', { chatId, messageId });
    this.#fire('unread');
  }

  /** What the bot does in a chat just now; the local Telegram ends it with `null`, after 5 s or when a message came. */
  act(chatId, action) {
    if (action === null) this.#actions.delete(chatId);
    else this.#actions.set(chatId, action);
    this.#fire('action', { chatId });
  }

  action(chatId = this.chatId) {
    return this.#actions.get(chatId);
  }

  #read(personId, chatId) {
    const last = this.messages(chatId).at(-1)?.message_id ?? 0;
    this.#lastRead.set(`${personId}/${chatId}`, last);
  }

  /** Marks the open chat as read by the acting person. */
  markRead() {
    this.#read(this.personId, this.chatId);
    this.#fire('unread');
  }

  /** How many messages of others a person has not seen in a chat. */
  unread(personId, chatId) {
    const last = this.#lastRead.get(`${personId}/${chatId}`) ?? 0;
    return this.messages(chatId).filter(
      (message) => message.message_id > last && message.from?.id !== personId,
    ).length;
  }

  setSaved(calls) {
    this.savedCalls = calls;
    this.#fire('paid');
  }

  setPaid(paid) {
    this.paid = paid;
    this.#fire('paid');
  }

  setFaults(faults) {
    this.faults = faults;
    this.#fire('faults');
  }

  commandsChanged() {
    this.#fire('commands');
  }
}
