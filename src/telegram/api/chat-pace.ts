/** The pace of messages to a chat: 20 a minute to a group, edits included (Telegram's FAQ for bots), and none while Telegram asks to wait. */
import { setTimeout as delay } from 'node:timers/promises';
import { floodRefusal } from './api-errors.ts';

const WINDOW_MS = 60_000;
const MAX_IN_WINDOW = 20;
/** Telegram promises one message a second in a chat. Once it has refused one, we keep to that for `STRICT_FOR_MS`. In ms. */
const GAP_MS = 1000;
const STRICT_FOR_MS = 60 * 60 * 1000;
/** From this number in a minute on, a group gets only answers. */
const BUSY_FROM = 14;
/** A longer wait is the queue's, in ms: it keeps no worker waiting. */
const MAX_WAIT_MS = 5000;
/** Beyond this number, quiet chats are forgotten. */
const MAX_CHATS = 1000;

interface Chat {
  /** When the latest messages are sent, in ms of the monotonic clock; the last may lie ahead. */
  sent: readonly number[];
  refusedUntil: number;
  strictUntil: number;
}

/** Knows of each chat when the next message may go out. */
export class ChatPace {
  readonly #chats = new Map<number, Chat>();

  /** Whether so many messages were sent to a group in the last minute that only answers should follow. */
  isBusy(group: number): boolean {
    return sentLately(this.#chats.get(group)).length >= BUSY_FROM;
  }

  /** Calls `send` once a group may have a message. Throws `floodRefusal` if that is long, and the signal's reason if it aborts. */
  async inTurn<T>(group: number, signal: AbortSignal, send: () => Promise<T>): Promise<T> {
    const chat = this.#chatOf(group);
    const now = performance.now();
    const at = Math.max(now, nextAt(chat));
    if (at - now > MAX_WAIT_MS) throw floodRefusal(at - now);
    chat.sent = [...chat.sent, at].slice(-MAX_IN_WINDOW);
    if (at > now) await delay(at - now, undefined, { signal });
    await this.waitOutPause(group, signal);
    return send();
  }

  /**
   * Waits while Telegram wants to hear nothing of a chat. Throws `floodRefusal` if that is longer than `mostMs`, and the signal's reason if
   * it aborts.
   */
  async waitOutPause(chat: number, signal: AbortSignal, mostMs = MAX_WAIT_MS): Promise<void> {
    const pausedMs = (this.#chats.get(chat)?.refusedUntil ?? 0) - performance.now();
    if (pausedMs > mostMs) throw floodRefusal(pausedMs);
    if (pausedMs > 0) await delay(pausedMs, undefined, { signal });
  }

  /** Notes that Telegram has refused a message to a chat (429) and asks for this many ms of silence. */
  refused(chat: number, ms: number): void {
    const state = this.#chatOf(chat);
    const now = performance.now();
    state.refusedUntil = Math.max(state.refusedUntil, now + ms);
    state.strictUntil = now + STRICT_FOR_MS;
  }

  #chatOf(id: number): Chat {
    const known = this.#chats.get(id);
    if (known !== undefined) return known;
    if (this.#chats.size >= MAX_CHATS) {
      for (const [id, chat] of this.#chats) if (isQuiet(chat)) this.#chats.delete(id);
    }
    const chat = { sent: [], refusedUntil: 0, strictUntil: 0 };
    this.#chats.set(id, chat);
    return chat;
  }
}

/** When a group may have its next message, in ms of the monotonic clock. */
function nextAt({ sent, refusedUntil, strictUntil }: Chat): number {
  const oldest = sent.at(-MAX_IN_WINDOW);
  const afterWindow = oldest === undefined ? 0 : oldest + WINDOW_MS;
  const afterLatest = performance.now() < strictUntil ? (sent.at(-1) ?? 0) + GAP_MS : 0;
  return Math.max(afterWindow, afterLatest, refusedUntil);
}

/** When the messages of the last minute were sent. */
function sentLately(chat: Chat | undefined): readonly number[] {
  return chat?.sent.filter((time) => time > performance.now() - WINDOW_MS) ?? [];
}

function isQuiet(chat: Chat): boolean {
  return performance.now() >= chat.strictUntil && sentLately(chat).length === 0;
}
