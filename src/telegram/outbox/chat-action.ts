/** The chat action of one request: shown in time, renewed, and never after the answer. */
import type { Chat, Opts } from 'telegraf/types';

export type Action = Opts<'sendChatAction'>['action'];

/**
 * Skip the action for quick work: it would arrive after the answer. With the network's latency this still shows the first sign of life
 * within 300 ms. A message removes the action and may be the answer, so the same wait follows it. In ms.
 */
const SHOW_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** Skip a changed action for quick work, too. A message that takes longer than this is being uploaded or held up. In ms. */
const SHOW_AGAIN_AFTER_MS = 500;
/** How long a message waits for an action that was sent before it, in ms: most arrive by then. */
const PATIENCE_MS = 100;

/** Channels and their direct messages have no chat actions (Bot API), and others should not notice an ephemeral message. */
export function takesChatAction(
  chat: Chat,
  { direct_messages_topic_id: direct }: { readonly direct_messages_topic_id?: number | undefined },
  isEphemeral: boolean,
): boolean {
  return chat.type !== 'channel' && direct === undefined && !isEphemeral;
}

export class ChatAction {
  /** Sends an action; never rejects. */
  readonly #send: (action: Action) => Promise<void>;
  #action: Action = 'typing';
  #timer: NodeJS.Timeout | undefined;
  /** When the next action is due, in ms of `performance.now()`; undefined while none is due. */
  #dueAt: number | undefined;
  /** The action shown last, until a message removes it. */
  #shown: Action | undefined;
  /** Resolves when the action in flight has arrived or was refused. */
  #arrival: Promise<void> | undefined;

  constructor(send: (action: Action) => Promise<void>) {
    this.#send = send;
  }

  /** Shows an action from now on, unless the work ends within a moment. */
  show(action: Action): void {
    this.#action = action;
    if (this.#dueAt === undefined) this.#schedule(SHOW_AFTER_MS);
    else if (this.#shown !== undefined && this.#shown !== action)
      this.#schedule(Math.min(this.#dueAt - performance.now(), SHOW_AGAIN_AFTER_MS));
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#dueAt = undefined;
  }

  /**
   * Sends a message, or an edit, after the action in flight. The next action follows after a pause, since the work may end with the
   * message.
   */
  async during<T>(sending: () => Promise<T>): Promise<T> {
    if (this.#dueAt === undefined) return sending();
    this.#schedule(SHOW_AGAIN_AFTER_MS);
    if (this.#arrival !== undefined) {
      const enough = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS));
      await Promise.race([this.#arrival, enough]);
    }
    try {
      return await sending();
    } finally {
      this.#shown = undefined;
      if (this.#dueAt !== undefined) this.#schedule(SHOW_AFTER_MS);
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#dueAt = performance.now() + ms;
    this.#timer = setTimeout(() => this.#showNow(), ms).unref();
  }

  #showNow(): void {
    this.#shown = this.#action;
    const arrival = this.#send(this.#action).finally(() => {
      if (this.#arrival === arrival) this.#arrival = undefined;
    });
    this.#arrival = arrival;
    this.#schedule(RENEW_AFTER_MS);
  }
}
