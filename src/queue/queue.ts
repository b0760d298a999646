/** What every queue engine promises: updates taken in once, handled in order per lane, lanes side by side. */

/** An update as it waits for its turn; `body` is Telegram's JSON, parsed by whoever handles it. */
export interface QueuedUpdate {
  /** Who waits for whom: updates of one lane are handled one after another, in the order of their arrival. */
  readonly lane: string;
  /** Updates of one lane with the same `album` are handled together, once none has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string;
  /** While an update with the same `once` waits or runs, another is dropped: one press can arrive twice. */
  readonly once?: string;
  readonly body: unknown;
}

/** Handles one update, or all parts of an album together; `signal` aborts when the process stops for good. */
export type QueueHandler = (bodies: readonly unknown[], signal: AbortSignal) => Promise<void>;

export interface Queue {
  /** Takes updates in; when the promise resolves they are as safe as the engine makes them. */
  push(updates: readonly QueuedUpdate[]): Promise<void>;
  /** Starts handling; called once. A handler that throws does not stop its lane. */
  start(handler: QueueHandler): void;
  /** Takes no new work up, waits up to `graceMs` for what runs, then aborts it. Resolves when nothing runs any more. */
  stop(graceMs: number): Promise<void>;
  /** How many updates wait or run. */
  depth(): number;
}

/** Telegram marks no end of an album: one quiet second ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
