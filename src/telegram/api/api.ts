/** The Bot API client: Telegraf's methods over our own transport, with retries, remedies and the pace of groups. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiMethods, Opts as OptsToday } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import type { Telegram as Methods, Opts } from 'telegraf/types';
import { floodRefusal, isFloodRefusal, remedy, retryAfterMs, retryDelayMs } from './api-errors.ts';
import { type TelegramServer, Transport } from './transport.ts';

/** Telegraf's types require a polyfill's AbortSignal; the platform's works as well: hence the cast below. */
type PolyfillOptions = NonNullable<Parameters<Telegram['callApi']>[2]>;
type CallOptions = PolyfillOptions | { signal?: AbortSignal };

/** Methods that count against a group's messages a minute. */
const COUNTED = /^(?:send(?!ChatAction)|edit(?!Ephemeral)|copy|forward)/;

/** Methods that send a text, which may hold links of people; none of the bot's messages is about what a link leads to. */
const SENDS_TEXT = /^(?:sendMessage|edit(?:Ephemeral)?MessageText)$/;
const NO_PREVIEW = { link_preview_options: { is_disabled: true } };

/** `getFile` serves no larger file, in bytes (Bot API). */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** The largest file from a self-hosted server, in bytes: all the memory that pictures may use together. */
export const MAX_LOCAL_FILE_BYTES = 128 * 1024 * 1024;

interface BotApiOptions extends TelegramServer {
  /** The folder in which a self-hosted server with `--local` keeps its files, as this process sees it. */
  readonly filesDir?: string | undefined;
  readonly onRetry?: (method: string, error: unknown) => void;
}

/** The client, also of Telegraf's contexts. Throws `TelegramError` if Telegram refuses, and `NetworkError` if it stays unreachable. */
export class BotApi extends Telegram {
  readonly #onRetry: BotApiOptions['onRetry'];
  readonly #ending = new AbortController();
  readonly transport: Transport;
  readonly #pace = new ChatPace();
  readonly filesDir: string | undefined;
  readonly isSelfHosted: boolean;
  /** The maximum size of a download, in bytes. */
  readonly maxFileBytes: number;

  constructor({ onRetry, filesDir, ...server }: BotApiOptions) {
    const { token, apiRoot } = server;
    super(token, { apiRoot, webhookReply: false });
    this.transport = new Transport(server);
    this.#onRetry = onRetry;
    this.filesDir = filesDir;
    this.maxFileBytes = filesDir === undefined ? MAX_FILE_BYTES : MAX_LOCAL_FILE_BYTES;
    this.isSelfHosted = new URL(apiRoot).hostname !== 'api.telegram.org';
  }

  override async callApi<M extends keyof Methods>(
    method: M,
    payload: Opts<M>,
    options: CallOptions = {},
  ): Promise<ReturnType<Methods[M]>> {
    const signal = options.signal as AbortSignal | undefined;
    let current = SENDS_TEXT.test(method) ? { ...NO_PREVIEW, ...payload } : payload;
    for (let attempt = 1; ; attempt += 1) {
      const waits = signal ?? this.#ending.signal;
      const called: object = current;
      const chat = 'chat_id' in called ? called.chat_id : undefined;
      // Ephemeral messages cannot wait, since Telegram accepts them for 15 seconds only; a late chat action is useless.
      const isCounted = COUNTED.test(method) && !('ephemeral_message_parameters' in current);
      if (typeof chat === 'number')
        await this.#pace.wait(chat, isCounted, waits, method === 'sendChatAction' ? 0 : undefined);
      try {
        return (await this.transport.call(method, current, signal)) as ReturnType<Methods[M]>;
      } catch (error) {
        signal?.throwIfAborted();
        const remedied = remedy(error, current, attempt);
        const repeatMs = retryDelayMs(method, error, attempt, Math.random());
        const waitMs = remedied === undefined ? repeatMs : 0;
        if (typeof chat === 'number' && isFloodRefusal(error))
          this.#pace.refused(chat, retryAfterMs(error) ?? waitMs ?? 0);
        if (waitMs === undefined) throw error;
        this.#onRetry?.(method, error);
        current = remedied ?? current;
        await delay(waitMs, undefined, { signal: waits });
      }
    }
  }

  /** Calls a method, or passes fields, newer than Telegraf's types (Bot API 7.1). The casts hold: today's types describe both ends. */
  async callRecent<M extends keyof ApiMethods<never>>(
    method: M,
    payload: OptsToday<never>[M],
    options: CallOptions = {},
  ): Promise<ReturnType<ApiMethods<never>[M]>> {
    const result: unknown = await this.callApi(
      method as keyof Methods,
      payload as Opts<keyof Methods>,
      options,
    );
    return result as ReturnType<ApiMethods<never>[M]>;
  }

  /** Aborts the waits of calls without a signal, now and later, before the exit. Calls in flight continue: they may have arrived. */
  endWaits(): void {
    this.#ending.abort();
  }
}

/** Bot API, Message: the id of a message that cannot be referred to. */
export const UNKNOWN_MESSAGE_ID = 0;

/** A second more than Telegram's minute, which begins when a message arrives: one that was slow a minute ago counts for longer. */
const WINDOW_MS = 61_000;
const MAX_IN_WINDOW = 20;
/** A longer wait is left to the queue, in ms: it holds up no worker. p-queue cannot tell how long a wait will be. */
const MAX_WAIT_MS = 5000;
/** Telegram allows a bot some 30 messages a second: fewer chats than this have one in a minute. */
const MAX_CHATS = 5000;

interface Chat {
  /** When the last messages were sent, at most as many as a minute may have, in ms of the monotonic clock. */
  sent: readonly number[];
  pausedUntil: number;
}

/** When the next call for a chat may go out: 20 messages a minute to a group (Telegram's FAQ for bots), none while Telegram asks to wait. */
class ChatPace {
  readonly #chats = new Map<number, Chat>();

  /** Resolves when a chat may have its next call. Throws `floodRefusal` if that takes longer than `maxMs`, and the signal's reason. */
  async wait(chat: number, isMessage: boolean, signal: AbortSignal, maxMs = MAX_WAIT_MS): Promise<void> {
    const isCounted = isMessage && chat < 0;
    if (!isCounted && !this.#chats.has(chat)) return;
    const state = this.#chatOf(chat);
    for (;;) {
      const oldest = state.sent.at(-MAX_IN_WINDOW);
      const freeAt = isCounted && oldest !== undefined ? oldest + WINDOW_MS : 0;
      const waitMs = Math.max(freeAt, state.pausedUntil) - performance.now();
      if (waitMs <= 0) break;
      if (waitMs > maxMs) throw floodRefusal(waitMs);
      await delay(waitMs, undefined, { signal });
    }
    if (isCounted) state.sent = [...state.sent, performance.now()].slice(-MAX_IN_WINDOW);
  }

  /** Notes that Telegram has refused a call for a chat (429) and asks for this many ms of silence. */
  refused(chat: number, ms: number): void {
    const state = this.#chatOf(chat);
    state.pausedUntil = Math.max(state.pausedUntil, performance.now() + ms);
  }

  #chatOf(id: number): Chat {
    const chat = this.#chats.get(id) ?? { sent: [], pausedUntil: 0 };
    // A map keeps its order of insertion: the first chat is the one that was idle longest.
    this.#chats.delete(id);
    this.#chats.set(id, chat);
    const [idlest] = this.#chats.keys();
    if (idlest !== undefined && this.#chats.size > MAX_CHATS) this.#chats.delete(idlest);
    return chat;
  }
}
