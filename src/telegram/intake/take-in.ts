/** Takes updates in: parses each at its receipt, stores them in the queue, and begins at once what must not wait in a lane. */

import { setTimeout as delay } from 'node:timers/promises';
import type * as Telegram from '@grammyjs/types';
import type PQueue from 'p-queue';
import type { Message, Opts } from 'telegraf/types';
import { isFailure } from '../../errors.ts';
import type { Cut, NewRequest } from '../../queue/request-table.ts';
import type { Database } from '../../store/database.ts';
import type { Asker } from '../../store/money/spending.ts';
import { UNKNOWN_MESSAGE_ID } from '../api/api.ts';
import type { HandlerDeps } from '../context.ts';
import { placeGuest } from '../inline/guest-mode.ts';
import type { InlineMode } from '../inline/inline-mode.ts';
import { languageOf } from '../locale.ts';
import { stopWork } from '../middleware/running-work.ts';
import { actionTopic } from '../outbox/destination.ts';
import { type CallbackNotice, callbackSenderId, type Press, refusalOf } from '../request/callback.ts';
import type { ParserDeps } from '../request/command.ts';
import { askerOf, copiedPost, isAnotherBot, senderId } from '../request/identity.ts';
import { ephemeralId, type ParsedMessage, parseMessage, repliedMessage } from '../request/parsed-message.ts';
import { albumOf, digestOf, type Intent, intentOf, namesBot, stopsWork } from '../request/request.ts';
import { isForwarded } from '../request/text-in.ts';
import { ASKED_KINDS, kindOf, type ParsedUpdate, parseUpdate, wellFormed } from '../request/update.ts';

interface Intake {
  readonly bot: HandlerDeps;
  readonly database: Database;
  readonly inlineMode: InlineMode;
  /** Runs the chat actions of requests that wait. */
  readonly signs: PQueue;
}

/**
 * Stores updates in the queue; resolves once they may be confirmed to Telegram. `isBacklog`: they waited at Telegram, so skip
 * chat actions and other quick signs. If it throws, Telegram keeps them for a day, and sends them again.
 */
export type TakeIn = (bodies: readonly unknown[], isBacklog: boolean) => Promise<void>;

/** See `TakeIn`. Throws `database`. */
export async function takeIn(intake: Intake, bodies: readonly unknown[], isBacklog: boolean): Promise<void> {
  const { bot, database } = intake;
  const received = bodies.flatMap((body) => receive(body, bot) ?? []);
  const queued = received.flatMap((one) => one.queued ?? []);
  try {
    const stored = await bot.requests.push(queued);
    for (const one of received)
      beginBesideLane(intake, one, isBacklog, stored.get(one.queued?.updateId ?? Number.NaN)?.id);
    // Only Telegram's receipt waits for the disk; handling does not: after a power cut Telegram sends the update again.
    if (queued.length > 0) await database.synced();
  } catch (error) {
    if (isFailure(error, 'database')) bot.alerts.raise({ reason: 'database' });
    throw error;
  }
}

/** Called once an update is in the queue. `request`: undefined if it was not stored. */
function beginBesideLane(
  { bot, inlineMode, signs }: Intake,
  received: Received,
  isBacklog: boolean,
  request: number | undefined,
): void {
  const { parsed, intent, queued } = received;
  if (intent?.kind === 'callback' && parsed.kind === 'request')
    void acknowledge(bot, intent, askerOf(parsed));
  if (parsed.kind === 'inline' && !isBacklog) void inlineMode.take(parsed.update);
  if (queued === undefined || request === undefined) return;
  if (parsed.kind === 'guest')
    placeGuest(bot, parsed.message, request).catch((error: unknown) => {
      bot.log.debug({ error }, 'answering a guest query failed: retrying');
    });
  if (intent?.kind === 'callback' && stopsWork(intent)) stopWork(bot, intent, queued.lane, request);
  // A late update gets its sign of life when its handling starts.
  if (isBacklog || signs.pending >= MAX_SIGNS) return;
  signs
    .add(() => showWaiting(bot, received, request))
    .catch((error: unknown) => bot.log.debug({ error }, 'a chat action was not shown'));
}

/** Acknowledges a callback query, with the reason for a refusal; not for a blocked person. A stale query does no harm. */
async function acknowledge(bot: HandlerDeps, press: Press, asker: Asker): Promise<void> {
  const { api, access, words, sessions, log } = bot;
  if (await access.isBlocked(asker)) return;
  const { id, from, message } = press.query;
  try {
    const notice = await noticeOf(bot, press).catch((error: unknown): undefined => {
      log.debug({ error }, 'finding the notice of a callback query failed');
    });
    const chat = message.chat.type;
    const text = notice && words(await languageOf(from, sessions), notice.id, { chat, ...notice.args });
    await api.answerCbQuery(id, text, { show_alert: notice?.isAlert });
  } catch (error) {
    log.debug({ error }, 'acknowledging a callback query failed');
  }
}

async function noticeOf(bot: HandlerDeps, press: Press): Promise<CallbackNotice | undefined> {
  const refusal = await refusalOf(press, bot.api);
  if (refusal !== undefined) return { id: refusal, isAlert: true };
  const { query, matched } = press;
  return matched?.callback.notice?.(matched.match, bot, query.message);
}

