/** Shows a waiting person how far the work is: in one message that counts the paid calls, or as a draft that grows. */

import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '../../interpreter/request.ts';
import { splitForTelegram } from '../../language/split.ts';
import { type Button, markup } from '../answer/buttons.ts';
import type { ReceivedContext } from '../context.ts';

/** The answer waits at most this long for a draft in flight, in ms. */
const PATIENCE_MS = 500;

/** Minimum time between two edits of the message, in ms. In a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** A single paid call that takes longer than this gets a *Cancel* button, in ms. */
const LONG_WAIT_MS = 10_000;

/**
 * Work and its parts. No progress is shown before the parts take more than one paid call, or the work has taken long. Nothing here delays
 * the work or fails it: the answer matters more than its progress.
 */
export class Activity {
  readonly #ctx: ReceivedContext;
  readonly #longWait: NodeJS.Timeout | undefined;
  /** Paid calls of the parts so far. */
  #done = 0;
  #known = 0;
  /** Paid calls known to follow its parts so far, those of later sources included. */
  #following = 0;
  #shownAt = Number.NEGATIVE_INFINITY;
  /** The answer grows as a draft, until it comes, or the first failure of a draft. */
  #isGrowing = false;
  /** The beginning of the answer that the draft shows, or will show next. */
  #draft: string | undefined;
  /** Resolves when the drafts so far are sent. */
  #drafted: Promise<void> = Promise.resolve();

  constructor(ctx: ReceivedContext) {
    this.#ctx = ctx;
    // Where the bot only listens, nobody waits for an answer.
    if (ctx.isOverheard) return;
    this.#longWait = setTimeout(() => {
      if (!ctx.outbox.showsProgress) this.#show(true);
    }, LONG_WAIT_MS);
  }

  /** Begins one of several sources. `following`: how many paid calls this one and those after it take. */
  begin(following: number): void {
    this.#following = following;
    this.#ctx.outbox.action.show('typing');
  }

  /** Adds a part, which reports its paid calls; at least `following` more come after it. If there are several, a message counts them. */
  part(following = 0): OnProgress {
    let before = { done: 0, total: 0 };
    return (done, total) => {
      if (before.total === 0 && total > 0) this.#following = Math.max(following, this.#following - total);
      this.#done += done - before.done;
      this.#known += total - before.total;
      before = { done, total };
      this.#show();
    };
  }

  /** Lets the answer grow as a draft in place of the progress message: only in private chats, before that message, for a new answer. */
  beginDraft(): void {
    const { isPrivate, outbox } = this.#ctx;
    this.#isGrowing = isPrivate && outbox.former.length === 0 && !outbox.showsProgress;
  }

  /** Shows as much of the beginning as one message holds. Apps show an empty draft as "Thinking…" (Bot API, sendMessageDraft). */
  grow(beginning: string): void {
    if (!this.#isGrowing) return;
    const text = splitForTelegram(beginning)[0] ?? '';
    // A text too long for one message is cut at a good place, which may come before what is shown already.
    if (this.#draft !== undefined && text.length <= this.#draft.length) return;
    this.#draft = text;
    this.#drafted = this.#drafted.then(() => this.#sendDraft(text));
  }

  async #sendDraft(text: string): Promise<void> {
    const { bot, chat, outbox, update, signal } = this.#ctx;
    if (!this.#isGrowing || text !== this.#draft) return;
    // Apps show changes of a draft with the same id as growth; the id must not be 0 (Bot API, sendMessageDraft).
    const draft = { chat_id: chat.id, ...outbox.topic, draft_id: update.update_id || 1, can_stop: true };
    try {
      await bot.api.callRecent('sendMessageDraft', { ...draft, text }, { signal });
    } catch (error) {
      if (!this.#isGrowing || signal.aborted) return;
      bot.log.debug({ error }, 'sending a draft failed');
      this.#isGrowing = false;
      this.#show();
    }
  }

  /** Call before the answer: a later draft would stay below it. What is left of the work (a speech) is counted again. */
  async endDraft(): Promise<void> {
    this.#isGrowing = false;
    if (this.#draft === undefined) return;
    this.#draft = undefined;
    await Promise.race([this.#drafted, delay(PATIENCE_MS, undefined, { ref: false })]);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#longWait);
    void this.endDraft();
  }

  #show(isLongWait = false): void {
    const { chat, outbox, isPrivate, person } = this.#ctx;
    const total = this.#known + this.#following;
    if (total < 2 && !isLongWait) return;
    if (this.#isGrowing) {
      if (total > 1) this.grow('');
      return;
    }
    // A channel's readers do not wait, and a group must not see a private request.
    if (chat.type === 'channel' || outbox.ephemeral !== undefined) return;
    if (performance.now() - this.#shownAt < EDIT_EVERY_MS[isPrivate ? 'private' : 'group']) return;
    this.#shownAt = performance.now();
    const text = this.#ctx.words(total < 2 ? 'progress-long' : 'progress', { done: this.#done, total });
    const stop: Button = {
      text: this.#ctx.words('button-cancel'),
      callback_data: `cancel:${person}`,
      style: 'danger',
    };
    outbox.showProgress(text, { reply_markup: markup([[stop]]) });
  }
}
