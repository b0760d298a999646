/** What every queue engine promises: updates taken in durably and once, handled in order per lane, lanes side by side. */

/** An update as it waits for its turn; `body` is Telegram's JSON, parsed by whoever handles it. */
export interface QueuedUpdate {
  /** Who waits for whom: updates of one lane are handled one after another, in the order of their arrival. */
  readonly lane: string;
  /**
   * Telegram's `update_id`, or for a request that is repeated with a button a number below zero: an update that was received already,
   * within two days, is not taken in again.
   */
  readonly updateId: number;
  /** Updates of one lane with the same `album` are handled together, once none has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string;
  /** While an update with the same `once` waits or runs, another is dropped: one tap can arrive as two callback queries. */
  readonly once?: string;
  readonly body: unknown;
}

/** One update to handle, or all parts of an album. */
export interface Work {
  readonly bodies: readonly unknown[];
  /** Aborts when the process stops for good; the work then stays in the queue. */
  readonly signal: AbortSignal;
  readonly answers: ConfirmedAnswers;
  /** False where no earlier attempt can have left anything behind, not even one that a crash ended. */
  readonly mayHaveBegun: boolean;
  /** Has something done as soon as the work is out of the queue; a crash may come before that. */
  onceGone(task: () => Promise<void>): void;
}

/** The answers of this work that Telegram confirmed, also in an attempt that a crash ended: those are not sent again. */
export interface ConfirmedAnswers {
  /** Message ids in the order in which they were sent, from earlier attempts. */
  readonly confirmed: readonly number[];
  /** Notes the next one, durably. */
  confirm(messageId: number): Promise<void>;
}

/** Handles one piece of work; what it throws decides, with `QueueOptions`, whether it is tried again or becomes a dead letter. */
export type QueueHandler = (work: Work) => Promise<void>;

export interface QueueOptions {
  /** Updates handled at once, per process. */
  readonly workers: number;
  /** True for an error that is nobody's fault and passes (Telegram or the database out of reach): tried again for as long as it takes. */
  readonly isOutage: (error: unknown) => boolean;
  /** When an attempt is aborted and given up, in ms; `LONGEST_WORK_MS` (attempt.ts) unless given. */
  readonly limitMs?: number;
  /** Told of every attempt that failed. */
  readonly onFailure: (error: unknown) => void;
  /** Tells outages that befall everybody from those that one piece of work meets alone; without it all are waited out. */
  readonly ownTrouble?: OwnTrouble | undefined;
  /** Told of work that is given up. `isTold`: its sender knows of it already. */
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, isTold: boolean) => void;
}

/** Work that alone meets an outage, again and again, is given up: others wait behind it. */
export interface OwnTrouble {
  /** Whether this work meets the outage alone, because whatever has failed it serves others. Never throws. */
  isOwn(error: unknown, bodies: readonly unknown[], signal: AbortSignal): Promise<boolean>;
  /** Tells the sender that the work is given up; false where that meets an outage, too. Never throws. */
  apologise(bodies: readonly unknown[], signal: AbortSignal): Promise<boolean>;
}

interface DeadLetter {
  readonly id: string;
  /** ms since the epoch */
  readonly givenUpAt: number;
  readonly reason: string;
  readonly lane: string;
}

export interface DeadLetters {
  /** Work that was given up, oldest first. */
  listDeadLetters(): Promise<DeadLetter[]>;
  /** Gives a dead letter another chance; false for an unknown id. */
  retryDeadLetter(id: string): Promise<boolean>;
  /** Forgets a dead letter; false for an unknown id. */
  dropDeadLetter(id: string): Promise<boolean>;
}

export interface Queue extends DeadLetters {
  /**
   * Takes updates in; when the promise resolves they are on disk. Throws when they cannot be written, or too many wait: then none
   * is taken in, and they stay where they are (Telegram keeps them for a day).
   */
  push(updates: readonly QueuedUpdate[]): Promise<void>;
  /** Starts handling, also of what an earlier process left; called once. */
  start(handler: QueueHandler): Promise<void>;
  /** Takes no new work up, waits up to `graceMs` for what runs, then aborts it; the rest stays. Resolves when nothing runs. */
  stop(graceMs: number): Promise<void>;
  /**
   * Aborts what runs where this process stood still for so long that others have taken its work over. To be called before what others would
   * do again: after a sleep the answers that came meanwhile are read before any timer runs.
   */
  giveUpIfSlept(): void;
  /**
   * Which of these updates, by Telegram's `update_id`, were taken in here of late and have been begun by nobody. Undefined where no other
   * process works on what this one takes in.
   */
  readonly unbegun: ((updateIds: readonly number[]) => Promise<ReadonlySet<number>>) | undefined;
  /** How many updates wait or run. */
  depth(): Promise<number>;
}

/** With so many waiting, for all processes together, none is taken in: about 50 MB of memory on SQLite, and hours of work. */
export const MOST_WAITING = 100_000;

/** More waits than can be handled in any time that somebody would wait. */
export class QueueIsFull extends Error {
  override readonly name = 'QueueIsFull';
}

/** Telegram marks no end of an album: one quiet second ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
