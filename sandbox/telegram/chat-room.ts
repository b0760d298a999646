/** One chat as the server sees it: its messages, and what the bot may do and see in it. */
import type { ApiError } from './api-error.ts';
import type { MessageLog } from './message-log.ts';
import type { Chat, ChatMember, Message } from './objects.ts';
import type { Topics } from './topics.ts';

export interface ChatRoom {
  readonly chat: Chat;
  readonly log: MessageLog;
  /** Forum topics; absent in every other kind of chat. */
  readonly topics: Topics | undefined;
  /** The person's privacy setting: voice messages are refused. */
  readonly forbidsVoice: boolean;
  /** The bot is not in it, but may be asked there as a guest. */
  readonly isWithoutBot?: boolean;
  /** Telegram also sends the bot its own posts. */
  readonly isEchoed?: boolean;
  /** The group into which Telegram forwards a channel's posts. */
  readonly discussion?: ChatRoom | undefined;
  /** Why the bot may not act here, if it may not. */
  refusal(): ApiError | undefined;
  /** Returns whether the bot gets an update of this message (membership, privacy mode). */
  botSees(message: Message): boolean;
  /** Whether the bot is an administrator here: it may delete others' messages and write in closed topics. */
  botIsAdmin(): boolean;
  /** Everyone in the chat, the bot included. */
  members(): ChatMember[];
}
