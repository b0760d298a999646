/** A translation that grows in a private chat as its pieces arrive (spec §2). */
import { setTimeout as delay } from 'node:timers/promises';
import { splitForTelegram } from '../../language/split.ts';
import type { ReceivedContext } from '../context.ts';

/** The answer waits at most this long for a draft in flight, in ms. */
const PATIENCE_MS = 500;

/** A draft of the answer to a request. The first failure of any kind ends it: `onFailure` is called, and nothing is retried. */
export class Draft {
  readonly #ctx: ReceivedContext;
  readonly #onFailure: () => void;
  #isOver = false;
  #wanted: string | undefined;
  #shown: string | undefined;
  #underway: Promise<void> | undefined;

  constructor(ctx: ReceivedContext, onFailure: () => void) {
    this.#ctx = ctx;
    this.#onFailure = onFailure;
  }

  /** Shows the beginning of the answer, as far as one message holds it. Apps show an empty one as "Thinking…" (Bot API, sendMessageDraft). */
  show(beginning: string): void {
    const first = splitForTelegram(beginning)[0] ?? '';
    // A text too long for one message is cut at a good place, which may come before what is shown already.
    if (this.#isOver || (this.#wanted !== undefined && first.length <= this.#wanted.length)) return;
    this.#wanted = first;
    this.#underway ??= this.#send();
  }

  /** Wait for this before the answer: a draft that came after it would stay below it. */
  async end(): Promise<void> {
    this.#isOver = true;
    if (this.#underway !== undefined)
      await Promise.race([this.#underway, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  async #send(): Promise<void> {
    const { bot, chat, outbox, update, signal } = this.#ctx;
    // Apps show changes of a draft with the same id as growth; the id must not be 0 (Bot API, sendMessageDraft).
    const draft = { chat_id: chat.id, ...outbox.topic, draft_id: update.update_id || 1, can_stop: true };
    try {
      while (this.#wanted !== undefined && this.#wanted !== this.#shown && !this.#isOver) {
        const text = this.#wanted;
        await bot.api.callRecent('sendMessageDraft', { ...draft, text }, { signal, isOnce: true });
        this.#shown = text;
      }
    } catch (error) {
      if (this.#isOver || signal.aborted) return;
      bot.log.debug({ error }, 'sending a draft failed');
      this.#isOver = true;
      this.#onFailure();
    } finally {
      this.#underway = undefined;
    }
  }
}
