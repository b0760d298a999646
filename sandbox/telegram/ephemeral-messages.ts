/** Ephemeral messages (Bot API 10.2, "Ephemeral Messages and Commands"): only one member and the bot see them; no chat's log holds them. */
import type { WorldEvents } from './events.ts';
import type { Chat, Message, User } from './objects.ts';

/** How long the bot may answer an action with an ephemeral message, in seconds; as an admin it always may. */
const ANSWERED_WITHIN = 15;

/** A button that was pressed, or a command that was sent. */
interface Action {
  readonly chatId: number;
  readonly personId: number;
  /** Unix seconds. */
  readonly date: number;
}

export class EphemeralMessages {
  readonly #messages = new Map<number, Message>();
  readonly #presses = new Map<string, Action>();
  readonly #events: WorldEvents;
  readonly #date: () => number;
  #nextId = 1;

  constructor(events: WorldEvents, date: () => number) {
    this.#events = events;
    this.#date = date;
  }

  /** Shows a message to its two sides. */
  post(chat: Chat, draft: Omit<Message, 'message_id' | 'date' | 'chat'>, receiver: User): Message {
    const message: Message = {
      message_id: 0,
      ephemeral_message_id: this.#nextId++,
      date: this.#date(),
      chat,
      receiver_user: receiver,
      ...draft,
    };
    return this.put(message);
  }

  /** Puts the edited message in the place of the former. */
  put(message: Message): Message {
    const id = message.ephemeral_message_id ?? 0;
    const change = this.#messages.has(id) ? 'edited' : 'message';
    this.#messages.set(id, message);
    this.#events.emit('ephemeral', { message, change });
    return message;
  }

  remove(message: Message): void {
    if (this.#messages.delete(message.ephemeral_message_id ?? 0))
      this.#events.emit('ephemeral', { message, change: 'deleted' });
  }

  /** Finds a message. */
  get(chatId: number, id: number | undefined): Message | undefined {
    const message = this.#messages.get(id ?? 0);
    return message?.chat.id === chatId ? message : undefined;
  }

  /** All of a chat, oldest first. */
  all(chatId: number): Message[] {
    return [...this.#messages.values()].filter(({ chat }) => chat.id === chatId);
  }

  notePress(queryId: string, chatId: number, personId: number): void {
    this.#presses.set(queryId, { chatId, personId, date: this.#date() });
  }

  /** Whether this press or message is recent enough for an ephemeral answer. */
  isRecent(chatId: number, personId: number, what: { queryId?: string; messageId?: number }): boolean {
    const sent = this.get(chatId, what.messageId);
    const action = sent?.from
      ? { chatId, personId: sent.from.id, date: sent.date }
      : this.#presses.get(what.queryId ?? '');
    return (
      action?.chatId === chatId &&
      action.personId === personId &&
      this.#date() - action.date <= ANSWERED_WITHIN
    );
  }
}
