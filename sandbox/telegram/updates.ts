/** The bot's updates: numbered, kept until confirmed, and handed out by long polling or taken by the webhook. */
import { conflict } from './api-error.ts';
import type { AnyUpdateKind, Update, UpdateContents, UpdateKind } from './objects.ts';

/** Sent only when `allowed_updates` names them (Bot API, getUpdates). */
const ONLY_IF_ASKED: ReadonlySet<UpdateKind> = new Set(['chat_member', 'message_reaction']);

interface PollOptions {
  offset: number;
  limit: number;
  /** Seconds. */
  timeout: number;
  /** Ends the poll when its connection is gone. */
  signal: AbortSignal;
}

export class UpdateQueue {
  readonly #pending: Update[] = [];
  /** Lane of each pending update: what concerns one chat or person is delivered in order. */
  readonly #lanes = new Map<number, number>();
  #allowed: ReadonlySet<AnyUpdateKind> | undefined;
  /** The poll that waits; resolving it ends it with what there is then. */
  #waiter: PromiseWithResolvers<void> | undefined;
  #nextId = 100_000_001;
  readonly #onPush = new Set<() => void>();

  readonly #onConfirmed: () => void;

  /** `onConfirmed` is called whenever the bot has confirmed some. */
  constructor(onConfirmed: () => void) {
    this.#onConfirmed = onConfirmed;
  }

  get pending(): readonly Update[] {
    return this.#pending;
  }

  /** The kinds asked for; undefined: Telegram's default. */
  get allowed(): AnyUpdateKind[] | undefined {
    return this.#allowed && [...this.#allowed];
  }

  /** Takes a new setting; undefined keeps the one before, an empty list goes back to the default. */
  allow(kinds: readonly AnyUpdateKind[] | undefined): void {
    if (kinds !== undefined) this.#allowed = kinds.length > 0 ? new Set(kinds) : undefined;
  }

  /** Queues an update of this kind unless the bot does not want it; `lane` is the chat's or person's id. */
  push<Kind extends UpdateKind>(kind: Kind, content: UpdateContents[Kind], lane: number): void {
    const wanted = this.#allowed?.has(kind) ?? !ONLY_IF_ASKED.has(kind);
    if (!wanted) return;
    const update: Update = { update_id: this.#nextId++, [kind]: structuredClone(content) };
    this.#pending.push(update);
    this.#lanes.set(update.update_id, lane);
    this.#waiter?.resolve();
    for (const listener of this.#onPush) listener();
  }

  /** Calls back on every new update; returns the way to stop. */
  onPush(listener: () => void): () => void {
    this.#onPush.add(listener);
    return () => this.#onPush.delete(listener);
  }

  /** The lane that an update was pushed with. */
  lane(updateId: number): number {
    return this.#lanes.get(updateId) ?? updateId;
  }

  /** Drops one update: it was delivered. */
  confirm(updateId: number): void {
    const index = this.#pending.findIndex((update) => update.update_id === updateId);
    this.#lanes.delete(updateId);
    if (index < 0) return;
    this.#pending.splice(index, 1);
    this.#onConfirmed();
  }

  /** Drops everything that waits (`drop_pending_updates`). */
  clear(): void {
    this.#pending.length = 0;
    this.#lanes.clear();
  }

  /** Ends a poll that waits, with 409. */
  interrupt(by: string): void {
    this.#waiter?.reject(conflict(`terminated by ${by}`));
  }

  /** `getUpdates`: confirms what lies before `offset`, then answers at once or at the first update. */
  async poll({ offset, limit, timeout, signal }: PollOptions): Promise<Update[]> {
    this.interrupt('other getUpdates request; make sure that only one bot instance is running');
    this.#confirmBefore(offset);
    if (this.#pending.length === 0 && timeout > 0) await this.#something(timeout * 1000, signal);
    // What people send at one moment comes in one answer.
    return this.#pending.slice(0, limit);
  }

  /** Waits for an update, for this many ms, or for the end of the connection; throws when the poll is interrupted. */
  async #something(ms: number, gone: AbortSignal): Promise<void> {
    const waiter = Promise.withResolvers<void>();
    const timer = setTimeout(waiter.resolve, ms);
    gone.addEventListener('abort', () => waiter.resolve());
    this.#waiter = waiter;
    await waiter.promise.finally(() => clearTimeout(timer));
  }

  /** A negative offset keeps only that number of the last updates. */
  #confirmBefore(offset: number): void {
    const count =
      offset < 0
        ? Math.max(0, this.#pending.length + offset)
        : this.#pending.filter((update) => update.update_id < offset).length;
    for (const update of this.#pending.splice(0, count)) this.#lanes.delete(update.update_id);
    if (count > 0) this.#onConfirmed();
  }
}
