/**
 * What the server tells the page, as JSON. Messages, chats, people and entities are Telegram's objects (snake_case); our own are
 * camelCase. `GET /api/events` sends events (Server-Sent Events); every connection begins with a `snapshot`, so none is missed.
 */
import type { Bill, CallKind } from '../service/call-log.ts';
import type {
  BotUser,
  Chat,
  InlineQueryResultsButton,
  InlineResult,
  MemberStatus,
  Message,
  User,
} from '../telegram/objects.ts';
import type { Topic } from '../telegram/topics.ts';

interface PageMember {
  readonly id: number;
  readonly status: MemberStatus;
  /** Writes in the name of the group. */
  readonly isAnonymous: boolean;
}

/** A chat with its present members, the bot included; a private chat has the id of its person. */
export interface PageChat extends Pick<Chat, 'id' | 'type' | 'title' | 'is_forum'> {
  readonly members: readonly PageMember[];
  /** Of a forum, besides General. */
  readonly topics: readonly Topic[];
  /** Of a forum: only its admins write in General. */
  readonly isGeneralClosed?: boolean;
  /** The supergroup that the group became. */
  readonly upgradedTo?: number;
  /** In a private chat: what the bot says of itself, in the person's language. */
  readonly description?: string;
  /** In a private chat: the person blocks the bot, or refuses voice messages. */
  readonly blocksBot: boolean;
  readonly forbidsVoice: boolean;
}

export interface PageSample {
  readonly name: string;
  readonly label: string;
  /** The name of the file, which is under `/samples/`. */
  readonly file: string;
  /** The file to show instead, for one that is no picture. */
  readonly preview?: string;
  /** The caption, unless the person writes one; may be empty. */
  readonly caption: string;
  /** Of a film, as a client reports it: pixels, and seconds. */
  readonly film?: { readonly width: number; readonly height: number; readonly duration: number };
}

/** The switches for failures, as they stand. */
export interface PageFaults {
  readonly service: ReadonlyArray<{
    readonly kind: CallKind;
    /** The id of the fault that every call of the kind meets; `null`: the service works. */
    readonly current: string | null;
    readonly options: ReadonlyArray<{ readonly id: string; readonly label: string }>;
  }>;
  readonly telegram: { readonly slow: boolean; readonly flood: boolean };
}

export interface Snapshot {
  readonly bot: BotUser;
  readonly people: readonly User[];
  readonly chats: readonly PageChat[];
  /** By chat id, oldest first; an ephemeral one has a negative `message_id`. */
  readonly messages: Readonly<Record<string, readonly Message[]>>;
  /** By chat id, then by message id: the emoji. */
  readonly reactions: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
  readonly samples: readonly PageSample[];
  readonly paid: Bill;
  readonly faults: PageFaults;
}

export type PageEvent =
  | { readonly type: 'snapshot'; readonly snapshot: Snapshot }
  | { readonly type: 'message' | 'edited'; readonly chatId: number; readonly message: Message }
  | { readonly type: 'deleted'; readonly chatId: number; readonly messageId: number }
  /** Who is in the chat, its topics, what is allowed in it, or what the bot says of itself there. */
  | { readonly type: 'chat'; readonly chat: PageChat }
  | {
      readonly type: 'reactions';
      readonly chatId: number;
      readonly messageId: number;
      readonly emoji: readonly string[];
    }
  /** `null`: the action has ended. Without `threadId`: outside of any topic. */
  | {
      readonly type: 'action';
      readonly chatId: number;
      readonly threadId?: number;
      readonly action: string | null;
    }
  /** The bot registered other commands: the action `commands` returns those that apply. */
  | { readonly type: 'commands' }
  | { readonly type: 'paid'; readonly paid: Bill }
  | { readonly type: 'faults'; readonly faults: PageFaults };

/** The answer to `inlineQuery`; `queryId` names it in `chooseInline`. */
export interface InlineResults {
  readonly queryId: string;
  readonly results: readonly InlineResult[];
  /** The button over the results: it opens the chat with the bot, with a parameter for /start. */
  readonly button?: InlineQueryResultsButton;
}
