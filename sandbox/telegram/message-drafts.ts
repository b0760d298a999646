/** The bot's drafts in private chats: each is shown for 30 s, or until the message replaces it (Bot API, sendMessageDraft). */
import type { MessageDraft, WorldEvents } from './events.ts';
import type { Chat } from './objects.ts';

/** Milliseconds that a draft is shown (Bot API, sendMessageDraft). */
const SHOWN_MS = 30_000;

export class MessageDrafts {
  readonly #shown = new Map<number, { draft: MessageDraft; chat: Chat; timer: NodeJS.Timeout }>();
  readonly #events: WorldEvents;

  constructor(events: WorldEvents) {
    this.#events = events;
  }

  /** The draft in the chat now. */
  current(chatId: number): MessageDraft | undefined {
    return this.#shown.get(chatId)?.draft;
  }

  /** Shows a draft in place of the one before. */
  show(chat: Chat, draft: MessageDraft): void {
    clearTimeout(this.#shown.get(chat.id)?.timer);
    const timer = setTimeout(() => this.end(chat.id), SHOWN_MS);
    timer.unref();
    this.#shown.set(chat.id, { draft, chat, timer });
    this.#events.emit('draft', { chat, draft });
  }

  /** Ends the draft, if there is one. */
  end(chatId: number): void {
    const shown = this.#shown.get(chatId);
    if (shown === undefined) return;
    clearTimeout(shown.timer);
    this.#shown.delete(chatId);
    this.#events.emit('draft', { chat: shown.chat, draft: undefined });
  }
}
