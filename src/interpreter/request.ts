/** What a request to the interpreter consists of, besides the text itself. */
import type { Asker } from '../store/money/scopes.ts';

/** Told how many of the paid calls that the work takes are done: before the first, and after each. */
export type OnProgress = (done: number, total: number) => void;

/** What goes with every request. */
export interface Asked {
  readonly asker: Asker;
  readonly signal: AbortSignal;
  /** What is kept needs no call and is not counted; of a speech that was cut off, the pieces that are kept count as done. */
  readonly onProgress?: OnProgress;
  /**
   * Paid calls that follow this work, without which it would be in vain: it is not begun, and not paid for, where the limits do not
   * allow them, too.
   */
  readonly callsAfter?: number;
}

/** A picture that can be had when it is needed. */
export interface Picture {
  /** Telegram's `file_unique_id`: the same for the same file, whoever sends it. */
  readonly id: string;
  /** How large it is, as far as Telegram tells; in bytes. */
  readonly bytes: number | undefined;
  load(signal: AbortSignal): Promise<Uint8Array>;
}
