/** Shows a waiting person that the bot works: a chat action that does not fade, and the progress of several paid calls. */
import { setTimeout as delay } from 'node:timers/promises';
import type { OnProgress } from '../../interpreter/request.ts';
import { cancelButton, markup } from '../answer/buttons.ts';
import { isNotModified, unlessRefused } from '../api/api-errors.ts';
import type { ReceivedContext } from '../context.ts';
import type { ChatAction } from './chat-action.ts';
import { Draft } from './draft.ts';

type Action = Parameters<ChatAction['show']>[0];

/** Does the work while the chat shows `action`. Nothing here delays the work or fails it: the answer matters more than its progress. */
export async function whileShowing<T>(
  ctx: ReceivedContext,
  action: Action,
  work: (activity: Activity) => Promise<T>,
): Promise<T> {
  const activity = new Activity(ctx);
  activity.change(action);
  try {
    return await work(activity);
  } finally {
    activity.end();
  }
}

/** Minimum time between two edits of the message, in ms. In a group every edit counts against its 20 messages a minute. */
const EDIT_EVERY_MS = { private: 3000, group: 10_000 };

/** A single paid call that takes longer than this gets a *Cancel* button, in ms. */
const LONG_WAIT_MS = 10_000;

/** A message that shows how far a request is. */
interface ProgressMessage {
  readonly chat: number;
  readonly message: number;
}

/** One piece of work and its parts. No progress is shown before the parts take more than one paid call, or the work has taken long. */
export class Activity {
  readonly #ctx: ReceivedContext;
  readonly #parts: { done: number; total: number }[] = [];
  /** Paid calls known to follow: of this source after its parts so far, and of later sources. */
  #following = 0;
  #later = 0;
  readonly #longWait: NodeJS.Timeout | undefined;
  #message: Promise<ProgressMessage> | undefined;
  #shownAt = 0;
  #isLongWait = false;
  #draft: Draft | undefined;

