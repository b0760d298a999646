/** The events of the local Telegram, for tests and the chat page. */
import { EventEmitter } from 'node:events';
import type { BotCommandScope, Chat, Message, ReactionType } from './objects.ts';

export interface ChatActionEvent {
  chat: Chat;
  action: string;
  threadId?: number;
}

export interface CallbackAnswer {
  text?: string;
  showAlert?: boolean;
  /** A link to the bot itself. */
  url?: string;
}

interface ReactionEvent {
  chat: Chat;
  messageId: number;
  fromId: number;
  reaction: ReactionType[];
}

export interface WorldEventMap {
  /** A new message, of either side. */
  message: [message: Message];
  /** The message as it now is. */
  edited: [message: Message];
  deleted: [message: Message];
  chatAction: [event: ChatActionEvent];
  /** The action faded after 5 s, or a message took its place. */
  chatActionEnded: [event: ChatActionEvent];
  /** An ephemeral message, new, edited or deleted. */
  ephemeral: [event: { message: Message; change: 'message' | 'edited' | 'deleted' }];
  commands: [event: { scope: BotCommandScope; languageCode: string }];
  reaction: [event: ReactionEvent];
  /** Who is in the chat, its topics, what is allowed in it, or what the bot says of itself there. */
  chat: [chat: Chat];
  /** With each of the others, with each Bot API call's arrival and answer, and when updates are confirmed. */
  change: [];
}

const CHANGES = [
  'message',
  'edited',
  'deleted',
  'chatAction',
  'chatActionEnded',
  'ephemeral',
  'commands',
  'reaction',
  'chat',
] as const;

/** A typed EventEmitter in which every event also emits `change`; the state has changed before listeners are called. */
export class WorldEvents extends EventEmitter<WorldEventMap> {
  constructor() {
    super();
    this.setMaxListeners(0);
    for (const name of CHANGES) this.on(name, () => this.emit('change'));
  }
}
