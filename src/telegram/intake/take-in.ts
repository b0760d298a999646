/** Takes updates in: stores them in the queue, and begins at once what must not wait in a lane. */
import { setTimeout as delay } from 'node:timers/promises';
import type PQueue from 'p-queue';
import { isFailure } from '../../errors.ts';
import type { Queue } from '../../queue/queue.ts';
import type { Asker } from '../../store/money/scopes.ts';
import type { HandlerDeps } from '../context.ts';
import type { GuestMode } from '../inline/guest-mode.ts';
import type { InlineMode } from '../inline/inline-mode.ts';
import { languageOf } from '../locale.ts';
import { stopWork } from '../middleware/running-work.ts';
import { takesChatAction } from '../outbox/chat-action.ts';
import { topicOf } from '../outbox/outbox.ts';
import { type CallbackNotice, refusalOf } from '../request/callback.ts';
import { ephemeralId } from '../request/ephemeral.ts';
import { type Intent, namesBot, stopsWork } from '../request/intent.ts';
import { ASKED_KINDS, hasKey } from '../request/update.ts';
import { type Received, receive } from './receipt.ts';

interface Intake {
  readonly bot: HandlerDeps;
  readonly queue: Queue;
  readonly inlineMode: InlineMode;
  readonly guestMode: GuestMode;
  /** Runs the chat actions of requests that wait. */
  readonly signs: PQueue;
}

/**
 * Stores updates in the queue; resolves once they may be confirmed to Telegram. `isLate`: they come from the backlog at Telegram, so prompt
 * work is pointless. If it throws, none is stored, and Telegram keeps them for a day.
 */
export type TakeIn = (bodies: readonly unknown[], isLate: boolean) => Promise<void>;

/** See `TakeIn`. Throws `database`. */
export async function takeIn(intake: Intake, bodies: readonly unknown[], isLate: boolean): Promise<void> {
  const { bot, queue } = intake;
  const received = bodies.map((body) => receive(body, bot));
  const queued = received.flatMap((one) => one.queued ?? []);
  try {
    await queue.push(queued, (ids) => {
      for (const one of received)
        beginBesideLane(intake, one, isLate, ids.get(one.queued?.updateId ?? Number.NaN));
    });
  } catch (error) {
    if (isFailure(error, 'database')) bot.alerts.raise({ reason: 'database' });
    throw error;
  }
}

/** Called once an update is in the queue and before it is handled. `request`: undefined if it was not stored. */
function beginBesideLane(
  { bot, queue, inlineMode, guestMode, signs }: Intake,
  received: Received,
  isLate: boolean,
  request: number | undefined,
): void {
  const { body, parsed, intent, queued } = received;
  if (parsed === undefined) {
    // The bot asked for it and cannot use it: its sender gets no answer.
    const kind = ASKED_KINDS.find((one) => hasKey(body, one));
    if (kind !== undefined) bot.log.warn({ kind }, 'skipped an update of unknown shape');
    return;
  }
  if (intent.kind === 'callback') void acknowledge(bot, intent, parsed.asker);
  if (parsed.kind === 'inline' && !isLate) inlineMode.take(parsed.query);
  if (queued === undefined || request === undefined) return;
  if (parsed.kind === 'guest') guestMode.begin(parsed.message, request);
  if (stopsWork(intent)) stopWork(bot, intent, queued.lane, request);
  // A late update gets its sign of life when its handling starts.
  if (isLate || signs.pending >= MAX_SIGNS) return;
  signs
    .add(() => showWaiting(bot, queue, received, request))
    .catch((error: unknown) => bot.log.debug({ error }, 'a chat action was not shown'));
}

type CallbackIntent = Intent & { kind: 'callback' };

/**
 * Acknowledges a callback query, so that a pressed button reacts at once (spec §2), with the reason if it is refused; not for a blocked
 * person. A stale query does no harm.
 */
async function acknowledge(
  bot: HandlerDeps,
  intent: CallbackIntent,
  asker: Asker | undefined,
): Promise<void> {
  const { api, access, words, sessions, log } = bot;
  if (asker !== undefined && (await access.isBlocked(asker))) return;
  const { id, from, message } = intent.query;
  try {
    const notice = await noticeOf(bot, intent).catch((error: unknown): undefined => {
      log.debug({ error }, 'finding the notice of a callback query failed');
    });
    const chat = message?.chat.type ?? 'private';
    const text = notice && words(await languageOf(from, sessions), notice.id, { chat, ...notice.args });
    await api.answerCbQuery(id, text, { show_alert: notice?.isAlert });
  } catch (error) {
    log.debug({ error }, 'acknowledging a callback query failed');
  }
}

async function noticeOf(
  bot: HandlerDeps,
  { query, matched }: CallbackIntent,
): Promise<CallbackNotice | undefined> {
  const refusal = await refusalOf(matched, query, bot.api);
  if (refusal !== undefined) return { id: refusal, isAlert: true };
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
  queue: Queue,
  { parsed, part }: Received,
  request: number,
): Promise<void> {
  if (parsed?.kind !== 'request' || parsed.message === undefined) return;
  const { update, chat, message, asker } = parsed;
  const isAsked = chat.type === 'private' || 'callback_query' in update || (part && namesBot(part, me));
  const topic = topicOf(message);
  if (!isAsked || !takesChatAction(chat, topic, ephemeralId(message) !== undefined)) return;
  for (let sign = 0; sign < MAX_RENEWALS; sign += 1) {
    await delay(sign === 0 ? DUE_AFTER_MS : RENEW_AFTER_MS, undefined, { ref: false });
    // Mostly it runs in this process, which saves a query to the database.
    if (queue.isRunning(request) || !(await requests.isUntaken(request))) return;
    if (asker !== undefined && (await access.isBlocked(asker))) return;
    await api.sendChatAction(chat.id, 'typing', topic);
  }
}
