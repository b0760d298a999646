/**
 * The JSON protocol of the page and its server. Messages, chats, people and entities are Telegram's objects (snake_case); our own are
 * camelCase. `GET /api/events` sends events (Server-Sent Events); every connection begins with a `snapshot`, so none is missed.
 */
import { z } from 'zod';
import { type Bill, CALL_KINDS, type CallKind } from '../service/call-log.ts';
import type { MessageDraft } from '../telegram/events.ts';
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
  /** Also the name under `/api/samples/`. */
  readonly name: string;
  readonly label: string;
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
  /** By chat id: the bot's draft. */
  readonly drafts: Readonly<Record<string, MessageDraft | null>>;
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
  /** The bot's draft in a private chat; `null` once it is over. */
  | { readonly type: 'draft'; readonly chatId: number; readonly draft: MessageDraft | null }
  /** The bot registered other commands: `GET /api/commands?chatId&personId` returns those that apply. */
  | { readonly type: 'commands' }
  | { readonly type: 'paid'; readonly paid: Bill }
  | { readonly type: 'faults'; readonly faults: PageFaults };

/** The answer to `POST /api/inline-queries`; `queryId` names it in `inline-choices`. */
export interface InlineResults {
  readonly queryId: string;
  readonly results: readonly InlineResult[];
  /** The button over the results: it opens the chat with the bot, with a parameter for /start. */
  readonly button?: InlineQueryResultsButton;
}

const id = z.number().int();
/** Ids in addresses and forms are text. */
const idText = z
  .string()
  .regex(/^-?\d+$/)
  .transform(Number);

/**
 * Who acts where; `replyTo` is a message id of that chat, `threadId` a topic of it, `quote` the part of the message that is
 * replied to, which begins at `quotePosition` (UTF-16 code units).
 */
const place = {
  personId: id,
  chatId: id,
  replyTo: id.optional(),
  threadId: id.optional(),
  quote: z.string().optional(),
  quotePosition: id.optional(),
};

/** `POST /api/messages`; answered with the messages that the text became. */
export const textToSend = z.object({ ...place, text: z.string() });

/** `POST /api/others`: a sticker, a contact, a place, or one of the sample posts (sample-posts.ts). */
export const otherToSend = z.object({
  ...place,
  kind: z.enum(['sticker', 'contact', 'location', 'poll', 'checklist', 'rich']),
});

/** `POST /api/samples` */
export const sampleToSend = z.object({ ...place, name: z.string(), caption: z.string().optional() });

/** The size (pixels) and length (seconds) of a video, as the browser reports them. */
const videoFrame = z.object({ width: id.positive(), height: id.positive(), duration: z.number().min(0) });

/**
 * The fields of `POST /api/uploads` (multipart), followed by its files; several make an album. `videos` is JSON: for each file
 * its frame where it goes out as a video, else null.
 */
export const uploadFields = z.object({
  personId: idText,
  chatId: idText,
  replyTo: idText.optional(),
  threadId: idText.optional(),
  quote: z.string().optional(),
  quotePosition: idText.optional(),
  caption: z.string().optional(),
  videos: z
    .string()
    .transform((json): unknown => JSON.parse(json))
    .pipe(z.array(videoFrame.nullable()))
    .default([]),
  asFile: z.enum(['true', 'false']).default('false'),
});
export type UploadFields = z.infer<typeof uploadFields>;

/** `/api/chats/:chatId/messages/:messageId` */
export const messageAddress = z.object({ chatId: idText, messageId: idText });

/** `PATCH` there: changes the text or caption of one's own message. */
export const edit = z.object({ personId: id, text: z.string() });

/** `DELETE` there. */
export const removal = z.object({ personId: id });

/** `POST …/forwards` there: forwards into another chat, an album as a whole; answered with the new messages. */
export const forward = z.object({ personId: id, toChatId: id, threadId: id.optional() });

/** `PUT …/reaction` there; without an emoji it removes the reaction. */
export const reaction = z.object({ personId: id, emoji: z.string().optional() });

/** `POST …/presses` there; answered when the bot answers: `{ text?, showAlert?, url? }`. */
export const press = z.object({ personId: id, data: z.string() });

/** `GET /api/commands` */
export const commandsQuery = z.object({ chatId: idText, personId: idText });

/** `POST /api/draft-stops`: stops the bot's draft in the person's private chat. */
export const draftStop = z.object({ personId: id });

/** `POST /api/inline-queries` */
export const inlineQuestion = z.object({ personId: id, chatId: id, query: z.string().max(256) });

/** `POST /api/inline-choices` */
export const inlineChoice = z.object({ ...place, queryId: z.string(), resultId: z.string() });

/** `PUT /api/service-faults` */
export const serviceFault = z.object({
  kind: z.enum(CALL_KINDS),
  fault: z.string().nullable(),
});

/** `PUT /api/telegram-faults`: only the switches that change. */
export const telegramFaults = z.object({ slow: z.boolean().optional(), flood: z.boolean().optional() });
