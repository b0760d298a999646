/** Parses an update at its receipt: its intent, and how it is queued (lane, album, callback query). */
import type * as Telegram from '@grammyjs/types';
import type { Message, Opts } from 'telegraf/types';
import type { Cut, NewRequest } from '../../queue/request-row.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { callbackSenderId } from '../request/callback.ts';
import type { ParserDeps } from '../request/command.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import { copiedPost, isAnotherBot, senderId } from '../request/identity.ts';
import { type Intent, intentOf, repliedMessage, stopsWork } from '../request/intent.ts';
import { type ParsedMessage, parseMessage } from '../request/parsed-message.ts';
import { isForwarded } from '../request/text-in.ts';
import { ASKED_KINDS, normalised, type ParsedUpdate, parseUpdate } from '../request/update.ts';

/** Telegraf's types end at Bot API 7.1: hence the cast. */
export const ALLOWED_UPDATES = [...ASKED_KINDS] as NonNullable<Opts<'getUpdates'>['allowed_updates']>;

/** A received update, parsed once for the queue and for everything beside the lanes. */
export interface Received {
  /** As Telegram sent it, of whatever kind. */
  readonly body: unknown;
  /** The same with well-formed text, and a channel's post as a message; undefined if the bot cannot use it. */
  readonly parsed: ParsedUpdate | undefined;
  /** Its message, without its album; undefined for a press and an edit. */
  readonly part: ParsedMessage | undefined;
  /** Its intent, as far as `part` shows it. */
  readonly intent: Intent;
  /** The request to queue; undefined if the bot cannot use the update, and for an inline query, whose answer would come too late. */
  readonly queued: NewRequest | undefined;
}

/** Parses an update at its receipt. */
export function receive(body: unknown, deps: ParserDeps): Received {
  const parsed = parseUpdate(normalised(body));
  const received = { body, parsed, part: undefined, intent: { kind: 'other' }, queued: undefined } as const;
  if (parsed === undefined || parsed.kind === 'inline') return received;
  const { update } = parsed;
  const queued = { updateId: update.update_id, body: update };
  if (parsed.kind === 'guest') {
    const { message } = parsed;
    // Ignore other bots (two that answer each other would never stop) and forwarded mentions.
    if (isAnotherBot(message.from) || isForwarded(message)) return received;
    return { ...received, queued: { ...queued, lane: senderId(message) } };
  }
  const part = 'message' in update ? parseMessage(update.message, deps) : undefined;
  const intent = intentOf(parsed.update, part === undefined ? [] : [part], deps);
  return { ...received, part, intent, queued: { ...queued, ...routeOf(parsed, intent) } };
}

/** How a request is queued: its lane, its chat and message, its album, and the key that drops a repeated press. */
function routeOf(
  { update, chat }: ParsedUpdate & { kind: 'request' },
  intent: Intent,
): Pick<NewRequest, 'lane' | 'chat' | 'message' | 'album' | 'cut' | 'once' | 'isEdit'> {
  // An event about a chat is no person's request.
  if ('my_chat_member' in update || intent.kind === 'upgrade') return { lane: String(chat.id) };
  if ('callback_query' in update) {
    const { from, message, data } = update.callback_query;
    const matched = intent.kind === 'callback' ? intent.matched : undefined;
    // An ephemeral message has no other id.
    const button = [chat.id, ephemeralId(message) ?? message.message_id, data].join(':');
    // A client can send one tap as two callback queries with two update ids. Of two *Cancel*, the later stops more.
    const once = stopsWork(intent) ? undefined : `${from.id}:${button}`;
    return { lane: callbackSenderId({ from, chat }, matched), chat: chat.id, once };
  }
  const isEdit = 'edited_message' in update;
  const message: Message = isEdit ? update.edited_message : update.message;
  // An ephemeral message has no id to match its edit by.
  const id = message.message_id === UNKNOWN_MESSAGE_ID ? undefined : message.message_id;
  // Only after a channel's work is it known what the bot has answered there, and which posts are its own (addressed.ts).
  const route = { lane: senderId(copiedPost(message) ?? message), chat: chat.id, message: id };
  if (isEdit) return { ...route, isEdit };
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  if (album !== undefined) return { ...route, album: `${chat.id}:${album}` };
  return { ...route, cut: intent.kind === 'text' && 'text' in message ? cutOf(message) : undefined };
}

/** Apps split a text at 4096 characters or at a good place before that, in UTF-16 units. */
const CUT_FROM = 3500;

/** A text as a possible piece of a longer one. Forwarded pieces belong together if they were written in the same minute. */
function cutOf(message: Message.TextMessage): Cut {
  const thread = message.is_topic_message === true ? message.message_thread_id : undefined;
  // Telegraf's types end at Bot API 7.1 and do not have when a forwarded message was written, in seconds since the epoch.
  const { forward_origin: origin }: Partial<Telegram.Message> = message as object;
  const minute = isForwarded(message) ? Math.floor((origin?.date ?? 0) / 60) : undefined;
  const place = [message.chat.id, thread, minute].join(':');
  const isReply = repliedMessage(message) !== undefined;
  return { place, isLong: message.text.length >= CUT_FROM, isReply, sentAt: message.date };
}