  constructor(ctx: ReceivedContext) {
    this.#ctx = ctx;
    // Where the bot only listens, nobody waits for an answer.
    if (ctx.isOverheard) return;
    this.#longWait = setTimeout(() => {
      this.#isLongWait = true;
      if (this.#message === undefined) this.#show();
    }, LONG_WAIT_MS);
  }

  /** Begins one of several sources. `own`: how many paid calls it takes; `later`: those of the sources after it. */
  begin(action: Action, { own, later }: { readonly own: number; readonly later: number }): void {
    this.#following = own;
    this.#later = later;
    this.change(action);
  }

  /** Shows another chat action from now on. */
  change = (action: Action): void => this.#ctx.outbox.action.show(action);

  /**
   * Adds a part to the work. The part reports how many paid calls it takes, if any; at least `following` more come after it. If all
   * together are more than one, a message shows how many are done. It is edited in place.
   */
  part = (following = 0): OnProgress => {
    const index = this.#parts.push({ done: 0, total: 0 }) - 1;
    let isKnown = false;
    return (done, total) => {
      this.#parts[index] = { done, total };
      if (total > 0 && !isKnown) this.#following = Math.max(following, this.#following - total);
      isKnown ||= total > 0;
      this.#show();
    };
  };

  /**
   * Lets the answer grow as a draft, in place of the progress message. Undefined outside private chats, if that message is already there,
   * and if the answer replaces an earlier one. Report the text to `show`, and call `end` before the answer.
   */
  draft = (): Pick<Draft, 'show' | 'end'> | undefined => {
    const { isPrivate, outbox } = this.#ctx;
    if (!isPrivate || outbox.former.length > 0 || this.#message !== undefined) return undefined;
    const draft = new Draft(this.#ctx, () => {
      this.#draft = undefined;
      this.#show();
    });
    this.#draft = draft;
    const end = (): Promise<void> => {
      // What is left of the work (a speech) is counted again.
      this.#draft = undefined;
      return draft.end();
    };
    return { show: draft.show, end };
  };

  /** Removes the progress message or draft; the request ends after that (`removeProgressMessages`). */
  end(): void {
    clearTimeout(this.#longWait);
    void this.#draft?.end();
    const removal = this.#message?.then((sent) => removeProgress(this.#ctx, sent));
    if (removal === undefined) return;
    this.#quietly(removal);
    this.#ctx.outbox.removals.push(removal);
  }

  #show(): void {
    const { chat, outbox, isPrivate, bot } = this.#ctx;
    const done = this.#parts.reduce((sum, part) => sum + part.done, 0);
    const known = this.#parts.reduce((sum, part) => sum + part.total, 0);
    const total = known + this.#following + this.#later;
    if (total < 2 && !this.#isLongWait) return;
    if (this.#draft !== undefined && this.#message === undefined) {
      if (total > 1) this.#draft.begin();
      return;
    }
    // A channel's readers do not wait, and a group must not see a private request.
    if (chat.type === 'channel' || outbox.ephemeral !== undefined) return;
    // Save the rest of a group's messages this minute for answers.
    if (bot.api.pace.isBusy(chat.id)) return;
    const sinceShown = performance.now() - this.#shownAt;
    if (this.#message !== undefined && sinceShown < EDIT_EVERY_MS[isPrivate ? 'private' : 'group']) return;
    this.#shownAt = performance.now();
    const text = total < 2 ? this.#ctx.words('progress-long') : this.#ctx.words('progress', { done, total });
    if (this.#message === undefined) {
      this.#message = this.#send(text);
      this.#quietly(this.#message);
    } else this.#quietly(this.#message.then((sent) => this.#edit(sent, text)));
  }

  /** Sends it and records it in the database: another process may finish the work. */
  async #send(text: string): Promise<ProgressMessage> {
    const { bot, chat, outbox } = this.#ctx;
    const extra = { ...outbox.destination(), ...this.#cancelMarkup() };
    const sent = await outbox.action.during(() => bot.api.sendMessage(chat.id, text, extra));
    // Not `chat`: the group may have become a supergroup meanwhile.
    const progress = { chat: sent.chat.id, message: sent.message_id };
    await outbox
      .addProgress({ id: progress.message, kind: 'progress', chat: progress.chat })
      .catch((error: unknown) => bot.log.warn({ error }, 'recording a progress message failed'));
    return progress;
  }

  #edit({ chat, message }: ProgressMessage, text: string): Promise<unknown> {
    const { bot, outbox } = this.#ctx;
    return outbox.action.during(() =>
      bot.api.editMessageText(chat, message, undefined, text, this.#cancelMarkup()),
    );
  }

  #cancelMarkup() {
    return { reply_markup: markup([[cancelButton(this.#ctx)]]) };
  }

  #quietly(call: Promise<unknown>): void {
    call.catch((error: unknown) => {
      if (!isNotModified(error)) this.#ctx.bot.log.debug({ error }, 'updating a progress message failed');
    });
  }
}

/** Removes a progress message. Never throws; what cannot be removed now is left to the next attempt. */
export async function removeProgress(ctx: ReceivedContext, progress: ProgressMessage): Promise<void> {
  try {
    // Telegram refuses this if somebody has deleted it, or it is too old.
    await unlessRefused(ctx.bot.api.deleteMessage(progress.chat, progress.message));
    ctx.outbox.dropProgress(progress.message);
  } catch (error) {
    ctx.bot.log.warn({ error }, 'deleting a progress message failed');
  }
}

/** The person's next request waits at most this long for a removal, in ms. */
const PATIENCE_MS = 5000;

/** Removes progress messages that an earlier attempt left, and ends the work only after its own are removed. */
export async function removeProgressMessages(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  for (const { id, chat = ctx.chat.id } of ctx.outbox.progress) {
    if (typeof id === 'number') ctx.outbox.removals.push(removeProgress(ctx, { chat, message: id }));
  }
  try {
    await next();
  } finally {
    ctx.outbox.action.end();
    if (ctx.outbox.removals.length > 0) {
      await Promise.race([
        Promise.allSettled(ctx.outbox.removals),
        delay(PATIENCE_MS, undefined, { ref: false }),
      ]);
    }
  }
}

/** Shows the chat action from the start of the handling, where somebody waits for it. */
export async function showWork(ctx: ReceivedContext, next: () => Promise<void>): Promise<void> {
  if (!ctx.isOverheard) ctx.outbox.action.show('typing');
  await next();
}
