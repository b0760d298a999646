/** The Bot API as this bot calls it: Telegraf's methods over a transport of our own, with patience, remedies and a group's pace. */
import { setTimeout as delay } from 'node:timers/promises';
import type { ApiMethods, Opts as OptsToday } from '@grammyjs/types';
import { Telegram } from 'telegraf';
import type { Telegram as Methods, Opts } from 'telegraf/types';
import { z } from 'zod';
import { isFloodRefusal, remedy, retryDelayMs } from './api-errors.ts';
import { createTransport, type TelegramServer, type Transport } from './bot-api-transport.ts';
import { ChatActions, type Place } from './chat-actions.ts';
import { GroupPace } from './group-pace.ts';
import { NetworkError } from './http-exchange.ts';

/** Telegraf's types name a polyfill's AbortSignal, to which the platform's answers just as well: hence the cast below. */
type PolyfillOptions = NonNullable<Parameters<Telegram['callApi']>[2]>;
type CallOptions = (PolyfillOptions | { signal?: AbortSignal }) & {
  /** The call's turn in its group has come already. */
  readonly isInTurn?: boolean;
  /** Not repeated where Telegram has trouble; a refusal that has a remedy is still remedied. */
  readonly isOnce?: boolean;
};

/** What shows in a chat, and counts against a group's messages a minute. */
const COUNTED = /^(?:send(?!ChatAction|MessageDraft)|edit(?!Ephemeral)|copy|forward)/;

/** `getFile` gives bots no file above 20 MB (Bot API). */
const MAX_FILE_BYTES = 20 * 1024 * 1024;
/** The most that a file of a server of one's own may have, in bytes: all of the memory that pictures get together. */
export const MAX_LOCAL_FILE_BYTES = 128 * 1024 * 1024;

interface BotApiOptions extends TelegramServer {
  /** Where a server of one's own that runs with `--local` keeps its files, as this process sees them. */
  readonly filesDir?: string | undefined;
  /** Called right before every call; may abort its signal. */
  readonly beforeCall?: () => void;
  /** Told of every call that is about to be repeated. */
  readonly onRetry?: (method: string, error: unknown) => void;
  /** Told of a chat action that was not shown; no answer fails for it. */
  readonly onActionLost?: (error: unknown) => void;
}

/**
 * One client for the whole process: every method call goes through `callApi`, also those that Telegraf's contexts make.
 * Throws `TelegramError` when Telegram refuses, and `NetworkError` when it stays out of reach after several tries.
 */
export class BotApi extends Telegram {
  readonly #beforeCall: BotApiOptions['beforeCall'];
  readonly #onRetry: BotApiOptions['onRetry'];
  readonly transport: Transport;
  readonly pace = new GroupPace();
  readonly filesDir: string | undefined;
  /** Whether it is somebody's own Bot API server, not Telegram's. */
  readonly isOwnServer: boolean;
  /** What the chats show in which somebody waits. */
  readonly chatActions: ChatActions;

  constructor({ beforeCall, onRetry, onActionLost = () => {}, filesDir, ...server }: BotApiOptions) {
    const { token, apiRoot } = server;
    super(token, { apiRoot, webhookReply: false });
    this.chatActions = new ChatActions(async ({ chat, topic }, action) => {
      const extra = topic === undefined ? {} : { message_thread_id: topic };
      await this.sendChatAction(chat, action, extra).catch(onActionLost);
    });
    this.transport = createTransport(server);
    this.#beforeCall = beforeCall;
    this.#onRetry = onRetry;
    this.filesDir = filesDir;
    this.isOwnServer = new URL(apiRoot).hostname !== 'api.telegram.org';
  }

  /** The most bytes that a file may have which is fetched. */
  get mostFileBytes(): number {
    return this.filesDir === undefined ? MAX_FILE_BYTES : MAX_LOCAL_FILE_BYTES;
  }

  override async callApi<M extends keyof Methods>(
    method: M,
    payload: Opts<M>,
    options: CallOptions = {},
  ): Promise<ReturnType<Methods[M]>> {
    const signal = options.signal as AbortSignal | undefined;
    const send = () => this.#callUntilAnswered(method, payload, options);
    // What one person alone is shown cannot wait: Telegram takes it for 15 seconds.
    if (!COUNTED.test(method) || 'ephemeral_message_parameters' in payload) return send();
    const group = options.isInTurn ? undefined : groupIn(payload);
    const sendInTurn = () => (group === undefined ? send() : this.pace.inTurn(group, { signal, send }));
    const place = placeIn(payload);
    return place === undefined
      ? sendInTurn()
      : this.chatActions.during(place, method.startsWith('edit'), sendInTurn);
  }

  /**
   * A method, or fields of one, that Telegraf's types do not know: they end at Bot API 7.1. The casts are true because the types of today
   * hold both.
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
        this.#beforeCall?.();
        const result = await this.transport.call(method, current, signal);
        if (!isPromised(method, result)) throw new NetworkError('NO_RESULT');
        return result as ReturnType<Methods[M]>;
      } catch (error) {
        signal?.throwIfAborted();
        const remedied = remedy(error, current, attempt);
        const waitMs = remedied === undefined ? waitAfter(error, attempt) : 0;
        if (waitMs === undefined) {
          const presumed = isYes(error) ? presumedResult(method, current) : undefined;
          if (presumed === undefined) throw error;
          return presumed as ReturnType<Methods[M]>;
        }
        this.#onRetry?.(method, error);
        const group = groupIn(current);
        if (group !== undefined && isFloodRefusal(error)) this.pace.refused(group, waitMs);
        current = remedied ?? current;
        await delay(waitMs, undefined, { signal });
      }
    }
  }
}

/** Telegram said yes, though without what it promises. */
function isYes(error: unknown): boolean {
  return error instanceof NetworkError && error.code === 'NO_RESULT';
}

/** The chat that a call concerns, and the topic that it names. */
function placeIn(payload: object): Place | undefined {
  const { chat_id: chat, message_thread_id: topic }: { chat_id?: unknown; message_thread_id?: unknown } =
    payload;
  if (typeof chat !== 'number') return undefined;
  return { chat, topic: typeof topic === 'number' ? topic : undefined };
}

/** The group that a call concerns: their ids are negative. */
function groupIn(payload: object): number | undefined {
  const id = placeIn(payload)?.chat;
  return id !== undefined && id < 0 ? id : undefined;
}

/** A message that was sent, as far as Telegram tells which. */
const sent = z.looseObject({ message_id: z.int() });

/**
 * By method, what of a result the bot cannot do without: an answer that says yes and lacks it is somebody else's, or trouble of Telegram's
 * own. Files.ts looks at what `getFile` gives.
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

/** Whether a result is what `method` promises, as far as the bot relies on it. */
function isPromised(method: string, result: unknown): boolean {
  return PROMISED.get(method)?.safeParse(result).success ?? result !== undefined;
}

/** Bot API, Message: the number of one that cannot be referred to. */
export const UNTOLD = 0;

/**
 * What counts as the result where Telegram goes on to say yes without it: what it was told to do it has done (Bot API, "Making
 * requests"), and once more would be seen. Undefined where it was asked for something, or for the name of a message: that is what is missing; and for the webhook,
 * without which nothing would ever come: to set it once more has no effect that people see.
 */
function presumedResult(method: string, payload: object): unknown {
  if (method.startsWith('get') || method === 'setWebhook' || method === 'answerGuestQuery') return undefined;
  if (PROMISED.get(method) !== sent) return true;
  const id = 'chat_id' in payload ? payload.chat_id : undefined;
  return { message_id: UNTOLD, date: 0, chat: { id } };
}
