/** Parses updates: the bot can use those of the kinds that it asked for, if every field that it reads has the Bot API's shape. */
import type { CallbackQuery, Chat, Message, Update, User } from 'telegraf/types';
import { z } from 'zod';
import type { Asker } from '../../store/money/scopes.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { askerOf } from './identity.ts';

// Loose throughout: fields that the bot does not read may have any shape, so that a new Bot API breaks nothing.
const chat = z.looseObject({
  id: z.int(),
  type: z.enum(['private', 'group', 'supergroup', 'channel']),
  title: z.string().optional(),
});
const senderChat = z.looseObject({ id: z.int(), title: z.string().optional() });
const user = z.looseObject({
  id: z.int(),
  is_bot: z.boolean().optional(),
  // Telegraf's type promises it. A message without it is still answered: code that shows the name must allow for that.
  first_name: z.string().optional(),
  language_code: z.string().optional(),
});
const entities = z.array(
  z.union([
    z.looseObject({ type: z.literal('text_mention'), offset: z.int(), length: z.int(), user }),
    z
      .looseObject({ type: z.string(), offset: z.int(), length: z.int() })
      .refine(({ type }) => type !== 'text_mention'),
  ]),
);
const file = z.looseObject({
  file_id: z.string(),
  file_unique_id: z.string(),
  file_size: z.number().optional(),
});
const picture = {
  photo: z.array(file).min(1).optional(),
  document: file.extend({ file_name: z.string().optional(), mime_type: z.string().optional() }).optional(),
};
const forwardOrigin = z.union([
  z.looseObject({ type: z.literal('channel'), chat: z.looseObject({ id: z.int() }), message_id: z.int() }),
  z.looseObject({ type: z.string() }).refine(({ type }) => type !== 'channel'),
]);
/** Fields that hold text, besides `text` and `caption` (text-in.ts). */
const options = z.array(z.looseObject({ text: z.string() }));
const worded = {
  rich_message: z.looseObject({ blocks: z.array(z.unknown()) }).optional(),
  poll: z
    .looseObject({
      question: z.string(),
      description: z.string().optional(),
      description_entities: entities.optional(),
      options,
    })
    .optional(),
  checklist: z.looseObject({ title: z.string(), tasks: options }).optional(),
};
const buttons = z.array(z.array(z.looseObject({})));

const plainMessage = z.looseObject({
  message_id: z.int(),
  ephemeral_message_id: z.int().optional(),
  date: z.int(),
  chat,
  from: user.optional(),
  sender_chat: senderChat.optional(),
  via_bot: z.looseObject({ id: z.int() }).optional(),
  text: z.string().optional(),
  entities: entities.optional(),
  caption: z.string().optional(),
  caption_entities: entities.optional(),
  ...picture,
  ...worded,
  media_group_id: z.string().optional(),
  is_topic_message: z.boolean().optional(),
  message_thread_id: z.int().optional(),
  direct_messages_topic: z.looseObject({ topic_id: z.int() }).optional(),
  external_reply: z.looseObject({ ...picture, ...worded }).optional(),
  quote: z.looseObject({ text: z.string(), is_manual: z.boolean().optional() }).optional(),
  is_automatic_forward: z.boolean().optional(),
  forward_origin: forwardOrigin.optional(),
  migrate_to_chat_id: z.int().optional(),
  migrate_from_chat_id: z.int().optional(),
  reply_markup: z.looseObject({ inline_keyboard: buttons.optional() }).optional(),
});
/** The message replied to has no further `reply_to_message` (Bot API, Message). */
const message = plainMessage.extend({ reply_to_message: plainMessage.optional() });

const member = z.looseObject({ status: z.string(), is_member: z.boolean().optional() });

/** A mention of the bot in a chat where it is a guest (Bot API 10.0; not in Telegraf's types). */
const GUEST_KIND = 'guest_message';

const SHAPES = {
  message: z.object({ message }),
  edited_message: z.object({ edited_message: message }),
  callback_query: z.object({
    // All of the bot's buttons are under messages: one under an inline message, or a game's, is not its own.
    callback_query: z.looseObject({ id: z.string(), from: user, message, data: z.string() }),
  }),
  my_chat_member: z.object({
    my_chat_member: z.looseObject({
      chat,
      from: user,
      date: z.int(),
      old_chat_member: member,
      new_chat_member: member,
    }),
  }),
  [GUEST_KIND]: z.object({
    [GUEST_KIND]: message.extend({ from: user, guest_query_id: z.string().min(1) }),
  }),
  inline_query: z.object({
    inline_query: z.looseObject({
      id: z.string(),
      from: z.looseObject({
        id: z.number(),
        username: z.string().optional(),
        language_code: z.string().optional(),
      }),
      query: z.string(),
    }),
  }),
};

type Kind = keyof typeof SHAPES;
const KINDS = Object.keys(SHAPES) as Kind[];

/** Channel posts, and the kinds as which the bot treats them. */
const POSTS = { channel_post: 'message', edited_channel_post: 'edited_message' } as const;

/** Says that a person has stopped a draft (Bot API 10.3). */
const STOP_KIND = 'stopped_message_generation';

/** The kinds of update that the bot asks Telegram for. */
export const ASKED_KINDS = [...KINDS, ...Object.keys(POSTS), STOP_KIND];

type UsableCallbackQuery = CallbackQuery.DataQuery & { message: Message };

export type UsableUpdate =
  | Update.MessageUpdate
  | Update.EditedMessageUpdate
  | Update.CallbackQueryUpdate<UsableCallbackQuery>
  | Update.MyChatMemberUpdate;

