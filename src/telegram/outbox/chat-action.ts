/** The chat action of one request: shown in time, renewed, and never after the answer. */
import type { Chat, Opts } from 'telegraf/types';

type Action = Opts<'sendChatAction'>['action'];

/**
 * Skip the action for quick work: it would arrive after the answer. With the network's latency this still shows the first sign of life
 * within 300 ms. A message removes the action and may be the answer, so the same wait follows it. In ms.
 */
const SHOW_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** A message that takes longer than this is being uploaded or held up. In ms. */
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
  /** Undefined while none is shown. */
  #timer: NodeJS.Timeout | undefined;
  /** Resolves when the last action has arrived or was refused. */
  #arrival: Promise<void> = Promise.resolve();

  constructor(send: (action: Action) => Promise<void>) {
    this.#send = send;
  }

  /** Shows an action from now on, unless the work ends within a moment; in place of another with its next renewal. */
  show(action: Action): void {
    this.#action = action;
    if (this.#timer === undefined) this.#schedule(SHOW_AFTER_MS);
  }

  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Sends a message, or an edit, after the action in flight. The next action follows after a pause: the work may end with it. */
  async during<T>(sending: () => Promise<T>): Promise<T> {
    if (this.#timer === undefined) return sending();
    this.#schedule(SHOW_AGAIN_AFTER_MS);
    const enough = new Promise<void>((resolve) => void setTimeout(resolve, PATIENCE_MS));
    await Promise.race([this.#arrival, enough]);
    try {
      return await sending();
    } finally {
      if (this.#timer !== undefined) this.#schedule(SHOW_AFTER_MS);
    }
  }

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => {
      this.#arrival = this.#send(this.#action);
      this.#schedule(RENEW_AFTER_MS);
    }, ms).unref();
  }
}
