/** The messages of one chat, in order; each is an immutable snapshot that an edit replaces. */
import type { Message } from './objects.ts';

export class MessageLog {
  readonly #messages = new Map<number, Message>();

  /** Adds a message, or puts its edited form in its place. */
  put(message: Message): void {
    this.#messages.set(message.message_id, message);
  }

  /** The message as it now is. */
  get(messageId: number): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** False when there was none. */
  remove(messageId: number): boolean {
    return this.#messages.delete(messageId);
  }

  /** All messages, oldest first. */
  all(): Message[] {
    return [...this.#messages.values()];
  }

  /**
   * The message as an update or an answer shows it: the message replied to as it is now, one level deep, absent
   * when it was deleted.
   */
  asShown(message: Message): Message {
    const { reply_to_message: replied, ...rest } = message;
    if (replied === undefined) return rest;
    const now = this.#messages.get(replied.message_id);
    return now === undefined ? rest : { ...rest, reply_to_message: withoutReply(now) };
  }
}

/** The message without the message that it replies to: what `reply_to_message` holds. */
export function withoutReply(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
