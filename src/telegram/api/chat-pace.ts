/** When the next call for a chat may go out: 20 messages a minute to a group (Telegram's FAQ for bots), none while Telegram asks to wait. */
import { setTimeout as delay } from 'node:timers/promises';
import { standAsideInChat, unlessAborted } from '../../patience.ts';
import { floodRefusal, isFloodRefusal, isUncounted, retryAfterMs } from './api-errors.ts';

/** A second more than Telegram's minute, which begins when a message arrives: one that was slow a minute ago counts for longer. */
const WINDOW_MS = 61_000;
const MAX_IN_WINDOW = 20;
/** A longer wait holds up neither a worker nor the person's other chats, in ms. p-queue cannot tell how long a wait will be. */
const MAX_WAIT_MS = 5000;
/** A longer wait than this is left to the queue, in ms. */
const MAX_ASIDE_MS = 5 * 60_000;
/** The wait after a refusal that names none, and the shortest wait in a chat whose messages go one after another, in ms. */
const SHORT_WAIT_MS = 1000;
/** Telegram allows a bot some 30 messages a second: fewer chats than this have one in a minute. */
const MAX_CHATS = 5000;

interface Chat {
  /** When the last messages were sent, at most as many as a minute may have, in ms of the monotonic clock. */
  sent: readonly { readonly at: number }[];
  pausedUntil: number;
  /** A message under way in a chat that was refused one in the last minute. Others wait for its end: all at once would be refused again. */
  underWay: Promise<void> | undefined;
}

interface CallOfChat {
  /** It counts against a group's messages a minute. */
  readonly isCounted: boolean;
  /** The longest wait, in ms; `MAX_WAIT_MS` by default. */
  readonly maxMs: number | undefined;
  readonly signal: AbortSignal;
}

export class ChatPace {
  readonly #chats = new Map<number, Chat>();

  /**
   * Resolves when a chat may have its next call, with what to call at its end, with its error if it failed. Throws `floodRefusal` if that
   * takes too long, and the signal's reason.
   */
  async begin(
    chat: number,
    { isCounted: isMessage, maxMs = MAX_WAIT_MS, signal }: CallOfChat,
  ): Promise<(error?: unknown) => void> {
    const isCounted = isMessage && chat < 0;
    if (!isCounted && !this.#chats.has(chat)) return (error) => this.#noteRefusal(chat, error);
    const state = this.#chatOf(chat);
    const until = performance.now() + maxMs;
    for (;;) {
      const oldest = state.sent.at(-MAX_IN_WINDOW);
      const freeAt = isCounted && oldest !== undefined ? oldest.at + WINDOW_MS : 0;
      const now = performance.now();
      const waitMs = Math.max(freeAt, state.pausedUntil) - now;
      const before = isCounted ? state.underWay : undefined;
      if (waitMs <= 0 && before === undefined) break;
      if (now + waitMs > until) {
        const longerMs = Math.max(waitMs, SHORT_WAIT_MS);
        const refusal = () => floodRefusal(longerMs);
        if (maxMs < MAX_WAIT_MS || longerMs > MAX_ASIDE_MS) throw refusal();
        await standAsideInChat(longerMs, refusal);
      } else if (waitMs > 0) await delay(waitMs, undefined, { signal });
      else await unlessAborted(before ?? Promise.resolve(), signal, () => signal.reason);
    }
    if (!isCounted) return (error) => this.#noteRefusal(chat, error);
    const sent = { at: performance.now() };
    const { promise, resolve } = Promise.withResolvers<void>();
    state.sent = [...state.sent, sent].slice(-MAX_IN_WINDOW);
    if (wasRefused(state)) state.underWay = promise;
    return (error) => {
      if (isUncounted(error)) state.sent = state.sent.filter((one) => one !== sent);
      this.#noteRefusal(chat, error);
      if (state.underWay === promise) state.underWay = undefined;
      resolve();
    };
  }

  /** Leaves the chat alone for as long as Telegram asks, if it has refused the call (429). */
  #noteRefusal(chat: number, error: unknown): void {
    if (!isFloodRefusal(error)) return;
    const state = this.#chatOf(chat);
    const ms = retryAfterMs(error) ?? SHORT_WAIT_MS;
    state.pausedUntil = Math.max(state.pausedUntil, performance.now() + ms);
  }

  #chatOf(id: number): Chat {
    const chat = this.#chats.get(id) ?? { sent: [], pausedUntil: 0, underWay: undefined };
    // A map keeps its order of insertion: the first chat is the one that was idle longest.
    this.#chats.delete(id);
    this.#chats.set(id, chat);
    const [idlest] = this.#chats.keys();
    if (idlest !== undefined && this.#chats.size > MAX_CHATS) this.#chats.delete(idlest);
    return chat;
  }
}

function wasRefused({ pausedUntil }: Chat): boolean {
  return pausedUntil > 0 && pausedUntil + WINDOW_MS > performance.now();
}
