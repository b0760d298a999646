/** The chat action that each chat shows now: it fades after 5 s, or when the bot's message takes its place. */
import type { WorldEvents } from './events.ts';
import type { Chat } from './objects.ts';

/** Milliseconds an action is shown (Bot API, sendChatAction). */
const SHOWN_MS = 5000;

interface Shown {
  action: string;
  chat: Chat;
  threadId: number | undefined;
  timer: NodeJS.Timeout;
}

export class ChatActions {
  readonly #shown = new Map<string, Shown>();
  readonly #events: WorldEvents;

  constructor(events: WorldEvents) {
    this.#events = events;
  }

  /** What the chat (or one topic of it) shows now. */
  current(chatId: number, threadId?: number): string | undefined {
    return this.#shown.get(key(chatId, threadId))?.action;
  }

  /** Shows an action for 5 s from now. */
  show(chat: Chat, action: string, threadId: number | undefined): void {
    clearTimeout(this.#shown.get(key(chat.id, threadId))?.timer);
    const timer = setTimeout(() => this.end(chat.id, threadId), SHOWN_MS);
    timer.unref();
    this.#shown.set(key(chat.id, threadId), { action, chat, threadId, timer });
    this.#events.emit('chatAction', { chat, action, ...(threadId !== undefined && { threadId }) });
  }

  /** Ends what is shown, if anything is. */
  end(chatId: number, threadId: number | undefined): void {
    const shown = this.#shown.get(key(chatId, threadId));
    if (!shown) return;
    clearTimeout(shown.timer);
    this.#shown.delete(key(chatId, threadId));
    const { chat, action } = shown;
    this.#events.emit('chatActionEnded', { chat, action, ...(threadId !== undefined && { threadId }) });
  }
}

function key(chatId: number, threadId: number | undefined): string {
  return `${chatId}/${threadId ?? ''}`;
}
