/** What a waiting person sees of the work: a chat action, and one message that counts the paid calls. */
import type { Chat, Opts } from 'telegraf/types';
import type { OnProgress } from '../../interpreter/request.ts';
import type { Log } from '../../log.ts';
import type { SentMessage } from '../../queue/request-table.ts';
import type { BotApi } from '../api/api.ts';
import { outcomeOfEdit, unlessRefused } from '../api/api-errors.ts';
import type { Arguments } from '../locale.ts';
import { ephemeralId } from '../request/parsed-message.ts';
import { actionTopic, type Destination, type Requester, type Topic } from './destination.ts';

type Action = Opts<'sendChatAction'>['action'];

/**
 * Skip the action for quick work: it would arrive after the answer. With the network's latency this still shows the first sign of life
 * within 300 ms. In ms.
 */
const SHOW_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** A message removes the action, and may be the answer; if not, or if it is held up, the action follows after this time, in ms. */
const SHOW_AGAIN_AFTER_MS = 500;
/** How long a message waits for the actions that were sent before it, in ms: most arrive by then. */
const PATIENCE_MS = 200;

/** Minimum time between two edits of the count, in ms. In a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** Work that takes longer than this gets a *Cancel* button, in ms. */
const LONG_WAIT_MS = 10_000;

/** What it uses of the request's context (context.ts). */
export interface ProgressContext extends Requester {
  readonly bot: { readonly api: BotApi; readonly log: Log };
  readonly chat: Chat;
  readonly isPrivate: boolean;
  readonly isOverheard: boolean;
  readonly person: string;
  readonly signal: AbortSignal;
  words(id: string, args?: Arguments): string;
}

/** The progress of one request. Nothing here fails the work, or delays a message by more than its patience. */
export class Progress {
  readonly #ctx: ProgressContext;
  readonly #destination: Destination;
  readonly #isOurs: () => Promise<boolean>;
  readonly #record: () => Promise<void>;
  readonly #topic: Topic | undefined;
  /** The message that counts the paid calls, once it is sent; an earlier attempt may have sent it. */
  message: (SentMessage & { readonly id: number; readonly chat: number }) | undefined;
  /** Paid calls of the parts so far. */
  #done = 0;
  #known = 0;
  /** Paid calls known to follow its parts so far, those of later sources included. */
  #following = 0;
  #countedAt = Number.NEGATIVE_INFINITY;
  /** Resolves when the message that counts is sent, or edited; undefined before. */
  #counted: Promise<void> | undefined;
  #longWait: NodeJS.Timeout | undefined;
  /** An answer is on its way, or waits for its chat: nothing can be cancelled, and another message would only wait, too. */
  #isAnswering = false;
  #action: Action = 'typing';
  /** Undefined while no action is shown. */
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the actions so far have arrived, or were refused. */
  #arrival: Promise<unknown> = Promise.resolve();

  /**
   * `record` records the message that counts, since another process may finish the work. Once one has taken it (`isOurs`), or may take it
   * unnoticed, no message is sent: nobody would remove it.
   */
  constructor(
    ctx: ProgressContext,
    destination: Destination,
    isOurs: () => Promise<boolean>,
    record: () => Promise<void>,
  ) {
    this.#ctx = ctx;
    this.#isOurs = isOurs;
    this.#destination = destination;
    this.#topic = actionTopic(ctx.chat, ctx.msg);
    this.#record = record;
  }

