/** The pace of messages to a group: 20 a minute, edits included (Telegram's FAQ for bots); Telegram tolerates a short burst. */
import { setTimeout as delay } from 'node:timers/promises';

const WINDOW_MS = 60_000;
const MOST_IN_WINDOW = 20;
/** This many may follow one another at once. The last two of a minute are for waiting answers, which go out together. */
const BURST = 18;
/** Time between two messages beyond the burst, in ms. */
const WIDE_GAP_MS = 5000;
/** Telegram promises one message a second in a chat. Once it has refused one, we keep to that for `STRICT_FOR_MS`. In ms. */
const GAP_MS = 1000;
const STRICT_FOR_MS = 60 * 60 * 1000;
/** From this number in a minute on, a group gets only answers. */
const BUSY_FROM = 14;
/** A message that waits longer counts as held up, in ms. */
const HELD_UP_MS = 2000;
/** At most this many messages are held up here; others go back to the queue, so that no group uses up the workers. */
const MOST_HELD_UP = 16;
/** Beyond this number, quiet groups are forgotten. */
const MOST_GROUPS = 1000;

/** Too much waits for a group: the request is handled again later. */
export class GroupIsFull extends Error {
  override readonly name = 'GroupIsFull';
}

interface Turn<T> {
  /** Ends the wait. */
  readonly signal?: AbortSignal | undefined;
  /** False once there is nothing left to send: then `send` is called at once, and does not count. */
  isNeeded?(): boolean;
  send(): Promise<T>;
}

interface Group {
  /** When the latest messages were sent, in ms of the monotonic clock. */
  sent: readonly number[];
  /** The number of messages that wait or are being sent. */
  pending: number;
  refusedUntil: number;
  strictUntil: number;
  /** Resolves when all of these are sent. */
  last: Promise<void>;
}

/** Sends one message after another to each group, never more in a minute than Telegram accepts. */
export class GroupPace {
  readonly #groups = new Map<number, Group>();
  #heldUp = 0;

  /** Whether a message after one sent now would wait so long that both should go out as one. */
  holdsUpNext(group: number): boolean {
    const state = this.#groups.get(group);
    if (state === undefined) return false;
    if (isStrict(state)) return this.#isHeldUp(group);
    return sentLately(state).length + 1 >= BURST;
  }

  /** Whether a new message would have to wait long. */
  #isHeldUp(group: number): boolean {
    const state = this.#groups.get(group);
    if (state === undefined) return false;
    const { pending } = state;
    const beyondBurst = sentLately(state).length + pending + 1 - BURST;
    const wideGaps = Math.max(0, Math.min(pending, beyondBurst));
    const gaps = isStrict(state) ? pending * GAP_MS : wideGaps * WIDE_GAP_MS;
    return waitMs(state) + gaps >= HELD_UP_MS;
  }

  /** Whether so many messages were sent in the last minute, or wait, that only answers should follow. */
  isBusy(group: number): boolean {
    const state = this.#groups.get(group);
    return state !== undefined && sentLately(state).length + state.pending >= BUSY_FROM;
  }

  /** Calls `send` when its turn has come. Throws `GroupIsFull`, or the signal's reason if it aborts. */
  async inTurn<T>(group: number, { signal, isNeeded = () => true, send }: Turn<T>): Promise<T> {
    const isHeldUp = this.#isHeldUp(group);
    if (isHeldUp && this.#heldUp >= MOST_HELD_UP) throw new GroupIsFull('too much waits for a group');
    const state = this.#stateOf(group);
    const before = state.last;
    const { promise, resolve: sent } = Promise.withResolvers<void>();
    state.last = before.then(() => promise);
    state.pending += 1;
    if (isHeldUp) this.#heldUp += 1;
    try {
      await before;
      for (let wait = waitMs(state); wait > 0 && isNeeded(); wait = waitMs(state)) {
        await delay(wait, undefined, { signal });
      }
      if (!isNeeded()) return await send();
      try {
        return await send();
      } finally {
        state.sent = [...state.sent, performance.now()].slice(-MOST_IN_WINDOW);
      }
    } finally {
      if (isHeldUp) this.#heldUp -= 1;
      state.pending -= 1;
      sent();
    }
  }

  /** How long Telegram wants to hear nothing of a chat, in ms. */
  pausedMs(chat: number): number {
    return Math.max(0, (this.#groups.get(chat)?.refusedUntil ?? 0) - performance.now());
  }

  /** Notes that Telegram has refused a message to a chat (429) and asks for this many ms of silence. */
  refused(chat: number, ms: number): void {
    const state = this.#stateOf(chat);
    const now = performance.now();
    state.refusedUntil = now + ms;
    state.strictUntil = now + STRICT_FOR_MS;
  }

  #stateOf(group: number): Group {
    const known = this.#groups.get(group);
    if (known !== undefined) return known;
    if (this.#groups.size >= MOST_GROUPS) {
      for (const [id, state] of this.#groups) if (isQuiet(state)) this.#groups.delete(id);
    }
    const state = { sent: [], pending: 0, refusedUntil: 0, strictUntil: 0, last: Promise.resolve() };
    this.#groups.set(group, state);
    return state;
  }
}

/** How long the next message has to wait, in ms. */
function waitMs(group: Group): number {
  const { sent, refusedUntil } = group;
  const now = performance.now();
  const inWindow = sentLately(group);
  const burstGap = isStrict(group) ? GAP_MS : 0;
  const gap = inWindow.length < BURST ? burstGap : WIDE_GAP_MS;
  const afterLatest = (sent.at(-1) ?? Number.NEGATIVE_INFINITY) + gap;
  const oldest = inWindow.at(-MOST_IN_WINDOW);
  const afterWindow = oldest === undefined ? 0 : oldest + WINDOW_MS;
  return Math.max(0, Math.ceil(Math.max(afterLatest, afterWindow, refusedUntil) - now));
}

/** Whether Telegram has refused a message lately. */
function isStrict({ strictUntil }: Group): boolean {
  return performance.now() < strictUntil;
}

/** When the messages of the last minute were sent. */
function sentLately({ sent }: Group): readonly number[] {
  return sent.filter((time) => time > performance.now() - WINDOW_MS);
}

function isQuiet(group: Group): boolean {
  return group.pending === 0 && !isStrict(group) && sentLately(group).length === 0;
}
