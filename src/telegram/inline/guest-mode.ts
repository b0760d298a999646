/**
 * Guest mode: answers a mention in a chat that the bot is not in. A placeholder goes out beside the lane as soon as the query is queued;
 * when the query is handled, the placeholder is edited. Nothing else is ever sent to that chat.
 */
import { isFailure } from '../../errors.ts';
import type { Payer } from '../../interpreter/request.ts';
import { interfaceLanguage } from '../../language/interface-language.ts';
import { dominantLanguage } from '../../language/script.ts';
import { TELEGRAM_LIMIT, truncate } from '../../language/split.ts';
import type { Variety } from '../../language/variety.ts';
import { eventually, patiently } from '../../patience.ts';
import type { Work } from '../../queue/attempt.ts';
import type { Outcome } from '../../queue/request-table.ts';
import { newPersonSession, type PersonSession } from '../../store/kept/sessions.ts';
import { noteNames } from '../answer/admission.ts';
import { type Button, keptForButton, markup } from '../answer/buttons.ts';
import { failureWords } from '../answer/failure-words.ts';
import { isNotModified, isOutage, isRefusal } from '../api/api-errors.ts';
import type { HandlerDeps } from '../context.ts';
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
  /** What it is to be spoken as; by default in the session's dialect, or as Chinese. */
  readonly variety?: Variety | 'all' | undefined;
}

/** Answers a query of a person who may use the bot. */
type AnswerGuest = (query: GuestQuery) => Promise<GuestAnswer>;

/** The `?start=` payload of the links under a guest's answer: speak the text kept under this id, as this variety, or show all of it. */
export const GUEST_LINK = /^(say|all)(?:-([a-z]+))?-([\w-]{22})$/;

/** How long to wait for another process to record its answer to the same query, in ms. */
const ELSEWHERE_MS = 3000;
const LOOK_EVERY_MS = 200;
/** Time between tries to record an answer, in ms. */
const RECORD_EVERY_MS = 1000;

export class GuestMode {
  readonly #bot: HandlerDeps;
  readonly #answer: AnswerGuest;
  /** Placeholders that are being sent and recorded, by request. */
  readonly #begun = new Map<number, Promise<string | undefined>>();

  constructor(bot: HandlerDeps, answer: AnswerGuest) {
    this.#bot = bot;
    this.#answer = answer;
  }

  /** Sends the placeholder for a queued request, if its person may have an answer. */
  begin(message: GuestMessage, request: number): void {
    const begin = async (): Promise<string | undefined> => {
      const isBlocked = await this.#bot.access.isBlocked({ person: senderId(message), group: undefined });
      return isBlocked ? undefined : this.#place(message, request);
    };
    const begun = begin().finally(() => this.#begun.delete(request));
    this.#begun.set(request, begun);
    begun.catch((error: unknown) => {
      this.#bot.log.debug({ error }, 'answering a guest query failed: retrying');
    });
  }

  /** Answers the guest query of this work; throws only errors that the queue retries. */
  async handle({ signal, request }: Work, message: GuestMessage): Promise<Outcome> {
    const bot = this.#bot;
    const { access, sessions } = bot;
    // Not the name of the chat: the bot is not in it.
    noteNames(bot, { from: message.from });
    const asker = { person: senderId(message), group: undefined };
    if (await access.isBlocked(asker)) return { state: 'done', sent: [] };
    const id = await (this.#begun.get(request.id) ?? this.#place(message, request.id));
    if (id === undefined) return { state: 'done', sent: [] };
    const session = (await sessions.get(asker.person)) ?? newPersonSession();
    const language = session.interfaceLanguage ?? interfaceLanguage(message.from.language_code);
    const words = (sentence: string, args?: Arguments) => bot.words(language, sentence, args);
    const query: GuestQuery = { bot, message, session, signal, asker, words };
    const answer = await this.#answerTo(query).catch((error: unknown) => inWords(query, error));
    await show(query, id, answer);
    return { state: 'done', sent: [{ id, kind: 'placeholder' }] };
  }

  async #answerTo(query: GuestQuery): Promise<GuestAnswer> {
    if ((await this.#bot.access.verdict(query.asker)) === 'in') return this.#answer(query);
    return { text: query.words('guest-stranger', { username: this.#bot.me.username }) };
  }

  /** Sends the message that answers the query, and returns its id; undefined if Telegram no longer accepts an answer. */
  async #place({ guest_query_id, from }: GuestMessage, request: number): Promise<string | undefined> {
    const { api, log, requests, sessions, words } = this.#bot;
    const kept = await this.#find(request);
    if (kept !== undefined) return kept;
    try {
      const result = textResult('answer', words(await languageOf(from, sessions), 'guest-wait'));
      const { inline_message_id } = await api.callRecent('answerGuestQuery', { guest_query_id, result });
      await patiently(
        () => requests.notePlaceholder(request, inline_message_id),
        () => RECORD_EVERY_MS,
        { ref: false },
      );
      return inline_message_id;
    } catch (error) {
      if (!isRefusal(error)) throw error;
      // Another process handles the query at the same time, or did before it was killed.
      const timeout = AbortSignal.timeout(ELSEWHERE_MS);
      const found = await eventually(() => this.#find(request), LOOK_EVERY_MS, timeout);
      if (found === undefined) log.info({ error }, 'a guest query expired unanswered');
      return found;
    }
  }

  /** The message that already answers the request. */
  async #find(request: number): Promise<string | undefined> {
    const [row] = await this.#bot.requests.read([request]);
    const [id] = row?.sent.flatMap((one) => (typeof one.id === 'string' ? one.id : [])) ?? [];
    return id;
  }
}

function inWords(query: GuestQuery, error: unknown): GuestAnswer {
  if (query.signal.aborted || isOutage(error) || isFailure(error, 'database')) throw error;
  if (!isFailure(error) && !isRefusal(error)) throw error;
  const level = isFailure(error, 'paused') ? 'debug' : 'warn';
  query.bot.log[level]({ error, kind: 'guest_message' }, 'a request failed');
  return { text: failureWords(query, error) };
}

/** Edits the placeholder into as much of the answer as one message holds; if somebody has deleted it, it stays deleted. */
async function show(query: GuestQuery, inlineMessageId: string, answer: GuestAnswer): Promise<void> {
  const { bot, asker, words } = query;
  const { text, about, variety } = answer;
  /** None if the text could not be kept. */
  const link = async (target: string, label: string, whole: string): Promise<Button[]> => {
    const id = await keptForButton(bot, asker.person, whole);
    if (id === undefined) return [];
    return [{ text: words(label), url: `https://t.me/${bot.me.username}?start=${target}-${id}` }];
  };
  const shown = truncate(text, TELEGRAM_LIMIT);
  const isSpoken = about !== undefined && dominantLanguage(about) !== undefined;
  const links = [
    isSpoken ? await link(variety === undefined ? 'say' : `say-${variety}`, 'button-speak-there', about) : [],
    shown === text ? [] : await link('all', 'button-whole', text),
  ];
  const extra = { link_preview_options: { is_disabled: true }, reply_markup: markup(links) };
  const edit = bot.api.editMessageText(undefined, undefined, inlineMessageId, shown, extra);
  await edit.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    if (!isNotModified(error)) bot.log.info({ error }, 'editing the answer to a guest query failed');
  });
}
