/** The messages of one chat, in order; each is an immutable snapshot that an edit replaces. */
import type { Message, ReactionType } from './objects.ts';

export class MessageLog {
  readonly #messages = new Map<number, Message>();
  readonly #closedToEdits = new Set<number>();
  /** By message id, then by who reacted. */
  readonly #reactions = new Map<number, Map<number, ReactionType[]>>();

  /** Adds a message, or puts its edited form in its place. */
  put(message: Message): void {
    this.#messages.set(message.message_id, message);
  }

  /** Finds a message. */
  get(messageId: number): Message | undefined {
    return this.#messages.get(messageId);
  }

  /** False when there was none. */
  remove(messageId: number): boolean {
    this.#reactions.delete(messageId);
    return this.#messages.delete(messageId);
  }

  /** The bot can edit this message no more. */
  closeToEdits(messageId: number): void {
    this.#closedToEdits.add(messageId);
  }

  isClosedToEdits(messageId: number): boolean {
    return this.#closedToEdits.has(messageId);
  }

  /** Replaces a person's reactions; returns the former ones. */
  react(messageId: number, fromId: number, reaction: ReactionType[]): ReactionType[] {
    const all = this.#reactions.get(messageId) ?? new Map<number, ReactionType[]>();
    const before = all.get(fromId) ?? [];
    all.set(fromId, reaction);
    this.#reactions.set(messageId, all);
    return before;
  }

  /** Everyone's reactions to a message. */
  reactions(messageId: number): ReactionType[] {
    return [...(this.#reactions.get(messageId)?.values() ?? [])].flat();
  }

  /** All messages, oldest first. */
  all(): Message[] {
    return [...this.#messages.values()];
  }

  /**
   * The message as an update or an answer shows it: the message replied to as it is now, one level deep, absent
   * when it was deleted. Of a channel's posts only the channel is shown, not who has written them.
   */
  asShown(message: Message): Message {
    const { reply_to_message: replied, ...rest } = withoutAuthor(message);
    if (replied === undefined) return rest;
    const now = this.#messages.get(replied.message_id);
    return now === undefined ? rest : { ...rest, reply_to_message: withoutReply(withoutAuthor(now)) };
  }
}

function withoutAuthor(message: Message): Message {
  if (message.chat.type !== 'channel') return message;
  const { from: _, ...post } = message;
  return { ...post, sender_chat: message.chat };
}

/** The message without the message that it replies to: what `reply_to_message` holds. */
export function withoutReply(message: Message): Message {
  const { reply_to_message: _, ...rest } = message;
  return rest;
}
