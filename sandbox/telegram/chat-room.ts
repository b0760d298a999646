/** One chat as the server sees it: its messages, and what the bot may do and see in it. */
import type { ApiError } from './api-error.ts';
import type { MessageLog } from './message-log.ts';
import type { Chat, ChatMember, Message } from './objects.ts';
import type { Topics } from './topics.ts';

export interface ChatRoom {
  readonly chat: Chat;
  readonly log: MessageLog;
  /** The topics of a forum; absent in every other kind of chat. */
  readonly forum: Topics | undefined;
  /** Everyone who is or was in the chat, the bot included. */
  readonly members: ChatMember[];
  /** The person's privacy setting: voice messages are refused. */
  readonly forbidsVoice: boolean;
  /** The bot is not in it, but may be asked there as a guest. */
  readonly isWithoutBot: boolean;
  /** Telegram also sends the bot its own posts. */
  readonly isEchoed: boolean;
  /** The group into which Telegram forwards a channel's posts. */
  readonly discussion: ChatRoom | undefined;
  /** The bot is an administrator here: it may delete others' messages and write in closed topics. */
  readonly botIsAdmin: boolean;
  /** In a channel the bot writes only with the right to post. */
  readonly botMayPost: boolean;
  /** Why the bot may not act here, if it may not. */
  refusal(): ApiError | undefined;
  /** Returns whether the bot gets an update of this message (membership, privacy mode). */
  botSees(message: Message): boolean;
}