  /** Shows an action from now on, unless the work ends within a moment; in place of another with its next renewal. */
  show(action: Action): void {
    if (this.#topic === undefined) return;
    this.#action = action;
    if (this.#timer === undefined) this.#schedule(SHOW_AFTER_MS);
  }

  #schedule(ms: number): void {
    const { bot, chat } = this.#ctx;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      const sent = bot.api.sendChatAction(chat.id, this.#action, this.#topic).catch((error: unknown) => {
        bot.log.debug({ error }, 'sending a chat action failed');
      });
      this.#arrival = Promise.all([this.#arrival, sent]);
      this.#schedule(RENEW_AFTER_MS);
    }, ms).unref();
  }

  /** Begins one of several sources. `following`: how many paid calls this one and those after it take. */
  begin(following: number): void {
    this.#following = following;
    this.show('typing');
    // Where the bot only listens, nobody waits for an answer.
    if (this.#ctx.isOverheard) return;
    this.#longWait ??= setTimeout(() => {
      if (this.message === undefined && !this.#isAnswering) this.#showCount(true);
    }, LONG_WAIT_MS);
  }

  /** Adds a part, which reports its paid calls; at least `following` more come after it. If there are several, a message counts them. */
  part(following = 0): OnProgress {
    let before = { done: 0, total: 0 };
    return (done, total) => {
      if (before.total === 0 && total > 0) this.#following = Math.max(following, this.#following - total);
      this.#done += done - before.done;
      this.#known += total - before.total;
      before = { done, total };
      this.#showCount();
    };
  }

  #showCount(isLongWait = false): void {
    const { chat, msg, isPrivate } = this.#ctx;
    const total = this.#known + this.#following;
    if (total < 2 && !isLongWait) return;
    // A channel's readers do not wait, and a group must not see a private request.
    if (chat.type === 'channel' || ephemeralId(msg) !== undefined) return;
    if (performance.now() - this.#countedAt < EDIT_EVERY_MS[isPrivate ? 'private' : 'group']) return;
    this.#countedAt = performance.now();
    const text = this.#ctx.words(total < 2 ? 'progress-long' : 'progress', { done: this.#done, total });
    this.#counted = (this.#counted ?? Promise.resolve()).then(() => this.#count(text));
  }

  /** Sends the message that counts, or edits it. */
  async #count(text: string): Promise<void> {
    const { bot, chat, person } = this.#ctx;
    const cancel = this.#ctx.words('button-cancel');
    const stop = { text: cancel, callback_data: `cancel:${person}`, style: 'danger' };
    const extra = { reply_markup: { inline_keyboard: [[stop]] } };
    const shown = this.message;
    try {
      if (!(await this.#isOurs())) return;
      await this.clear();
      if (shown !== undefined) {
        await outcomeOfEdit(bot.api.editMessageText(shown.chat, shown.id, undefined, text, extra));
        return;
      }
      const sent = await bot.api.sendMessage(chat.id, text, { ...this.#destination, ...extra });
      // Not `chat`: the group may have become a supergroup meanwhile.
      this.message = { id: sent.message_id, kind: 'progress', chat: sent.chat.id };
      await this.#record();
    } catch (error) {
      bot.log.debug({ error }, 'updating a progress message failed');
    }
  }

  /** Sends an answer. */
  async answer<T>(send: () => Promise<T>): Promise<T> {
    await this.clear();
    this.#isAnswering = true;
    try {
      return await send();
    } finally {
      this.#isAnswering = false;
      this.#longWait?.refresh();
    }
  }

  /** Call before a message: an action must not arrive after it. If work remains afterwards (a speech), the action is shown again. */
  async clear(): Promise<void> {
    if (this.#timer === undefined) return;
    this.#schedule(SHOW_AGAIN_AFTER_MS);
    const impatience = Promise.withResolvers<void>();
    setTimeout(impatience.resolve, PATIENCE_MS).unref();
    await Promise.race([this.#arrival, impatience.promise]);
  }

  end(): void {
    clearTimeout(this.#longWait);
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Removes the message that counts once the work has ended. Work that is attempted again keeps it. */
  async remove(): Promise<void> {
    const { api, log } = this.#ctx.bot;
    await this.#counted;
    if (this.message === undefined) return;
    // Telegram refuses this if somebody has deleted it, or it is too old.
    await unlessRefused(api.deleteMessage(this.message.chat, this.message.id)).catch((error: unknown) =>
      log.warn({ error }, 'deleting a progress message failed'),
    );
  }
}
