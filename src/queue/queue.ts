/** The queue's interface: takes updates in durably and once, and handles them in order per lane, lanes side by side. */

/** A waiting update; `body` is Telegram's JSON, parsed by its handler. */
export interface QueuedUpdate {
  /** Updates of one lane are handled one after another, in the order of their arrival. */
  readonly lane: string;
  /**
   * Telegram's `update_id`, or a negative number for a request repeated with a button. An update received in the last two days is not taken
   * in again.
   */
  readonly updateId: number;
  /** Updates of a lane with the same `album` are handled together, once none has come for `ALBUM_PAUSE_MS`. */
  readonly album?: string;
  /** While an update waits or runs, others with the same `once` are dropped: one tap can arrive as two callback queries. */
  readonly once?: string;
  readonly body: unknown;
}

/** One update to handle, or all parts of an album. */
export interface Work {
  readonly bodies: readonly unknown[];
  /** Aborts when the process stops for good; the work stays in the queue. */
  readonly signal: AbortSignal;
  readonly answers: ConfirmedAnswers;
  /** False if no earlier attempt can have left anything behind, not even one that a crash ended. */
  readonly mayHaveBegun: boolean;
  /** Runs a task once the work is out of the queue; a crash may prevent it. */
  onceGone(task: () => Promise<void>): void;
}

/** The confirmed answers of this work, including those of attempts that a crash ended: they are not sent again. */
export interface ConfirmedAnswers {
  /** Message ids from earlier attempts, in the order of sending; negative for a message shared with other answers. */
  readonly confirmed: readonly number[];
  /** Notes the next one, durably. */
  confirm(messageId: number): Promise<void>;
}

/** Handles one piece of work; `QueueOptions` decides by its error whether the work is tried again or becomes a dead letter. */
export type QueueHandler = (work: Work) => Promise<void>;

export interface QueueOptions {
  /** How many updates this process handles at once. */
  readonly workers: number;
  /** True for an error that passes (Telegram or the database out of reach): the work is tried again for as long as it takes. */
  readonly isOutage: (error: unknown) => boolean;
  /** How long an attempt may take, in ms; `LONGEST_WORK_MS` (attempt.ts) by default. */
  readonly limitMs?: number;
  /** Called for every failed attempt. */
  readonly onFailure: (error: unknown) => void;
  /** Tells outages of everybody from those that only one piece of work meets; without it every outage is waited out. */
  readonly ownOutage?: OwnOutage | undefined;
  /** Called for work that is given up. `isTold`: its sender has been told. */
  readonly onDeadLetter: (bodies: readonly unknown[], reason: string, isTold: boolean) => void;
}

/** Work that keeps meeting an outage alone is given up, since others wait behind it. */
export interface OwnOutage {
  /** Whether only this work meets the outage, since what failed it serves others. Never throws. */
  isOwn(error: unknown, bodies: readonly unknown[], signal: AbortSignal): Promise<boolean>;
  /** Tells the sender that the work is given up; false if that meets an outage, too. Never throws. */
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
  /** The dead letters, oldest first. */
  listDeadLetters(): Promise<DeadLetter[]>;
  /** Queues a dead letter again; false for an unknown id. */
  retryDeadLetter(id: string): Promise<boolean>;
  /** Deletes a dead letter; false for an unknown id. */
  dropDeadLetter(id: string): Promise<boolean>;
}

export interface Queue extends DeadLetters {
  /**
   * Takes updates in; resolves once they are on disk. Throws if they cannot be written, or if too many wait: then none is taken in, and
   * Telegram keeps them for a day.
   */
  push(updates: readonly QueuedUpdate[]): Promise<void>;
  /** Whether `push` took this update in lately; it leaves out second taps (`once`) and what was received before. */
  isTakenIn(update: QueuedUpdate): boolean;
  /** Starts handling, including what an earlier process left; called once. */
  start(handler: QueueHandler): Promise<void>;
  /** Starts no more work, waits up to `graceMs` for running work, then aborts it; the rest stays queued. Resolves when nothing runs. */
  stop(graceMs: number): Promise<void>;
  /**
   * Aborts running work if this process was frozen for so long that others have taken the work over. To be called before anything that
   * others would repeat: after a sleep, answers that came meanwhile are read before any timer runs.
   */
  giveUpIfSlept(): void;
  /**
   * Filters these updates (by `update_id`) to those that were taken in here lately and that no process has begun. Undefined if no other
   * process works on what this one takes in.
   */
  readonly unbegun: ((updateIds: readonly number[]) => Promise<ReadonlySet<number>>) | undefined;
  /** The number of updates that wait or run; on SQLite an album counts once. */
  depth(): Promise<number>;
}

/** With this many waiting, for all processes together, no more are taken in: about 50 MB of memory on SQLite, and hours of work. */
export const MOST_WAITING = 100_000;

/** More updates wait than can be handled while anybody still waits for an answer. */
export class QueueIsFull extends Error {
  override readonly name = 'QueueIsFull';
}

/** Telegram does not mark the end of an album: a quiet second ends it (design §5). */
export const ALBUM_PAUSE_MS = 1000;
