/** Parses an update at its receipt: what it asks for, and how the queue takes it (lane, album, callback query). */
import { hash } from 'node:crypto';
import type * as Today from '@grammyjs/types';
import type { Message, Opts, UserFromGetMe } from 'telegraf/types';
import type { Log } from '../../log.ts';
import type { NewRequest } from '../../queue/request-row.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import { type Asked, askedByCallback, askedByMessage, stopsWork } from '../request/asked.ts';
import { callbackSenderId } from '../request/callback.ts';
import type { Vocabulary } from '../request/command.ts';
import { keyOfMessage } from '../request/ephemeral.ts';
import { copiedPost, type Origin, senderId } from '../request/identity.ts';
import {
  brings,
  GUEST_KIND,
  inlineQueryIn,
  isGuestUpdate,
  isUsable,
  normalised,
  POST_KINDS,
  QUEUED_KINDS,
  STOP_KIND,
  type UsableCallbackQuery,
  type UsableUpdate,
} from './usable-update.ts';

const KINDS: ReadonlyArray<Exclude<keyof Today.Update, 'update_id'>> = [
  ...QUEUED_KINDS,
  ...POST_KINDS,
  STOP_KIND,
  GUEST_KIND,
  'inline_query',
];

/** The kinds of update that the bot asks Telegram for. Telegraf's types end at Bot API 7.1: hence the cast. */
export const ALLOWED_UPDATES = KINDS as NonNullable<Opts<'getUpdates'>['allowed_updates']>;

/** A received update, parsed once for the queue and for everything beside the lanes. */
export interface Received {
  /** As Telegram sent it, of whatever kind. */
  readonly body: unknown;
  /** The same with well-formed text, and a channel's post as a message; undefined if no handler of `bot.ts` can take it. */
  readonly update: UsableUpdate | undefined;
  /** What it asks for, without its album; undefined for an edit, and for a message that came before the bot knew its own account. */
  readonly asked: Asked | undefined;
  /** For the queue; undefined if the bot cannot use it, and for an inline query, which is worthless later. */
  readonly queued: NewRequest | undefined;
}

/** `receive` with the vocabulary and the bot's account. */
export type Receive = (body: unknown) => Received;

/**
 * Called for an update once it is in the queue, for work that must not wait in a lane. `isLate`: it waited at Telegram while the bot was
 * not fetching, so work that must be prompt is pointless. `request`: the id of its request; undefined if it was not taken in.
 */
export type OnReceived = (received: Received, isLate: boolean, request: number | undefined) => void;

/** Kinds of which some updates are ordinarily none of the bot's: a callback query of a game, a guest query of another bot. */
const NOT_ALL_OWN: ReadonlySet<string> = new Set(['callback_query', GUEST_KIND]);

/** Logs the kind of an update that the bot asked for and cannot use: its sender gets no answer. */
export function createUnusableLog(log: Pick<Log, 'warn' | 'debug'>): OnReceived {
  return ({ body, queued }) => {
    const kind = KINDS.find((one) => brings(body, one));
    if (queued !== undefined || kind === undefined || inlineQueryIn(body) !== undefined) return;
    log[NOT_ALL_OWN.has(kind) ? 'debug' : 'warn']({ kind }, 'an update of an unknown shape was passed over');
  };
}

/** Parses an update for its receipt. `me` is undefined until Telegram has told the bot its own account. */
export function receive(
  body: unknown,
  { commands, callbacks }: Vocabulary,
  me: UserFromGetMe | undefined,
): Received {
  const update = normalised(body);
  if (isGuestUpdate(update)) {
    const lane = senderId(update.guest_message);
    const queued = { updateId: update.update_id, body: update, lane };
    return { body, update: undefined, asked: undefined, queued };
  }
  if (!isUsable(update)) return { body, update: undefined, asked: undefined, queued: undefined };
  const queued = { updateId: update.update_id, body: update };
  if ('my_chat_member' in update) {
    return { body, update, asked: undefined, queued: { ...queued, lane: laneOfChat(update.my_chat_member) } };
  }
  if ('edited_message' in update) {
    const edited = { ...queued, ...placeOf(update.edited_message), isEdit: true };
    return { body, update, asked: undefined, queued: { ...edited, lane: laneOf(update.edited_message) } };
  }
  if ('callback_query' in update) {
    const asked = askedByCallback(update.callback_query, { callbacks });
    return { body, update, asked, queued: { ...queued, ...queuedCallback(update.callback_query, asked) } };
  }
  const { message } = update;
  const asked = me && askedByMessage(message, [message], { commands, callbacks, me });
  return { body, update, asked, queued: { ...queued, ...queuedMessage(message) } };
}

/** The lane of a callback query (for some buttons its chat's), and the key that drops a repeated press. */
function queuedCallback({ from, message, data }: UsableCallbackQuery, asked: Asked & { kind: 'callback' }) {
  const { chat } = message;
  const lane = callbackSenderId({ from, chat }, asked.matched);
  // A client can send one tap as two callback queries with two update ids. Of two *Cancel*, the later stops more.
  const once = stopsWork(asked) ? undefined : boundedKey(`${from.id}:${keyOfMessage(message)}:${data}`);
  return { lane, chat: chat.id, once };
}

function queuedMessage(message: Message) {
  if (isUpgrade(message)) return { lane: laneOfChat(message) };
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  const asked = { lane: laneOf(message), ...placeOf(message) };
  return album === undefined ? asked : { ...asked, album: boundedKey(`${message.chat.id}:${album}`) };
}

/** Where a message stands. An ephemeral one has no id by which to recognise its edit. */
function placeOf({ chat, message_id }: Message) {
  return { chat: chat.id, message: message_id === UNKNOWN_MESSAGE_ID ? undefined : message_id };
}

/**
 * The lane of a person's message. The copy of a channel's post waits behind the work of that channel: only after it is known what the bot
 * has answered there, and which posts are its own (addressed.ts).
 */
function laneOf(message: Message): string {
  const post = copiedPost(message);
  return senderId(post ?? message);
}

/** Telegram's are far shorter. A longer one would not fit PostgreSQL's index, and would hold up the whole batch. */
const LONGEST_KEY = 200;

function boundedKey(text: string): string {
  return text.length <= LONGEST_KEY ? text : hash('sha256', text, 'base64url');
}

/** The lane of events about a chat, which are no person's request. */
function laneOfChat({ chat }: Origin): string {
  return senderId({ chat });
}

/** Whether a message reports that a group has become a supergroup, in the old chat or the new one. */
function isUpgrade(message: Message): boolean {
  return 'migrate_to_chat_id' in message || 'migrate_from_chat_id' in message;
}
