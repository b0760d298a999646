/**
 * Guest mode: answers a mention in a chat that the bot is not in. A placeholder goes out beside the lane as soon as the query is queued;
 * when the query is handled, the placeholder is edited. Nothing else is ever sent to that chat.
 */
import { isFailure } from '../../errors.ts';
import type { Payer } from '../../interpreter/request.ts';
import { interfaceLanguage } from '../../language/interface-language.ts';
import { dominantLanguage } from '../../language/script.ts';
import { TELEGRAM_LIMIT, truncate } from '../../language/split.ts';
import { eventually } from '../../patience.ts';
import type { Outcome, SentMessage } from '../../queue/request-row.ts';
import type { Work } from '../../queue/work.ts';
import { newPersonSession, type PersonSession } from '../../store/kept/sessions.ts';
import { noteNames } from '../answer/admission.ts';
import { type Button, type Keyboard, keptForButton, markup } from '../answer/buttons.ts';
import { failureWords } from '../answer/failure-words.ts';
import { isNotModified, isOutage, isRefusal } from '../api/api-errors.ts';
import type { HandlerDeps } from '../deps.ts';
import { type Arguments, languageOf } from '../locale.ts';
import { senderId } from '../request/identity.ts';
import type { GuestMessage } from '../request/update.ts';
import { textResult } from './inline-mode.ts';

export interface GuestQuery {
  readonly bot: HandlerDeps;
  readonly message: GuestMessage;
  /** The person who asks; no group pays for a guest query. */
  readonly asker: Payer;
  readonly session: Readonly<PersonSession>;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string;
}

export interface GuestAnswer {
  readonly text: string;
  /** The text behind the link to speech; unset for the bot's own words. */
  readonly about?: string;
}

/** The `?start=` payload of the links under a guest's answer: speak the text kept under this id, or show all of it. */
export const GUEST_LINK = /^(say|all)-([\w-]{22})$/;

/** How long to wait for another process to record its answer to the same query, in ms. */
const ELSEWHERE_MS = 3000;
const LOOK_EVERY_MS = 200;
/** How many queries at most are remembered between placeholder and answer. */
const MAX_OPEN = 1000;

export interface GuestMode {
  /** Sends the placeholder for a queued request. */
  begin(message: GuestMessage, request: number): void;
  /** Answers the guest query of this work; throws only errors that the queue retries. */
  handle(work: Work, message: GuestMessage): Promise<Outcome>;
}

interface GuestModeOptions {
  readonly bot: HandlerDeps;
  /** Answers a query of a person who may use the bot. */
  readonly answer: (query: GuestQuery) => Promise<GuestAnswer>;
}