/** Skip a chat action for a request that begins sooner, in ms. */
const DUE_AFTER_MS = 100;
/** Telegram shows a chat action for 5 s, in ms. */
const RENEW_AFTER_MS = 4500;
/** Stop after a minute of waiting. */
const MAX_RENEWALS = 13;
/** Requests that show at a time that they wait: each sign is a call every 4.5 s, and Telegram allows a bot some 30 a second. */
const MAX_SIGNS = 100;

/** Shows a chat action until a process begins the request, and shows its own. Throws Telegram's refusals, and `database`. */
async function showWaiting(
  { api, access, me, requests }: HandlerDeps,
  { parsed, part, intent }: Received,
  request: number,
): Promise<void> {
  if (parsed.kind !== 'request' || parsed.message === undefined || intent?.kind === 'service') return;
  const { update, chat, message } = parsed;
  const isAsked = chat.type === 'private' || 'callback_query' in update || (part && namesBot(part, me));
  const topic = actionTopic(chat, message);
  if (!isAsked || topic === undefined) return;
  for (let sign = 0; sign < MAX_RENEWALS; sign += 1) {
    await delay(sign === 0 ? DUE_AFTER_MS : RENEW_AFTER_MS, undefined, { ref: false });
    if (!(await requests.isUntaken(request))) return;
    if (await access.isBlocked(askerOf(parsed))) return;
    await api.sendChatAction(chat.id, 'typing', topic);
  }
}

/** Telegraf's types end at Bot API 7.1: hence the cast. */
export const ALLOWED_UPDATES = [...ASKED_KINDS] as NonNullable<Opts<'getUpdates'>['allowed_updates']>;

/** A received update, parsed once for the queue and for everything beside the lanes. */
interface Received {
  readonly parsed: ParsedUpdate;
  /** Its message, without its album; unset for a press and an edit. */
  readonly part?: ParsedMessage | undefined;
  /** Its intent, as far as `part` shows it. */
  readonly intent?: Intent;
  /** The request to queue; unset for what is not for the bot, and for an inline query, whose answer would come too late. */
  readonly queued?: NewRequest;
}

/** Parses an update at its receipt. One that cannot be read must not hold up those beside it: it is skipped with a warning. */
export function receive(body: unknown, deps: ParserDeps & Pick<HandlerDeps, 'log'>): Received | undefined {
  try {
    const parsed = parseUpdate(wellFormed(body));
    if (parsed !== undefined) return routed(parsed, deps);
  } catch {}
  // The bot asked for it: its sender gets no answer.
  const kind = kindOf(body);
  if (kind !== undefined) deps.log.warn({ kind }, 'skipped an update of unknown shape');
  return undefined;
}

function routed(parsed: ParsedUpdate, deps: ParserDeps): Received {
  if (parsed.kind === 'inline') return { parsed };
  const { update } = parsed;
  const queued = { updateId: update.update_id, body: update };
  if (parsed.kind === 'guest') {
    const { message } = parsed;
    // Ignore other bots (two that answer each other would never stop) and forwarded mentions.
    if (isAnotherBot(message.from) || isForwarded(message)) return { parsed };
    // It can come again under another update id.
    return {
      parsed,
      queued: { ...queued, lane: senderId(message), once: `guest:${message.guest_query_id}` },
    };
  }
  if (parsed.isEdit && parsed.message !== undefined) {
    const contentOf = (one: ParsedUpdate | undefined) => digestOf(albumOf([one], deps), false);
    const asksElse = (earlier: unknown) => contentOf(parseUpdate(earlier)) !== contentOf(parsed);
    return { parsed, queued: { ...queued, ...placeOfMessage(parsed.message), asksElse } };
  }
  const part = 'message' in update ? parseMessage(update.message, deps) : undefined;
  const intent = intentOf(parsed.update, part === undefined ? [] : [part], deps);
  const isCancel = intent.kind === 'command' && stopsWork(intent);
  return { parsed, part, intent, queued: { ...queued, ...routeOf(parsed, intent), isCancel } };
}

/** How a request is queued: its lane, its chat and message, its album, and the key that drops a repeated press. */
function routeOf(
  { chat, message }: ParsedUpdate & { kind: 'request' },
  intent: Intent,
): Omit<NewRequest, 'updateId' | 'body'> {
  // An event about a chat is no person's request.
  if (message === undefined || intent.kind === 'upgrade') return { lane: String(chat.id) };
  if (intent.kind === 'callback') {
    const { from, message, data } = intent.query;
    // An ephemeral message has no other id.
    const button = [chat.id, ephemeralId(message) ?? message.message_id, data].join(':');
    // A client can send one tap as two callback queries with two update ids. Of two *Cancel*, the later stops more.
    const once = stopsWork(intent) ? undefined : `${from.id}:${button}`;
    return { lane: callbackSenderId(intent), chat: chat.id, once };
  }
  const place = placeOfMessage(message);
  const album = 'media_group_id' in message ? message.media_group_id : undefined;
  if (album !== undefined) return { ...place, album: `${chat.id}:${album}` };
  return { ...place, cut: intent.kind === 'text' && 'text' in message ? cutOf(message) : undefined };
}

function placeOfMessage(message: Message): Pick<NewRequest, 'lane' | 'chat' | 'message'> {
  // An ephemeral message has no id to match its edit by.
  const id = message.message_id === UNKNOWN_MESSAGE_ID ? undefined : message.message_id;
  // Same lane as the channel's posts: they must be finished before we can tell whether this copy was answered, or is our own (addressed.ts).
  return { lane: senderId(copiedPost(message) ?? message), chat: message.chat.id, message: id };
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