/** The message that mentions the bot. Its chat is not one of the bot's, though it may have the same id as one of them. */
export type GuestMessage = Message & { readonly from: User; readonly guest_query_id: string };

interface GuestUpdate {
  readonly update_id: number;
  readonly [GUEST_KIND]: GuestMessage;
}

interface InlineUpdate {
  readonly update_id: number;
  readonly inline_query: ReceivedInlineQuery;
}

export type ReceivedInlineQuery = z.infer<(typeof SHAPES)['inline_query']>['inline_query'];

/** `asker`: who asks and where; undefined for an update that asks for nothing. */
export type ParsedUpdate = { readonly asker: Asker | undefined } & (
  | {
      /** For a handler of `bot.ts`. */
      readonly kind: 'request';
      /** Of Telegraf's types, so that handlers can take it. */
      readonly update: UsableUpdate;
      readonly from: User | undefined;
      readonly chat: Chat;
      /** The message that they wrote, or whose button they pressed. */
      readonly message: Message | undefined;
    }
  | { readonly kind: 'guest'; readonly update: GuestUpdate; readonly message: GuestMessage }
  | { readonly kind: 'inline'; readonly query: ReceivedInlineQuery }
);

/** Whether this is an update of any kind. */
export function isUpdate(body: unknown): body is { update_id: number } {
  return hasKey(body, 'update_id') && Number.isSafeInteger(body.update_id);
}

/** The kind of an update; undefined for other kinds, and for two kinds at once. */
export function kindOf(update: unknown): Kind | undefined {
  const [kind, ...more] = KINDS.filter((one) => hasKey(update, one));
  return more.length === 0 ? kind : undefined;
}

/** Parses a `normalised` update. Undefined for updates that the bot ignores. */
export function parseUpdate(body: unknown): ParsedUpdate | undefined {
  if (!isUsable(body)) return undefined;
  if ('inline_query' in body) {
    const { inline_query: query } = body;
    return { kind: 'inline', query, asker: { person: String(query.from.id), group: undefined } };
  }
  if (GUEST_KIND in body) {
    const { [GUEST_KIND]: message } = body;
    return { kind: 'guest', update: body, message, asker: { ...askerOf(message), group: undefined } };
  }
  const request = { kind: 'request', update: body } as const;
  if ('my_chat_member' in body)
    return { ...request, ...body.my_chat_member, message: undefined, asker: undefined };
  const message: Message =
    'callback_query' in body
      ? body.callback_query.message
      : 'message' in body
        ? body.message
        : body.edited_message;
  const { chat } = message;
  const from = 'callback_query' in body ? body.callback_query.from : message.from;
  return { ...request, from, chat, message, asker: askerOf({ from, chat }) };
}

function isUsable(body: unknown): body is UsableUpdate | GuestUpdate | InlineUpdate {
  const kind = kindOf(body);
  return kind !== undefined && isUpdate(body) && SHAPES[kind].safeParse(body).success;
}

/** Whether JSON is an object with this key, whatever its value. */
export function hasKey<Key extends string>(json: unknown, key: Key): json is Readonly<Record<Key, unknown>> {
  return typeof json === 'object' && json !== null && key in json;
}

/** A rich message has 16 levels of lists and formatting, each of up to four in JSON; much deeper JSON cannot even be serialised. */
const MAX_LEVELS = 80;

/**
 * The same JSON with well-formed text; with a channel's post as a message (its chat says that it is a channel), and a stopped draft as a
 * press of *Cancel*.
 */
export function normalised(json: unknown): unknown {
  const update = wellFormed(json, MAX_LEVELS);
  if (hasKey(update, STOP_KIND)) return stopAsCancel(update);
  for (const [kind, as] of Object.entries(POSTS)) {
    if (!hasKey(update, kind)) continue;
    const { [kind]: post, ...rest } = update;
    return { ...rest, [as]: post };
  }
  return update;
}

/**
 * Puts `�` for half a surrogate pair, which has no UTF-8, and for NUL, which PostgreSQL refuses; so entity offsets stay right. Cuts JSON
 * that is nested too deeply.
 */
function wellFormed(json: unknown, levels: number): unknown {
  if (typeof json === 'string') return json.toWellFormed().replaceAll('\0', '\ufffd');
  if (typeof json !== 'object' || json === null) return json;
  if (levels === 0) return null;
  if (Array.isArray(json)) return json.map((one) => wellFormed(one, levels - 1));
  return Object.fromEntries(Object.entries(json).map(([key, value]) => [key, wellFormed(value, levels - 1)]));
}

const stopped = z.looseObject({
  update_id: z.int(),
  [STOP_KIND]: z.looseObject({
    chat: z.looseObject({ id: z.int().positive(), first_name: z.string().default('') }),
  }),
});

/** Stopping a draft means *Cancel*: a draft has no progress message with that button (outbox/progress.ts). */
function stopAsCancel(json: unknown): unknown {
  const { data } = stopped.safeParse(json);
  if (data === undefined) return undefined;
  const { id, first_name } = data[STOP_KIND].chat;
  const from = { id, is_bot: false, first_name };
  const chat = { id, type: 'private', first_name };
  // Telegram no longer shows the draft.
  const message = { message_id: UNKNOWN_MESSAGE_ID, date: 0, chat };
  return {
    update_id: data.update_id,
    callback_query: { id: '', from, message, chat_instance: '', data: `cancel:${id}` },
  };
}
