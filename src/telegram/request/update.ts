/** Parses updates: the bot can use those of the kinds that it asks for. */
import type { CallbackQuery, Chat, InlineQuery, Message, Update, User } from 'telegraf/types';
import { z } from 'zod';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';

/**
 * What is checked of an update: whose it is and where, since one that the queue could not store would hold up all others. Of the rest,
 * Telegram's types are believed; Bot API 10.0's guests are not in Telegraf's.
 */
const chat = z.looseObject({ id: z.int(), type: z.enum(['private', 'group', 'supergroup', 'channel']) });
const user = z.looseObject({ id: z.int() });
const message = z.looseObject({ message_id: z.int(), date: z.int(), chat, from: user.optional() });

/** A mention of the bot in a chat where it is a guest. */
const GUEST_KIND = 'guest_message';

const SHAPES = {
  message,
  // All of the bot's buttons are under messages: one under an inline message, or a game's, is not its own.
  callback_query: z.looseObject({ id: z.string(), from: user, message, data: z.string() }),
  my_chat_member: z.looseObject({ chat, from: user }),
  [GUEST_KIND]: message.extend({ from: user, guest_query_id: z.string().min(1) }),
  inline_query: z.looseObject({ id: z.string(), from: user, query: z.string() }),
};

type Kind = keyof typeof SHAPES;
const KINDS = Object.keys(SHAPES) as Kind[];

/** The kinds that the bot treats as messages: an edit is the same message again, and a channel's post names its chat as a channel. */
const MESSAGE_KINDS = ['edited_message', 'channel_post', 'edited_channel_post'];

/** Says that a person has stopped a draft (Bot API 10.3). */
const STOP_KIND = 'stopped_message_generation';

export const ASKED_KINDS = [...KINDS, ...MESSAGE_KINDS, STOP_KIND];

type UsableCallbackQuery = CallbackQuery.DataQuery & { message: Message };

type UsableUpdate =
  | Update.MessageUpdate
  | Update.CallbackQueryUpdate<UsableCallbackQuery>
  | Update.MyChatMemberUpdate;

/** The message that mentions the bot. Its chat is not one of the bot's, though it may have the same id as one of them. */
export type GuestMessage = Message & { readonly from: User; readonly guest_query_id: string };

interface GuestUpdate {
  readonly update_id: number;
  readonly [GUEST_KIND]: GuestMessage;
}

export type ParsedUpdate =
  | {
      readonly kind: 'request';
      /** Of Telegraf's types, so that handlers can take it. */
      readonly update: UsableUpdate;
      readonly from: User | undefined;
      readonly chat: Chat;
      /** The message that they wrote, or whose button they pressed; undefined for what asks for nothing. */
      readonly message: Message | undefined;
    }
  | { readonly kind: 'guest'; readonly update: GuestUpdate; readonly message: GuestMessage }
  | { readonly kind: 'inline'; readonly query: InlineQuery };

export function isUpdate(body: unknown): body is { update_id: number } {
  return hasKey(body, 'update_id') && Number.isSafeInteger(body.update_id);
}

/** Whether this update, as it comes from Telegram, is an edit. */
export function isEdit(body: unknown): boolean {
  return hasKey(body, 'edited_message') || hasKey(body, 'edited_channel_post');
}

/** Parses a `normalised` update. Undefined for updates that the bot ignores. */
export function parseUpdate(body: unknown): ParsedUpdate | undefined {
  if (!isUsable(body)) return undefined;
  if ('inline_query' in body) return { kind: 'inline', query: body.inline_query };
  if (GUEST_KIND in body) return { kind: 'guest', update: body, message: body[GUEST_KIND] };
  if ('my_chat_member' in body)
    return { kind: 'request', update: body, ...body.my_chat_member, message: undefined };
  const { from, message } =
    'message' in body ? { from: body.message.from, message: body.message } : body.callback_query;
  return { kind: 'request', update: body, from, chat: message.chat, message };
}

export function kindOf(update: unknown): Kind | undefined {
  return KINDS.find((one) => hasKey(update, one));
}

export function updatesIn(parsed: readonly (ParsedUpdate | undefined)[]): UsableUpdate[] {
  return parsed.flatMap((one) => (one?.kind === 'request' ? one.update : []));
}

function isUsable(body: unknown): body is UsableUpdate | GuestUpdate | Update.InlineQueryUpdate {
  const kind = kindOf(body);
  if (kind === undefined || !isUpdate(body) || !hasKey(body, kind)) return false;
  return SHAPES[kind].safeParse(body[kind]).success;
}

/** Whether JSON is an object with this key, whatever its value. */
export function hasKey<Key extends string>(json: unknown, key: Key): json is Readonly<Record<Key, unknown>> {
  return typeof json === 'object' && json !== null && key in json;
}

/** The same JSON, well-formed; edits and posts as messages, a stopped draft as *Cancel*. Throws for a stopped draft of unknown shape. */
export function normalised(json: unknown): unknown {
  const update = wellFormed(json);
  if (hasKey(update, STOP_KIND)) {
    const { [STOP_KIND]: stop, ...rest } = update;
    return { ...rest, callback_query: cancelInstead(stop) };
  }
  for (const kind of MESSAGE_KINDS) {
    if (!hasKey(update, kind)) continue;
    const { [kind]: message, ...rest } = update;
    return { ...rest, message };
  }
  return update;
}

/** Puts `�` for half a surrogate pair, which has no UTF-8, and for NUL, which PostgreSQL refuses; so entity offsets stay right. */
function wellFormed(json: unknown): unknown {
  return JSON.parse(JSON.stringify(json), (_key, value: unknown) =>
    typeof value === 'string' ? value.toWellFormed().replaceAll('\0', '\ufffd') : value,
  );
}

const stopped = z.object({ chat: z.object({ id: z.int(), first_name: z.string().default('') }) });

/** Stopping a draft means *Cancel*: a draft has no progress message with that button (outbox/progress.ts). */
function cancelInstead(stop: unknown): object {
  const { chat } = stopped.parse(stop);
  // Telegram no longer shows the draft.
  const message = { message_id: UNKNOWN_MESSAGE_ID, date: 0, chat: { ...chat, type: 'private' } };
  const from = { ...chat, is_bot: false };
  return { id: '', from, message, chat_instance: '', data: `cancel:${chat.id}` };
}
