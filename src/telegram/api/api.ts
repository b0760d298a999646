/** The Bot API client: Telegraf's methods over our own transport, with retries, remedies and the pace of groups. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiMethods, Opts as OptsToday } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import type { Telegram as Methods, Opts } from 'telegraf/types';
import { isFloodRefusal, mayRetry, remedy, retryDelayMs } from './api-errors.ts';
import { ChatPace } from './chat-pace.ts';
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
      const maxMs = method === 'sendChatAction' ? 0 : undefined;
      const end =
        typeof chat === 'number'
          ? await this.#pace.begin(chat, { isCounted, maxMs, signal: waits })
          : undefined;
      try {
        const result = await this.transport.call(method, current, signal);
        end?.();
        return result as ReturnType<Methods[M]>;
      } catch (error) {
        end?.(error);
        signal?.throwIfAborted();
        const remedied = remedy(error, current, attempt);
        const repeatMs = retryDelayMs(method, error, attempt, Math.random());
        // The pace of the chat makes it wait for as long as Telegram asks.
        const isPaced = typeof chat === 'number' && isFloodRefusal(error) && mayRetry(method, attempt);
        const waitMs = remedied === undefined ? (repeatMs ?? (isPaced ? 0 : undefined)) : 0;
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
