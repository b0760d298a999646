/** The private chat of one person with the bot. */
import { type ApiError, forbidden } from './api-error.ts';
import type { ChatRoom } from './chat-room.ts';
import { MessageLog } from './message-log.ts';
import type { Chat, ChatMember, User } from './objects.ts';

export class PrivateRoom implements ChatRoom {
  readonly chat: Chat;
  readonly log = new MessageLog();
  readonly topics = undefined;
  readonly #user: User;
  readonly #bot: User;
  forbidsVoice: boolean;
  /** The person blocked the bot. */
  blocked = false;

  constructor(user: User, bot: User, forbidsVoice: boolean) {
    this.#user = user;
    this.#bot = bot;
    this.forbidsVoice = forbidsVoice;
    const { id, first_name, last_name, username } = user;
    this.chat = {
      id,
      type: 'private',
      first_name,
      ...(last_name !== undefined && { last_name }),
      ...(username !== undefined && { username }),
    };
  }

  refusal(): ApiError | undefined {
    return this.blocked ? forbidden('bot was blocked by the user') : undefined;
  }

  botSees(): boolean {
    return !this.blocked;
  }

  botIsAdmin(): boolean {
    return false;
  }

  members(): ChatMember[] {
    return [
      { status: 'member', user: this.#user },
      { status: 'member', user: this.#bot },
    ];
  }
}
