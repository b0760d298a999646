/** The chat actions of this process: wherever somebody waits, one is shown in time, renewed, and never after the answer. */
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
 * Work that ends sooner needs no chat action: it would cross the answer on its way. Together with the way to Telegram this shows the first
 * sign of life within 300 ms. The same wait follows a message, which removes the action: it may have been the answer. In ms.
 */
const SHOW_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s; renewed a little earlier, it never fades. In ms. */
const RENEW_AFTER_MS = 4500;
/** A changed action is shown after this time, in ms: work that ends sooner is not worth another call. */
const SHOW_CHANGE_AFTER_MS = 500;
/** After this time, in ms, a message on its way is being uploaded or held up, so actions are shown again. */
const LONG_ON_ITS_WAY_MS = 500;
/** How long a message waits for an action that was sent before it, in ms: most arrive by then. */
const PATIENCE_MS = 100;

interface OneWaiting {
  /** Undefined if any will do. */
  action: ChatAction | undefined;
}

interface Shown {
  readonly place: Place;
  /** The latest comes last. */
  readonly waiting: Set<OneWaiting>;
  /** When the next action is due, in ms of `performance.now()`. */
  dueAt: number;
  timer: NodeJS.Timeout | undefined;
  /** The action shown last, until a message removes it. */
  current: ChatAction | undefined;
  /** Resolves when the action on its way has arrived or was refused. */
  arrival: Promise<void> | undefined;
}

/** The promise that `send` gives must not reject. */
export class ChatActions {
  readonly #shown = new Map<string, Shown>();
  readonly #send: (place: Place, action: ChatAction) => Promise<void>;

  constructor(send: (place: Place, action: ChatAction) => Promise<void>) {
    this.#send = send;
  }

  /** Begins to show an action; without one, that of another waiting in the same place, or `typing`. */
  begin(place: Place, action?: ChatAction): Waiting {
    const known = this.#shown.get(keyOf(place));
    const shown = known ?? this.#begin(place);
    const mine: OneWaiting = { action };
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

  /** Shows an action once, at once. */
  showOnce(place: Place): void {
    void this.#send(place, 'typing');
  }

  #end(shown: Shown, one: OneWaiting): void {
    shown.waiting.delete(one);
    if (shown.waiting.size > 0) return;
    clearTimeout(shown.timer);
    if (this.#shown.get(keyOf(shown.place)) === shown) this.#shown.delete(keyOf(shown.place));
  }

  /**
   * Sends a message, or an edit, once an action sent before it has arrived. No action follows closely, since the wait may end with the
   * message.
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
        // A message removes the action. An edit does not: the next action stays due as before, unless it was shown meanwhile.
        if (!isEdit) shown.current = undefined;
        const due = shown.dueAt === heldUntil ? dueAt : shown.dueAt;
        this.#schedule(shown, isEdit ? Math.max(due, inMs(SHOW_AFTER_MS)) : inMs(SHOW_AFTER_MS));
      }
    }
  }

  /** The places concerned: for an edit, whose topic is unknown, all of its chat. */
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
    shown.timer = setTimeout(() => this.#show(shown), dueAt - performance.now());
    shown.timer.unref();
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
