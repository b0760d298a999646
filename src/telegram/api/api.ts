/** The Bot API client: Telegraf's methods over our own transport, with retries, remedies and the pace of groups. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiMethods, Opts as OptsToday } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import type { Telegram as Methods, Opts } from 'telegraf/types';
import { z } from 'zod';
import { isFloodRefusal, remedy, retryAfterMs, retryDelayMs } from './api-errors.ts';
import { createTransport, type TelegramServer, type Transport } from './bot-api-transport.ts';
import { ChatPace } from './chat-pace.ts';
import { NetworkError } from './http-exchange.ts';

/** Telegraf's types want a polyfill's AbortSignal; the platform's works just as well: hence the cast below. */
type PolyfillOptions = NonNullable<Parameters<Telegram['callApi']>[2]>;
type CallOptions = (PolyfillOptions | { signal?: AbortSignal }) & {
  /** Not repeated when Telegram has trouble; a refusal with a remedy is still remedied. */
  readonly isOnce?: boolean;
};

/** Methods that count against a group's messages a minute. */
const COUNTED = /^(?:send(?!ChatAction|MessageDraft)|edit(?!Ephemeral)|copy|forward)/;

/** `getFile` gives no larger file, in bytes (Bot API). */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** The largest file from a self-hosted server, in bytes: all the memory that pictures may use together. */
export const MAX_LOCAL_FILE_BYTES = 128 * 1024 * 1024;

interface BotApiOptions extends TelegramServer {
  /** The folder in which a self-hosted server with `--local` keeps its files, as this process sees it. */
  readonly filesDir?: string | undefined;
  /** Called before a call is repeated. */
  readonly onRetry?: (method: string, error: unknown) => void;
}

/**
 * The one client of the process: every method call goes through `callApi`, also those of Telegraf's contexts.
 * Throws `TelegramError` if Telegram refuses, and `NetworkError` if it stays out of reach after several tries.
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
    this.transport = createTransport(server);
    this.#onRetry = onRetry;
    this.filesDir = filesDir;
    this.isSelfHosted = new URL(apiRoot).hostname !== 'api.telegram.org';
  }

  /** The largest file that is downloaded, in bytes. */
  get mostFileBytes(): number {
    return this.filesDir === undefined ? MAX_FILE_BYTES : MAX_LOCAL_FILE_BYTES;
  }

  override async callApi<M extends keyof Methods>(
    method: M,
    payload: Opts<M>,
    options: CallOptions = {},
  ): Promise<ReturnType<Methods[M]>> {
    const signal = (options.signal as AbortSignal | undefined) ?? this.#ending.signal;
    const chat = chatIn(payload);
    // A late chat action is worth nothing.
    const mostMs = method === 'sendChatAction' ? 0 : undefined;
    if (chat !== undefined) await this.pace.waitOutPause(chat, signal, mostMs);
    const send = () => this.#callUntilAnswered(method, payload, options);
    // Ephemeral messages cannot wait: Telegram accepts them for 15 seconds.
    if (!COUNTED.test(method) || 'ephemeral_message_parameters' in payload) return send();
    return chat === undefined || chat > 0 ? send() : this.pace.inTurn(chat, signal, send);
  }

  /**
   * Calls a method, or with fields, that Telegraf's types do not have: they end at Bot API 7.1. The casts hold because today's types
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
   * Ends all waits before a call, now and later, of calls that have no signal of their own: the process is about to end. A call under way
   * goes on, since what it says may be there already.
   */
  endWaits(): void {
    this.#ending.abort();
  }

  async #callUntilAnswered<M extends keyof Methods>(
    method: M,
    payload: Opts<M>,
    options: CallOptions,
  ): Promise<ReturnType<Methods[M]>> {
    const signal = options.signal as AbortSignal | undefined;
    const waitAfter = (error: unknown, attempt: number): number | undefined =>
      options.isOnce ? undefined : retryDelayMs(method, error, attempt, Math.random());
    let current = payload;
    for (let attempt = 1; ; attempt += 1) {
      try {
        const result = await this.transport.call(method, current, signal);
        if (!isPromised(method, result)) throw new NetworkError('NO_RESULT');
        return result as ReturnType<Methods[M]>;
      } catch (error) {
        signal?.throwIfAborted();
        const remedied = remedy(error, current, attempt);
        const waitMs = remedied === undefined ? waitAfter(error, attempt) : 0;
        const chat = chatIn(current);
        if (chat !== undefined && isFloodRefusal(error))
          this.pace.refused(chat, waitMs ?? retryAfterMs(error) ?? 0);
        if (waitMs === undefined) {
          const presumed = isYes(error) ? presumedResult(method, current) : undefined;
          if (presumed === undefined) throw error;
          return presumed as ReturnType<Methods[M]>;
        }
        this.#onRetry?.(method, error);
        current = remedied ?? current;
        await delay(waitMs, undefined, { signal: signal ?? this.#ending.signal });
      }
    }
  }
}

/** Telegram said yes, but without the promised result. */
function isYes(error: unknown): boolean {
  return error instanceof NetworkError && error.code === 'NO_RESULT';
}

/** The chat that a call concerns; a group's id is negative. */
function chatIn(payload: object): number | undefined {
  const { chat_id: chat }: { chat_id?: unknown } = payload;
  return typeof chat === 'number' ? chat : undefined;
}

/** A sent message: the part of it that the bot needs. */
const sent = z.looseObject({ message_id: z.int() });

/**
 * By method, the part of the result that the bot cannot do without. A yes that lacks it comes from something else than Telegram, or from
 * trouble at Telegram. files.ts checks the result of `getFile`.
 */
const PROMISED: ReadonlyMap<string, z.ZodType> = new Map<string, z.ZodType>([
  ['getUpdates', z.array(z.unknown())],
  ['getMe', z.looseObject({ id: z.int(), username: z.string() })],
  ['getChat', z.looseObject({ id: z.int() })],
  ['getChatMember', z.looseObject({ status: z.string() })],
  ['getWebhookInfo', z.looseObject({ url: z.string(), allowed_updates: z.array(z.string()).optional() })],
  ['getMyDescription', z.looseObject({ description: z.string() })],
  ['getMyShortDescription', z.looseObject({ short_description: z.string() })],
  ['answerGuestQuery', z.looseObject({ inline_message_id: z.string().min(1) })],
  ['sendMessage', sent],
  ['sendVoice', sent],
  ['sendAudio', sent],
  ['sendDocument', sent],
  ['sendPhoto', sent],
]);

/** Whether a result has what the bot relies on. */
function isPromised(method: string, result: unknown): boolean {
  return PROMISED.get(method)?.safeParse(result).success ?? result !== undefined;
}

/** Bot API, Message: the id of a message that cannot be referred to. */
export const UNKNOWN_MESSAGE_ID = 0;

/**
 * The result to assume if Telegram keeps saying yes without one: it has done what it was told (Bot API, "Making requests"), and people
 * would see a repetition. Undefined for methods that ask for something, since exactly that is missing; and for `setWebhook`, which is
 * vital and can be repeated unseen.
 */
function presumedResult(method: string, payload: object): unknown {
  if (method.startsWith('get') || method === 'setWebhook' || method === 'answerGuestQuery') return undefined;
  if (PROMISED.get(method) !== sent) return true;
  const id = 'chat_id' in payload ? payload.chat_id : undefined;
  return { message_id: UNKNOWN_MESSAGE_ID, date: 0, chat: { id } };
}
