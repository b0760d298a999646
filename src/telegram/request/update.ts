/** Parses updates: the bot can use those of the kinds that it asks for. */
import type { Chat, ChatMemberUpdated, InlineQuery, Message, Update, User } from 'telegraf/types';
import { z } from 'zod';

/**
 * What is checked of an update: whose it is and where, since one that the queue could not store would hold up all others. Of the rest,
 * Telegram's types are believed; Bot API 10.0's guests are not in Telegraf's.
 */
const chat = z.looseObject({ id: z.int(), type: z.enum(['private', 'group', 'supergroup', 'channel']) });
const user = z.looseObject({ id: z.int() });
const message = z.looseObject({ message_id: z.int(), date: z.int(), chat, from: user.optional() });

/** An optional field: Telegram's type `T` if it has this shape. */
function believed<T>(shape: z.ZodType) {
  return z.custom<T>((json) => shape.safeParse(json).success).optional();
}

const post = believed<Update.MessageUpdate['message']>(message);

/** The kinds that the bot asks for. */
const UPDATE = z.object({
  update_id: z.int(),
  message: post,
  // An edit is the same message again, and a channel's post names its chat as a channel.
  edited_message: post,
  channel_post: post,
  edited_channel_post: post,
  // All of the bot's buttons are under messages: one under an inline message, or a game's, is not its own.
  callback_query: believed<UsableCallbackQuery>(
    z.looseObject({ id: z.string(), from: user, message, data: z.string() }),
  ),
  my_chat_member: believed<ChatMemberUpdated>(z.looseObject({ chat, from: user })),
  guest_message: believed<GuestMessage>(message.extend({ from: user, guest_query_id: z.string().min(1) })),
  inline_query: believed<InlineQuery>(z.looseObject({ id: z.string(), from: user, query: z.string() })),
});

export const ASKED_KINDS = UPDATE.keyof().exclude(['update_id']).options;

export type UsableCallbackQuery = Update.CallbackQueryUpdate['callback_query'] & {
  readonly message: Message;
  readonly data: string;
};

export type UsableUpdate =
  | Update.MessageUpdate
  | Update.CallbackQueryUpdate<UsableCallbackQuery>
  | Update.MyChatMemberUpdate;

/** The message that mentions the bot. Its chat is not one of the bot's, though it may have the same id as one of them. */
export type GuestMessage = Message & { readonly from: User; readonly guest_query_id: string };

export type ParsedUpdate =
  | {
      readonly kind: 'request';
      /** Of Telegraf's types, so that handlers can take it; edits and posts as messages. */
      readonly update: UsableUpdate;
      readonly from: User | undefined;
      readonly chat: Chat;
      /** The message that they wrote, or whose button they pressed; undefined for what asks for nothing. */
      readonly message: Message | undefined;
      /** Whether it comes from Telegram as an edit; the queue stores it as a message. */
      readonly isEdit: boolean;
    }
  /** A mention of the bot in a chat where it is a guest. */
  | {
      readonly kind: 'guest';
      readonly update: { readonly update_id: number; readonly guest_message: GuestMessage };
      readonly message: GuestMessage;
    }
  | { readonly kind: 'inline'; readonly update: Update.InlineQueryUpdate };

/** Parses an update as it comes from Telegram, or as the queue stores it. Undefined for what the bot ignores or cannot read. */
export function parseUpdate(json: unknown): ParsedUpdate | undefined {
  const { data } = UPDATE.safeParse(json);
  if (data === undefined) return undefined;
  const { update_id, my_chat_member, callback_query, guest_message, inline_query } = data;
  if (inline_query !== undefined) return { kind: 'inline', update: { update_id, inline_query } };
  if (guest_message !== undefined)
    return { kind: 'guest', update: { update_id, guest_message }, message: guest_message };
  const request = { kind: 'request', isEdit: false } as const;
  if (my_chat_member !== undefined)
    return { ...request, update: { update_id, my_chat_member }, ...my_chat_member, message: undefined };
  if (callback_query !== undefined) {
    const { from, message } = callback_query;
    return { ...request, update: { update_id, callback_query }, from, chat: message.chat, message };
  }
  const edited = data.edited_message ?? data.edited_channel_post;
  const message = edited ?? data.message ?? data.channel_post;
  if (message === undefined) return undefined;
  const { from, chat } = message;
  return { ...request, update: { update_id, message }, from, chat, message, isEdit: edited !== undefined };
}

/** Which of the kinds that the bot asks for an update is, whatever its shape. */
export function kindOf(update: unknown): string | undefined {
  return ASKED_KINDS.find((kind) => Object.hasOwn(Object(update), kind));
}

/** The same JSON with `�` for half a surrogate pair, which has no UTF-8, and for NUL, which PostgreSQL refuses; so offsets stay right. */
export function wellFormed(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  );
}