export function createGuestMode({ bot, answer }: GuestModeOptions): GuestMode {
  const { api, log, requests, sessions } = bot;
  const open = new Map<string, Promise<string | undefined>>();

  /** The message that already answers the request. */
  const find = async (request: number): Promise<string | undefined> => {
    const [row] = await requests.read([request]);
    return row && placeholderIn(row.sent);
  };

  const answerFirst = async (message: GuestMessage, request: number): Promise<string | undefined> => {
    const { guest_query_id: query, from } = message;
    const kept = await find(request);
    if (kept !== undefined) return kept;
    const language = await languageOf(from, sessions);
    try {
      const result = textResult('answer', bot.words(language, 'guest-wait'));
      const asked = { guest_query_id: query, result };
      const { inline_message_id: sent } = await api.callRecent('answerGuestQuery', asked);
      await requests.notePlaceholder(request, sent).catch((error: unknown) => {
        // This process still has it in memory.
        log.warn({ error }, 'recording the answer to a guest query failed');
      });
      return sent;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Another process handles the query at the same time, or did before it was killed.
      const timeout = AbortSignal.timeout(ELSEWHERE_MS);
      const found = await eventually(() => find(request), LOOK_EVERY_MS, timeout);
      if (found === undefined) log.info({ error }, 'a guest query expired unanswered');
      return found;
    }
  };

  /** The message that answers the query; undefined if Telegram no longer accepts an answer. */
  const messageFor = (message: GuestMessage, request: number): Promise<string | undefined> => {
    const { guest_query_id: query } = message;
    const before = open.get(query);
    if (before !== undefined) return before;
    const begun = answerFirst(message, request);
    open.set(query, begun);
    begun.catch(() => open.delete(query));
    const [oldest] = open.keys();
    if (open.size > MAX_OPEN && oldest !== undefined) open.delete(oldest);
    return begun;
  };

  const inWords = (query: GuestQuery, error: unknown): GuestAnswer => {
    if (query.signal.aborted || isOutage(error) || isFailure(error, 'database')) throw error;
    if (!isFailure(error) && !isRefusal(error)) throw error;
    log[isFailure(error, 'paused') ? 'debug' : 'warn']({ error, kind: 'guest_message' }, 'a request failed');
    return { text: failureWords(query, error) };
  };

  return {
    begin: (message, request) => {
      const begin = async (): Promise<void> => {
        const isBlocked = await bot.access.isBlocked({ person: senderId(message), group: undefined });
        if (!isBlocked) await messageFor(message, request);
      };
      begin().catch((error: unknown) => {
        log.debug({ error }, 'answering a guest query failed: retrying');
      });
    },
    handle: async ({ signal, request }, message) => {
      const unanswered: Outcome = { state: 'done', sent: [] };
      // Not the name of the chat: the bot is not in it.
      noteNames(bot, { from: message.from });
      const person = senderId(message);
      if (await bot.access.isBlocked({ person, group: undefined })) return unanswered;
      const inlineMessageId = await messageFor(message, request.id);
      if (inlineMessageId === undefined) return unanswered;
      const session = (await sessions.get(person)) ?? newPersonSession();
      const language = session.interfaceLanguage ?? interfaceLanguage(message.from.language_code);
      const query: GuestQuery = {
        bot,
        message,
        session,
        signal,
        asker: { person, group: undefined, request: request.id },
        words: (id, args) => bot.words(language, id, args),
      };
      const given = await admitted(query, answer).catch((error: unknown) => inWords(query, error));
      await show(query, inlineMessageId, given);
      open.delete(message.guest_query_id);
      return { state: 'done', sent: [{ id: inlineMessageId, kind: 'placeholder' }] };
    },
  };
}

function placeholderIn(sent: readonly SentMessage[]): string | undefined {
  for (const { id } of sent) if (typeof id === 'string') return id;
  return undefined;
}

async function admitted(query: GuestQuery, answer: GuestModeOptions['answer']): Promise<GuestAnswer> {
  if ((await query.bot.access.verdict(query.asker)) === 'in') return answer(query);
  return { text: query.words('guest-stranger', { username: query.bot.me.username }) };
}

/** Edits the placeholder into the answer; if somebody has deleted it, it stays deleted. */
async function show(query: GuestQuery, inlineMessageId: string, answer: GuestAnswer): Promise<void> {
  const { api, log } = query.bot;
  const extra = {
    link_preview_options: { is_disabled: true },
    reply_markup: markup(await guestLinks(query, answer)),
  };
  const edit = api.editMessageText(undefined, undefined, inlineMessageId, shownText(answer), extra);
  await edit.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    if (!isNotModified(error)) log.info({ error }, 'editing the answer to a guest query failed');
  });
}

/** As much of an answer as one message holds. */
function shownText({ text }: GuestAnswer): string {
  return truncate(text, TELEGRAM_LIMIT);
}

/** The links under an answer, except those whose text could not be kept. */
async function guestLinks(query: GuestQuery, answer: GuestAnswer): Promise<Keyboard> {
  const { bot, asker } = query;
  const { text, about } = answer;
  const link = async (target: 'say' | 'all', label: string, whole: string): Promise<Button[]> => {
    const id = await keptForButton(bot, asker.person, whole);
    if (id === undefined) return [];
    return [{ text: query.words(label), url: `https://t.me/${bot.me.username}?start=${target}-${id}` }];
  };
  const isSpoken = about !== undefined && dominantLanguage(about) !== undefined;
  return [
    isSpoken ? await link('say', 'button-speak-there', about) : [],
    shownText(answer) === text ? [] : await link('all', 'button-whole', text),
  ];
}
