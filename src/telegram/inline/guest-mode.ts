/**
 * Guest mode: answers a mention in a chat that the bot is not in. A placeholder goes out beside the lane as soon as the query is queued;
 * when the query is handled, the placeholder is edited. Nothing else is ever sent to that chat.
 */
import { isFailure } from '../../errors.ts';
import type { Payer } from '../../interpreter/request.ts';
import { interfaceLanguage } from '../../language/interface-language.ts';
import { dominantLanguage, type Language } from '../../language/script.ts';
import { TELEGRAM_LIMIT, truncate } from '../../language/split.ts';
import type { Variety } from '../../language/variety.ts';
import { eventually, patiently } from '../../patience.ts';
import type { Attempt } from '../../queue/attempt.ts';
import type { Outcome } from '../../queue/request-table.ts';
import type { PersonSession } from '../../store/kept/sessions.ts';
import { isNotModified, isOutage, isRefusal, unlessRefused } from '../api/api-errors.ts';
import { carriedOutBy, type HandlerDeps } from '../context.ts';
import { type Arguments, languageOf } from '../locale.ts';
import { type Button, keptForButton, markup } from '../reply/buttons.ts';
import { failureWords } from '../reply/failure-words.ts';
import { noteNames, senderId } from '../request/identity.ts';
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
  words(id: string, args?: Arguments): string;
}

export interface GuestAnswer {
  readonly text: string;
  /** The text behind the link to speech; unset for the bot's own words. */
  readonly about?: string;
  /** Only its beginning was translated: the whole text, and the language to translate it into behind a link. */
  readonly unfinished?: { readonly text: string; readonly to: Language } | undefined;
  /** What it is to be spoken as; by default in the session's dialect, or as Chinese. */
  readonly variety?: Variety | 'all' | undefined;
}

/** Answers a query of a person who may use the bot. */
type AnswerGuest = (query: GuestQuery) => Promise<GuestAnswer>;

/**
 * The `?start=` payload of the links under a guest's answer: speak the text kept under this id, as this variety; or show all of it, translated
 * into this language.
 */
export const GUEST_LINK = /^(say|all)(?:-([a-z]+))?-([\w-]{22})$/;

/** How long a query waits for the placeholder that was sent at its receipt, maybe by another process, before it sends one, in ms. */
const PATIENCE_MS = 5000;
const LOOK_EVERY_MS = 100;
/** Time between tries to record a placeholder, in ms. */
const RECORD_EVERY_MS = 1000;

/** Sends the placeholder for a queued query, unless it gets no answer, and records it. Throws as the Bot API does, and `database`. */
export async function placeGuest(bot: HandlerDeps, message: GuestMessage, request: number): Promise<void> {
  const { api, requests, sessions, words } = bot;
  const { guest_query_id, from } = message;
  if (await isIgnored(bot, message, request)) return;
  const result = textResult('answer', words(await languageOf(from, sessions), 'guest-wait'));
  const { inline_message_id } = await api.callRecent('answerGuestQuery', { guest_query_id, result });
  const record = () => requests.notePlaceholder(request, inline_message_id);
  await patiently(record, () => RECORD_EVERY_MS, { ref: false });
}

/** Whether a query gets no answer: its person is blocked, or it was answered when it came under another update id. */
async function isIgnored(
  { access, requests }: HandlerDeps,
  message: GuestMessage,
  request: number,
): Promise<boolean> {
  const asker = { person: senderId(message), group: undefined };
  return (await access.isBlocked(asker)) || (await requests.isRepeated(request));
}

/** Answers the guest query of this work; throws only errors that the queue retries. */
export async function handleGuest(
  bot: HandlerDeps,
  work: Attempt,
  message: GuestMessage,
  answerGuest: AnswerGuest,
): Promise<Outcome> {
  const { signal, request } = work;
  // Not the name of the chat: the bot is not in it.
  noteNames(bot, { from: message.from });
  if (await isIgnored(bot, message, request.id)) return { state: 'done', sent: [] };
  const find = () => findPlaceholder(bot, request.id);
  let id = await eventually(find, LOOK_EVERY_MS, AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]));
  signal.throwIfAborted();
  if (id === undefined) {
    // It was lost in a kill or an outage.
    await unlessRefused(placeGuest(bot, message, request.id));
    id = await find();
  }
  // Telegram takes no answer any more.
  if (id === undefined) return { state: 'done', sent: [] };
  const asker: Payer = {
    person: senderId(message),
    group: undefined,
    ...carriedOutBy(bot, work),
  };
  const session = await bot.sessions.get(asker.person);
  const language = session.interfaceLanguage ?? interfaceLanguage(message.from.language_code);
  const words = (sentence: string, args?: Arguments) => bot.words(language, sentence, args);
  const query: GuestQuery = { bot, message, session, signal, asker, words };
  let answer: GuestAnswer = { text: words('guest-stranger', { username: bot.me.username }) };
  try {
    if ((await bot.access.verdict(asker)) === 'in') answer = await answerGuest(query);
  } catch (error) {
    if (signal.aborted || isOutage(error) || isFailure(error, 'database')) throw error;
    if (!isFailure(error) && !isRefusal(error)) throw error;
    const level = isFailure(error, 'paused') ? 'debug' : 'warn';
    bot.log[level]({ error, kind: 'guest_message' }, 'a request failed');
    answer = { text: failureWords(query, error) };
  }
  await bot.queue.mustStillOwn(work);
  await show(query, id, answer);
  return { state: 'done', sent: [{ id, kind: 'placeholder' }] };
}

async function findPlaceholder({ requests }: HandlerDeps, request: number): Promise<string | undefined> {
  const [row] = await requests.read([request]);
  const [id] = row?.sent.flatMap((one) => (typeof one.id === 'string' ? one.id : [])) ?? [];
  return id;
}

/** Edits the placeholder into as much of the answer as one message holds; if somebody has deleted it, it stays deleted. */
async function show(query: GuestQuery, inlineMessageId: string, answer: GuestAnswer): Promise<void> {
  const { bot, asker, words } = query;
  const { text, about, unfinished, variety } = answer;
  /** None if the text could not be kept. */
  const link = async (target: string, label: string, whole: string): Promise<Button[]> => {
    const id = await keptForButton(bot, asker, whole);
    if (id === undefined) return [];
    return [{ text: words(label), url: `https://t.me/${bot.me.username}?start=${target}-${id}` }];
  };
  const shown = truncate(text, TELEGRAM_LIMIT);
  const isSpoken = about !== undefined && dominantLanguage(about) !== undefined;
  const links = [
    isSpoken ? await link(variety === undefined ? 'say' : `say-${variety}`, 'button-speak-there', about) : [],
    unfinished !== undefined
      ? await link(`all-${unfinished.to}`, 'button-whole', unfinished.text)
      : shown === text
        ? []
        : await link('all', 'button-whole', text),
  ];
  const reply_markup = markup(links);
  const edit = bot.api.editMessageText(undefined, undefined, inlineMessageId, shown, { reply_markup });
  await edit.catch((error: unknown) => {
    if (!isRefusal(error)) throw error;
    if (!isNotModified(error)) bot.log.info({ error }, 'editing the answer to a guest query failed');
  });
}
