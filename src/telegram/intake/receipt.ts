/** Parses an update at its receipt: its intent, and how it is queued (lane, album, callback query). */
import { hash } from 'node:crypto';
import type * as Telegram from '@grammyjs/types';
import type { Message, Opts, UserFromGetMe } from 'telegraf/types';
import type { Log } from '../../log.ts';
import type { Cut, NewRequest } from '../../queue/request-row.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { callbackSenderId } from '../request/callback.ts';
import type { Vocabulary } from '../request/command.ts';
import { keyOfMessage } from '../request/ephemeral.ts';
import { copiedPost, senderId } from '../request/identity.ts';
import { callbackIntent, type Intent, messageIntent, repliedMessage, stopsWork } from '../request/intent.ts';
import { parseMessage } from '../request/parsed-message.ts';
import { isForwarded } from '../request/text-in.ts';
import {
  GUEST_KIND,
  hasKey,
  KINDS,
  normalised,
  type ParsedUpdate,
  POST_KINDS,
  parseUpdate,
  STOP_KIND,
  type UsableUpdate,
} from '../request/update.ts';

const ASKED_KINDS = [...KINDS, ...POST_KINDS, STOP_KIND];
/** The kinds of update that the bot asks Telegram for. Telegraf's types end at Bot API 7.1: hence the cast. */
export const ALLOWED_UPDATES = ASKED_KINDS as NonNullable<Opts<'getUpdates'>['allowed_updates']>;

/** A received update, parsed once for the queue and for everything beside the lanes. */
export interface Received {
  /** As Telegram sent it, of whatever kind. */
  readonly body: unknown;
  /** The same with well-formed text, and a channel's post as a message; undefined if the bot cannot use it. */
  readonly parsed: ParsedUpdate | undefined;
  /** Its intent, without its album; undefined for an edit, and for a message that came before `getMe` succeeded. */
  readonly intent: Intent | undefined;
  /** The request to queue; undefined if the bot cannot use the update, and for an inline query, whose answer would come too late. */
  readonly queued: NewRequest | undefined;
}

/** `receive` with the vocabulary and the bot's account. */
export type Receive = (body: unknown) => Received;

/**
 * Called for an update once it is in the queue and before it is handled, for work that must not wait in a lane. `isLate`: it comes from the
 * backlog at Telegram, so prompt work is pointless. `request`: the id of its request; undefined if it was not stored.
 */
export type OnReceived = (received: Received, isLate: boolean, request: number | undefined) => void;

/** Kinds that often concern others than this bot: a callback query of a game, a guest query of another bot. */
const NOT_ALL_OWN: ReadonlySet<string> = new Set(['callback_query', GUEST_KIND]);

/** Logs the kind of an update that the bot asked for and cannot use: its sender gets no answer. */
export function logUnusable(log: Pick<Log, 'warn' | 'debug'>, body: unknown): void {
  const kind = ASKED_KINDS.find((one) => hasKey(body, one));
  if (kind === undefined) return;
  log[NOT_ALL_OWN.has(kind) ? 'debug' : 'warn']({ kind }, 'skipped an update of unknown shape');
}

/** Parses an update at its receipt. `me` is undefined until `getMe` succeeds. */
export function receive(body: unknown, vocabulary: Vocabulary, me: UserFromGetMe | undefined): Received {
  const parsed = parseUpdate(normalised(body));
  if (parsed === undefined || parsed.kind === 'inline')
    return { body, parsed, intent: undefined, queued: undefined };
  const intent = parsed.kind === 'request' ? intentAtReceipt(parsed.update, vocabulary, me) : undefined;
  const route = parsed.kind === 'guest' ? { lane: senderId(parsed.message) } : routeOf(parsed, intent);
  const { update } = parsed;
  return { body, parsed, intent, queued: { updateId: update.update_id, body: update, ...route } };
}

function intentAtReceipt(
  update: UsableUpdate,
  vocabulary: Vocabulary,
  me: UserFromGetMe | undefined,
): Intent | undefined {
  if ('callback_query' in update) return callbackIntent(update.callback_query, vocabulary);
  if (!('message' in update) || me === undefined) return undefined;
  return messageIntent(update.message, [parseMessage(update.message, { ...vocabulary, me })]);
}

/** How a request is queued: its lane, its chat and message, its album, and the key that drops a repeated press. */
function routeOf(
  { update, chat }: ParsedUpdate & { kind: 'request' },
  intent: Intent | undefined,
): Pick<NewRequest, 'lane' | 'chat' | 'message' | 'album' | 'cut' | 'once' | 'isEdit'> {
  // An event about a chat is no person's request.
  if ('my_chat_member' in update) return { lane: String(chat.id) };
  if ('callback_query' in update) {
    const { from, message, data } = update.callback_query;
    const matched = intent?.kind === 'callback' ? intent.matched : undefined;
    // A client can send one tap as two callback queries with two update ids. Of two *Cancel*, the later stops more.
    const isOnce = intent === undefined || !stopsWork(intent);
    const once = isOnce ? boundedKey(`${from.id}:${keyOfMessage(message)}:${data}`) : undefined;
    return { lane: callbackSenderId({ from, chat }, matched), chat: chat.id, once };
  }
  const isEdit = 'edited_message' in update;
  const message: Message = isEdit ? update.edited_message : update.message;
  if (!isEdit && isUpgrade(message)) return { lane: String(chat.id) };
  // An ephemeral message has no id to match its edit by.
  const id = message.message_id === UNKNOWN_MESSAGE_ID ? undefined : message.message_id;
  const route = { lane: laneOf(message), chat: chat.id, message: id };
  if (isEdit) return { ...route, isEdit };
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  if (album !== undefined) return { ...route, album: boundedKey(`${chat.id}:${album}`) };
  return { ...route, cut: intent?.kind === 'text' && 'text' in message ? cutOf(message) : undefined };
}

/** Apps split a text at 4096 characters or at a good place before that, in UTF-16 units. */
const CUT_FROM = 3500;

/** When a forwarded message was written, in seconds since the epoch. Telegraf's types end at Bot API 7.1 and do not have it. */
function writtenAt(message: object): number | undefined {
  const { forward_origin: origin }: Partial<Telegram.Message> = message;
  return origin?.date;
}

/** A text as a possible piece of a longer one. Forwarded pieces belong together if they were written in the same minute. */
function cutOf(message: Message.TextMessage): Cut {
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  const minute = isForwarded(message) ? Math.floor((writtenAt(message) ?? 0) / 60) : undefined;
  const place = [message.chat.id, thread, minute].join(':');
  const isReply = repliedMessage(message) !== undefined;
  return { place, isLong: message.text.length >= CUT_FROM, isReply, sentAt: message.date };
}

/**
 * The lane of a person's message. The copy of a channel's post goes into that channel's lane: only after the channel's work is it known
 * what the bot has answered there, and which posts are its own (addressed.ts).
 */
function laneOf(message: Message): string {
  return senderId(copiedPost(message) ?? message);
}

/** Telegram's ids are far shorter. A longer key would not fit PostgreSQL's index, and would fail the whole batch. */
const MAX_KEY = 200;

function boundedKey(text: string): string {
  return text.length <= MAX_KEY ? text : hash('sha256', text, 'base64url');
}

/** Whether a message reports that a group has become a supergroup, in the old chat or the new one. */
function isUpgrade(message: Message): boolean {
  return 'migrate_to_chat_id' in message || 'migrate_from_chat_id' in message;
}
