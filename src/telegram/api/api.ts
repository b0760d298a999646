/** The Bot API client: Telegraf's methods over our own transport, with retries, remedies and the pace of groups. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiMethods, Opts as OptsToday } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import type { Telegram as Methods, Opts } from 'telegraf/types';
import { isFloodRefusal, remedy, retryAfterMs, retryDelayMs } from './api-errors.ts';
import { ChatPace } from './chat-pace.ts';
import { type TelegramServer, Transport } from './transport.ts';

/** Telegraf's types require a polyfill's AbortSignal; the platform's works as well: hence the cast below. */
type PolyfillOptions = NonNullable<Parameters<Telegram['callApi']>[2]>;
type CallOptions = (PolyfillOptions | { signal?: AbortSignal }) & {
  /** Not retried when Telegram fails; a refusal with a remedy is still remedied. */
  readonly isOnce?: boolean;
};

/** Methods that count against a group's messages a minute. */
const COUNTED = /^(?:send(?!ChatAction|MessageDraft)|edit(?!Ephemeral)|copy|forward)/;

/** `getFile` serves no larger file, in bytes (Bot API). */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** The largest file from a self-hosted server, in bytes: all the memory that pictures may use together. */
export const MAX_LOCAL_FILE_BYTES = 128 * 1024 * 1024;

interface BotApiOptions extends TelegramServer {
  /** The folder in which a self-hosted server with `--local` keeps its files, as this process sees it. */
  readonly filesDir?: string | undefined;
  /** Called before a call is retried. */
  readonly onRetry?: (method: string, error: unknown) => void;
}

/**
 * The one client of the process: every method call goes through `callApi`, also those of Telegraf's contexts. Throws `TelegramError` if
 * Telegram refuses, and `NetworkError` if it stays unreachable after several attempts.
 */
export class BotApi extends Telegram {
  readonly #onRetry: BotApiOptions['onRetry'];
  readonly #ending = new AbortController();
  readonly transport: Transport;
  readonly pace = new ChatPace();
  readonly filesDir: string | undefined;
  /** Whether the Bot API server is self-hosted, not Telegram's. */
  readonly isSelfHosted: boolean;

  constructor({ onRetry, filesDir, ...server }: BotApiOptions) {
    const { token, apiRoot } = server;
    super(token, { apiRoot, webhookReply: false });
    this.transport = new Transport(server);
    this.#onRetry = onRetry;
    this.filesDir = filesDir;
    this.isSelfHosted = new URL(apiRoot).hostname !== 'api.telegram.org';
  }

  /** The maximum size of a download, in bytes. */
  get maxFileBytes(): number {
    return this.filesDir === undefined ? MAX_FILE_BYTES : MAX_LOCAL_FILE_BYTES;
  }

  override async callApi<M extends keyof Methods>(
    method: M,
    payload: Opts<M>,
    options: CallOptions = {},
  ): Promise<ReturnType<Methods[M]>> {
    const signal = options.signal as AbortSignal | undefined;
    let current = payload;
    for (let attempt = 1; ; attempt += 1) {
      const waits = signal ?? this.#ending.signal;
      const called: object = current;
      const id = 'chat_id' in called ? called.chat_id : undefined;
      const chat = typeof id === 'number' ? id : undefined;
      // Ephemeral messages cannot wait, since Telegram accepts them for 15 seconds only; a late chat action is useless.
      const isCounted = COUNTED.test(method) && !('ephemeral_message_parameters' in current);
      if (chat !== undefined)
        await this.pace.wait(chat, isCounted, waits, method === 'sendChatAction' ? 0 : undefined);
      try {
        return (await this.transport.call(method, current, signal)) as ReturnType<Methods[M]>;
      } catch (error) {
        signal?.throwIfAborted();
        const remedied = remedy(error, current, attempt);
        const repeatMs = options.isOnce ? undefined : retryDelayMs(method, error, attempt, Math.random());
        const waitMs = remedied === undefined ? repeatMs : 0;
        if (chat !== undefined && isFloodRefusal(error))
          this.pace.refused(chat, retryAfterMs(error) ?? waitMs ?? 0);
        if (waitMs === undefined) throw error;
        this.#onRetry?.(method, error);
        current = remedied ?? current;
        await delay(waitMs, undefined, { signal: waits });
      }
    }
  }

  /**
   * Calls a method, or passes fields, that Telegraf's types do not have: they end at Bot API 7.1. The casts hold because today's types
   * describe both the payload and the result.
   */
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

  /**
   * Aborts the waits of all calls without a signal of their own, now and later: the process is about to exit. A call in flight continues,
   * since its message may have arrived already.
   */
  endWaits(): void {
    this.#ending.abort();
  }
}

/** Bot API, Message: the id of a message that cannot be referred to. */
export const UNKNOWN_MESSAGE_ID = 0;
