/** Mentions of the bot in chats that it is not in (Bot API 10.0): each can be answered once, in time, by one message. */
import { randomBytes, randomInt } from 'node:crypto';
import { badRequest } from './api-error.ts';
import type { ChatRoom } from './chat-room.ts';
import type { Message } from './objects.ts';

/** A message that mentions the bot, and where it stands. */
interface Summons {
  readonly room: ChatRoom;
  readonly message: Message;
  readonly askedAt: number;
}

/** How long Telegram accepts an answer. */
const LIFETIME_MS = 15_000;

export class GuestQueries {
  readonly #open = new Map<string, Summons>();
  readonly #now: () => Date;

  constructor(now: () => Date) {
    this.#now = now;
  }

  /** A new query's id. */
  ask(room: ChatRoom, message: Message): string {
    const id = `${randomInt(1, 2 ** 47)}${randomBytes(6).toString('hex')}`;
    this.#open.set(id, { room, message, askedAt: this.#now().getTime() });
    return id;
  }

  /** Takes the one answer to a query; throws ApiError for an unknown id, a second answer, and one too late. */
  take(id: string): Summons {
    const summons = this.#open.get(id);
    this.#open.delete(id);
    if (summons === undefined || this.#now().getTime() - summons.askedAt > LIFETIME_MS)
      throw badRequest('query is too old and response timeout expired or query ID is invalid');
    return summons;
  }
}
