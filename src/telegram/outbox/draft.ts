/** A translation that grows in a private chat as its pieces arrive (spec §2). */
import { setTimeout as delay } from 'node:timers/promises';
import { splitForTelegram } from '../../language/split.ts';
import type { ReceivedContext } from '../context.ts';

/** Telegram shows a draft for 30 s; it is renewed after this time, in ms. */
const RENEWED_EVERY_MS = 20_000;

/** The answer waits at most this long for a draft in flight, in ms. */
const PATIENCE_MS = 500;

/** A draft of the answer to a request. The first failure of any kind ends it: `onFailure` is called, and nothing is retried. */
export class Draft {
  readonly #ctx: ReceivedContext;
  readonly #onFailure: () => void;
  #renewing: NodeJS.Timeout | undefined;
  #isStopped = false;
  /** Apps show an empty text as "Thinking…" (Bot API, sendMessageDraft). */
  #wanted: string | undefined;
  #shown: string | undefined;
  #underway: Promise<void> | undefined;

  constructor(ctx: ReceivedContext, onFailure: () => void) {
    this.#ctx = ctx;
    this.#onFailure = onFailure;
  }

  /** Shows that the answer is under way, until `show`. */
  begin(): void {
    if (this.#wanted === undefined) this.#want('');
  }

  /** Shows the beginning of the answer, as far as one message holds it. */
  show = (beginning: string): void => {
    const first = splitForTelegram(beginning)[0] ?? '';
    // A text too long for one message is cut at a good place, which may come before what is shown already.
    if (first.length >= (this.#wanted ?? '').length) this.#want(first);
  };

  /** Wait for this before the answer: a draft that came after it would stay below it. */
  async end(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#renewing);
    if (this.#underway !== undefined)
      await Promise.race([this.#underway, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  #want(text: string): void {
    if (this.#isStopped || this.#ctx.signal.aborted) return;
    this.#wanted = text;
    this.#push();
  }

  #push(): void {
    this.#renewing ??= setInterval(() => {
      this.#shown = undefined;
      this.#push();
    }, RENEWED_EVERY_MS).unref();
    this.#underway ??= this.#send().finally(() => {
      this.#underway = undefined;
    });
  }

  async #send(): Promise<void> {
    const { bot, chat, outbox, update, signal } = this.#ctx;
    // Apps show changes of a draft with the same id as growth; the id must not be 0 (Bot API, sendMessageDraft).
    const draft = { chat_id: chat.id, ...outbox.topic, draft_id: update.update_id || 1, can_stop: true };
    try {
      while (this.#wanted !== undefined && this.#wanted !== this.#shown && !this.#isStopped) {
        const text = this.#wanted;
        await bot.api.callRecent('sendMessageDraft', { ...draft, text }, { signal, isOnce: true });
        this.#shown = text;
      }
    } catch (error) {
      if (this.#isStopped || signal.aborted) return;
      bot.log.debug({ error }, 'sending a draft failed');
      void this.end();
      this.#onFailure();
    }
  }
}
