/** Everything the page knows: the local Telegram's world, who is acting, which chat is open, what is unread. */
import { ChatActions } from './chat-actions.js';
import { keepPlace, keptPlace } from './kept-place.js';
import { MessageStore } from './message-store.js';
import { isMember, isOthersPrivate, isShownTo, topicOf } from './places.js';
import { ALL, ReadMarks } from './read-marks.js';

/**
 * Fires `loaded`, `person`, `chat` (another chat or topic is open), `chats` (who is in one, its topics), `message`, `edited`,
 * `deleted`, `reactions`, `action`, `unread`, `commands`, `paid`, `faults`, `start` (a link asks to start the bot), `connection`, each with
 * what changed in `detail`. Messages, people and buttons keep Telegram's own field names.
 */
export class State extends EventTarget {
  bot = undefined;
  people = [];
  chats = [];
  samples = [];
  paid = undefined;
  faults = undefined;
  startParameter = undefined;
  personId = undefined;
  chatId = undefined;
  isConnected = true;
  /** The first message that the person had not read when the open chat was opened, by its id. */
  firstUnread = undefined;
  #messages = new MessageStore();
  #actions = new ChatActions();
  #reads = new ReadMarks();
  /** The topic that is open in each forum. */
  #topics = new Map();

  #fire(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { detail }));
  }

  /** Takes the server's whole world, at the start and after a lost connection. */
  load(snapshot) {
    const first = this.bot === undefined;
    const { messages, reactions, ...facts } = snapshot;
    Object.assign(this, facts);
    this.#messages.load(messages, reactions);
    if (first)
      for (const person of this.people)
        for (const chat of this.chatsOf(person.id))
          this.#reads.read(person.id, chat.id, this.messages(chat.id), ALL);
    this.firstUnread = undefined;
    if (first) this.#restore(keptPlace());
    if (!this.people.some((person) => person.id === this.personId)) this.personId = this.people[0]?.id;
    if (this.chat() === undefined) this.chatId = this.personId;
    this.#followUpgrade();
    this.#fire('loaded');
  }

  /** Goes back to where this tab was before it was loaded again, as far as that is still there. */
  #restore({ personId, chatId, topicId }) {
    this.personId = personId;
    const chat = this.chat(chatId);
    if (chat === undefined || isOthersPrivate(chat, personId)) return;
    this.chatId = chatId;
    if (chat.topics.some(({ id }) => id === topicId)) this.#topics.set(chatId, topicId);
  }

  setConnected(isConnected) {
    this.isConnected = isConnected;
    if (this.bot !== undefined) this.#fire('connection');
  }

  /** Makes another person act, in that person's own chat with the bot unless the open chat is theirs too. */
  become(personId) {
    if (personId === this.personId) return;
    const stays = this.chat().type !== 'private';
    this.personId = personId;
    this.startParameter = undefined;
    if (!stays) this.chatId = personId;
    this.#enter();
    this.#fire('person');
  }

  /** Opens a chat; in a forum the topic with this id, General without one, or the one that was open before. */
  open(chatId, topicId = this.#topics.get(chatId)) {
    this.chatId = chatId;
    this.#topics.set(chatId, topicId);
    this.#enter();
    this.#fire('chat');
  }

  /** Goes back to General. */
  openGeneral() {
    this.#topics.delete(this.chatId);
    this.open(this.chatId);
  }

  /** The id of the open topic; nothing in General, and where there are no topics. */
  get topicId() {
    return this.#topics.get(this.chatId);
  }

  topic() {
    return this.chat().topics.find(({ id }) => id === this.topicId);
  }

  /** Whether only admins write in the open topic, General too. */
  isTopicClosed() {
    return this.topicId === undefined
      ? this.chat().isGeneralClosed === true
      : this.topic()?.isClosed === true;
  }

  person(id = this.personId) {
    return this.people.find((person) => person.id === id);
  }

  chat(id = this.chatId) {
    return this.chats.find((chat) => chat.id === id);
  }

  chatsOf(personId) {
    return this.chats.filter(
      (chat) => chat.upgradedTo === undefined && isMember(chat, personId) && !isOthersPrivate(chat, personId),
    );
  }

  /** The groups that a person could join. */
  groupsWithout(personId) {
    return this.chats.filter(
      (chat) => chat.type !== 'private' && chat.upgradedTo === undefined && !isMember(chat, personId),
    );
  }

  /** What somebody is in a chat: `{ status, isAnonymous }`, or nothing. */
  member(id = this.personId, chat = this.chat()) {
    return chat.members.find((member) => member.id === id);
  }

  isAdmin(id = this.personId, chat = this.chat()) {
    return ['creator', 'administrator'].includes(this.member(id, chat)?.status);
  }

  /** Whether the acting person wrote a message: also in the name of the group, which every anonymous admin may change. */
  isMine(message) {
    if (message.from?.id === this.personId) return true;
    if (message.chat.type === 'channel') return this.isAdmin(this.personId, this.chat(message.chat.id));
    const inNameOfGroup = message.sender_chat?.id === message.chat.id;
    return inNameOfGroup && this.member(this.personId, this.chat(message.chat.id))?.isAnonymous === true;
  }

  /** A chat's messages that the acting person sees, oldest first. */
  messages(chatId = this.chatId) {
    return this.#messages.all(chatId).filter((message) => isShownTo(this.personId, message));
  }

  /** The messages of the open chat, of the open topic where it has topics. */
  messagesHere() {
    return this.messages().filter((message) => this.isHere(this.chatId, message));
  }

  /** Whether a message stands in what is open. */
  isHere(chatId, message) {
    if (chatId !== this.chatId || !isShownTo(this.personId, message)) return false;
    return this.chat().is_forum !== true || topicOf(message) === this.topicId;
  }

  message(messageId, chatId = this.chatId) {
    return this.#messages.get(chatId, messageId);
  }

  add(chatId, message) {
    this.#messages.put(chatId, message);
    this.#fire('message', { chatId, message });
    this.#fire('unread');
  }

  replace(chatId, message) {
    this.#messages.put(chatId, message);
    this.#fire('edited', { chatId, message });
  }

  remove(chatId, messageId) {
    this.#messages.remove(chatId, messageId);
    this.#fire('deleted', { chatId, messageId });
    this.#fire('unread');
  }

  /** Takes a chat as it now is. */
  setChat(chat) {
    this.chats = this.chats.map((one) => (one.id === chat.id ? chat : one));
    const topicId = this.#topics.get(chat.id);
    const isTopicGone = topicId !== undefined && !chat.topics.some(({ id }) => id === topicId);
    if (isTopicGone) this.#topics.delete(chat.id);
    this.#fire('chats', { chatId: chat.id });
    if (this.#followUpgrade() || (isTopicGone && chat.id === this.chatId)) this.#fire('chat');
  }

  /** From a group to the supergroup that it became. */
  #followUpgrade() {
    const next = this.chat(this.chat()?.upgradedTo);
    if (next === undefined || this.chat().upgradedTo === undefined) return false;
    this.chatId = next.id;
    return true;
  }

  setReactions(chatId, messageId, emoji) {
    this.#messages.setReactions(chatId, messageId, emoji);
    this.#fire('reactions', { chatId, messageId });
  }

  /** The emoji of everyone's reactions to a message. */
  reactions(message) {
    return this.#messages.reactions(message.chat.id, message.message_id);
  }

  /** A link asked to start the bot with this parameter: the person confirms it in the chat with the bot. */
  askToStart(parameter) {
    this.startParameter = parameter;
    this.#fire('start');
  }

  /** What the bot does just now; the local Telegram ends it with `null`, after 5 s or when a message came. */
  act(chatId, topicId, action) {
    this.#actions.set(chatId, topicId, action);
    this.#fire('action', { chatId });
  }

  /** What the bot does in the open chat and topic. */
  actionHere() {
    return this.#actions.in(this.chatId, this.topicId);
  }

  /** What the bot does anywhere in a chat. */
  action(chatId) {
    return this.#actions.anywhereIn(chatId);
  }

  /** Marks what is open as read by the acting person. */
  markRead() {
    const topicId = this.chat().is_forum === true ? this.topicId : ALL;
    this.#reads.read(this.personId, this.chatId, this.messages(), topicId);
    this.#fire('unread');
  }

  /** Enters what is open: notes where the person reads on, and keeps the place for a reload. */
  #enter() {
    const topicId = this.chat().is_forum === true ? this.topicId : ALL;
    [this.firstUnread] = this.#reads.unread(this.personId, this.chatId, this.messages(), topicId);
    keepPlace(this);
    this.markRead();
  }

  /** How many messages of others a person has not seen in a chat, or in one topic of it (General is `null`). */
  unread(personId, chatId, topicId = ALL) {
    return this.#reads.unread(personId, chatId, this.messages(chatId), topicId).length;
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
