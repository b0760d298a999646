/** The pace of calls for a chat: 20 messages a minute to a group, edits included (Telegram's FAQ for bots), and none while Telegram asks to wait. */
import { setTimeout as delay } from 'node:timers/promises';
import { floodRefusal } from './api-errors.ts';

/** A second more than Telegram's minute, which begins when a message arrives: one that was slow a minute ago counts for longer. */
const WINDOW_MS = 61_000;
const MAX_IN_WINDOW = 20;
/** From this number in a minute on, a group gets only answers. */
const BUSY_FROM = 14;
/** A longer wait is left to the queue, in ms: it holds up no worker. p-queue cannot tell how long a wait will be. */
const MAX_WAIT_MS = 5000;
/** Beyond this number, idle chats are dropped. */
const MAX_CHATS = 1000;

interface Chat {
  /** When the messages of the last minute were sent, in ms of the monotonic clock. */
  sent: number[];
  pausedUntil: number;
}

/** Decides for each chat when the next call may go out. */
export class ChatPace {
  readonly #chats = new Map<number, Chat>();

  /** Whether so many messages were sent to a group in the last minute that only answers should follow. */
  isBusy(group: number): boolean {
    return sentLately(this.#chats.get(group)).length >= BUSY_FROM;
  }

  /**
   * Resolves once a chat may have the next call; `isMessage` counts it against a group's messages. Throws `floodRefusal` if that takes longer
   * than `maxMs`, and the signal's reason if it aborts.
   */
  async wait(chat: number, isMessage: boolean, signal: AbortSignal, maxMs = MAX_WAIT_MS): Promise<void> {
    const isCounted = isMessage && chat < 0;
    if (!isCounted && !this.#chats.has(chat)) return;
    const state = this.#chatOf(chat);
    for (;;) {
      state.sent = sentLately(state);
      const oldest = state.sent.at(-MAX_IN_WINDOW);
      const freeAt = isCounted && oldest !== undefined ? oldest + WINDOW_MS : 0;
      const waitMs = Math.max(freeAt, state.pausedUntil) - performance.now();
      if (waitMs <= 0) break;
      if (waitMs > maxMs) throw floodRefusal(waitMs);
      await delay(waitMs, undefined, { signal });
    }
    if (isCounted) state.sent.push(performance.now());
  }

  /** Notes that Telegram has refused a call for a chat (429) and asks for this many ms of silence. */
  refused(chat: number, ms: number): void {
    const state = this.#chatOf(chat);
    state.pausedUntil = Math.max(state.pausedUntil, performance.now() + ms);
  }

  #chatOf(id: number): Chat {
    const known = this.#chats.get(id);
    if (known !== undefined) return known;
    if (this.#chats.size >= MAX_CHATS) {
      for (const [id, chat] of this.#chats) if (isQuiet(chat)) this.#chats.delete(id);
    }
    const chat = { sent: [], pausedUntil: 0 };
    this.#chats.set(id, chat);
    return chat;
  }
}

function sentLately(chat: Chat | undefined): number[] {
  return chat?.sent.filter((time) => time > performance.now() - WINDOW_MS) ?? [];
}

function isQuiet(chat: Chat): boolean {
  return performance.now() >= chat.pausedUntil && sentLately(chat).length === 0;
}
