/** The chat actions of this process: in each place where somebody waits one is shown in time, renewed, and never behind the answer. */
import type { Opts } from 'telegraf/types';

export type ChatAction = Opts<'sendChatAction'>['action'];

/** A chat, or one of its forum topics. */
export interface Place {
  readonly chat: number;
  readonly topic?: number | undefined;
}

/** Somebody's waiting in a place. */
interface Waiting {
  /** Shows another chat action from now on. */
  change(action: ChatAction): void;
  /** The answer is there, or none is to come. */
  end(): void;
}

/**
 * What ends sooner is better answered without: the answer would meet the action on its way. With the way to Telegram it leaves the first
 * sign of life within 300 ms. As long is waited after a message, which takes the action away: it may have been the answer. In ms.
 */
const SHOW_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s; renewed a little earlier it never fades, in ms. */
const RENEW_AFTER_MS = 4500;
/** Work that ends sooner than this after it has changed its nature is not worth another call, in ms. */
const SHOW_CHANGE_AFTER_MS = 500;
/** A message that takes longer is being uploaded, or held up: until then it may come with the next moment. In ms. */
const LONG_ON_ITS_WAY_MS = 500;
/** An answer that took longer to come, in ms, may have been overtaken. */
const STALE_AFTER_MS = 200;
/** How long a message waits for an action that left before it, in ms: most are there by then. */
const PATIENCE_MS = 100;

/** Whether somebody waits still, for what this process does not handle; must not reject. */
type IsWaiting = () => Promise<boolean>;

interface OneWaiting {
  /** Undefined where any will do. */
  action: ChatAction | undefined;
  /** Asked each time before an action is shown for this one alone. */
  readonly isStill: IsWaiting | undefined;
}

interface Shown {
  readonly place: Place;
  /** The latest last. */
  readonly waiting: Set<OneWaiting>;
  /** When the next action is due, in ms of `performance.now()`. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  /** What was shown last, until a message took it away. */
  current: ChatAction | undefined;
  /** Of an action that is on its way: resolves when it has arrived, or was refused. */
  arrival: Promise<void> | undefined;
}

/** Nothing is shown yet. What `send` gives must not reject. */
export class ChatActions {
  readonly #shown = new Map<string, Shown>();
  readonly #send: (place: Place, action: ChatAction) => Promise<void>;

  constructor(send: (place: Place, action: ChatAction) => Promise<void>) {
    this.#send = send;
  }

  /** Begins to show that something is done; without an action one of another waiting, or else `typing`. */
  begin(place: Place, action?: ChatAction, isStill?: IsWaiting): Waiting {
    const known = this.#shown.get(keyOf(place));
    const shown = known ?? this.#begin(place);
    const mine: OneWaiting = { action, isStill };
    shown.waiting.add(mine);
    const afterChange = (): void => {
      const isChanged = shown.current !== undefined && actionOf(shown) !== shown.current;
      if (isChanged) this.#schedule(shown, Math.min(shown.dueAt, inMs(SHOW_CHANGE_AFTER_MS)));
    };
    afterChange();
    return {
      change: (next) => {
        mine.action = next;
        afterChange();
      },
      end: () => this.#end(shown, mine),
    };
  }

  #end(shown: Shown, one: OneWaiting): void {
    shown.waiting.delete(one);
    if (shown.waiting.size > 0) return;
    clearTimeout(shown.timer);
    if (this.#shown.get(keyOf(shown.place)) === shown) this.#shown.delete(keyOf(shown.place));
  }

  /**
   * Does the sending of a message, or of an edit, once an action that left before it has arrived. None follows it closely, for the
   * waiting may end with it.
   */
  async during<T>(place: Place, isEdit: boolean, sending: () => Promise<T>): Promise<T> {
    const touched = this.#touchedBy(place, isEdit);
    if (touched.length === 0) return sending();
    const held = touched.map((shown) => {
      const { dueAt } = shown;
      this.#schedule(shown, Math.max(dueAt, inMs(LONG_ON_ITS_WAY_MS)));
      return { shown, dueAt, heldUntil: shown.dueAt };
    });
    const arrivals = touched.flatMap(({ arrival }) => arrival ?? []);
    if (arrivals.length > 0) {
      const enough = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS));
      await Promise.race([Promise.all(arrivals), enough]);
    }
    try {
      return await sending();
    } finally {
      for (const { shown, dueAt, heldUntil } of held) {
        // A message takes the action away. An edit does not: what was due goes on being due, unless it was shown meanwhile.
        if (!isEdit) shown.current = undefined;
        const due = shown.dueAt === heldUntil ? dueAt : shown.dueAt;
        this.#schedule(shown, isEdit ? Math.max(due, inMs(SHOW_AFTER_MS)) : inMs(SHOW_AFTER_MS));
      }
    }
  }

  /** An edit does not tell its topic. */
  #touchedBy(place: Place, isEdit: boolean): Shown[] {
    if (isEdit) return [...this.#shown.values()].filter((shown) => shown.place.chat === place.chat);
    const shown = this.#shown.get(keyOf(place));
    return shown === undefined ? [] : [shown];
  }

  #begin(place: Place): Shown {
    const shown: Shown = {
      place,
      waiting: new Set(),
      dueAt: 0,
      timer: undefined,
      current: undefined,
      arrival: undefined,
    };
    this.#shown.set(keyOf(place), shown);
    this.#schedule(shown, inMs(SHOW_AFTER_MS));
    return shown;
  }

  #schedule(shown: Shown, dueAt: number): void {
    shown.dueAt = dueAt;
    clearTimeout(shown.timer);
    if (this.#shown.get(keyOf(shown.place)) !== shown) return;
    shown.timer = setTimeout(() => {
      const isSure = [...shown.waiting].some(({ isStill }) => isStill === undefined);
      if (isSure) this.#show(shown);
      else void this.#showIfStillWaiting(shown);
    }, dueAt - performance.now());
    shown.timer.unref();
  }

  async #showIfStillWaiting(shown: Shown): Promise<void> {
    const { dueAt } = shown;
    const askedAt = performance.now();
    const asked = [...shown.waiting].map(async (one) => {
      if (one.isStill !== undefined && !(await one.isStill())) this.#end(shown, one);
    });
    await Promise.all(asked);
    // No waiting is left, or a message has put it off.
    if (shown.waiting.size === 0 || shown.dueAt !== dueAt) return;
    if (performance.now() - askedAt > STALE_AFTER_MS) this.#schedule(shown, inMs(SHOW_AFTER_MS));
    else this.#show(shown);
  }

  #show(shown: Shown): void {
    const action = actionOf(shown);
    shown.current = action;
    const arrival = this.#send(shown.place, action).finally(() => {
      if (shown.arrival === arrival) shown.arrival = undefined;
    });
    shown.arrival = arrival;
    this.#schedule(shown, inMs(RENEW_AFTER_MS));
  }
}

function inMs(ms: number): number {
  return performance.now() + ms;
}

function actionOf({ waiting }: Shown): ChatAction {
  return [...waiting].findLast(({ action }) => action !== undefined)?.action ?? 'typing';
}

function keyOf({ chat, topic }: Place): string {
  return `${chat}:${topic ?? ''}`;
}
