/** Inline mode: answers queries beside the lanes, since an answer must come at once or not at all. */
import { setTimeout as delay } from 'node:timers/promises';
import type * as Telegram from 'telegraf/types';
import { isFailure } from '../../errors.ts';
import { uploadedNotes } from '../../interpreter/speech.ts';
import { inUnicode } from '../../language/private-tibetan.ts';
import { TELEGRAM_LIMIT, truncate } from '../../language/split.ts';
import type { Asker } from '../../store/money/spending.ts';
import type { HandlerDeps } from '../context.ts';
import { type Arguments, languageOf } from '../locale.ts';
import { failureWords } from '../reply/failure-words.ts';
import { firstLine, fitsCaption, voiceCaption } from '../request/additions.ts';
import { noteNames } from '../request/identity.ts';

/** Called when a query has ended after `ms`: answered (a blocked person's with nothing), failed, or superseded since its person typed on. */
type OnEnd = (outcome: 'ok' | 'failed' | 'superseded', ms: number) => void;

export interface InlineQuery {
  readonly bot: HandlerDeps;
  /** Its `update_id`: a larger one was typed later. */
  readonly update: number;
  /** The typed text, at most 256 characters (Bot API, InlineQuery), without outer white space. */
  readonly text: string;
  /** The person who types; no group pays for an inline query. */
  readonly asker: Asker;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  words(id: string, args?: Arguments): string;
  /** Waits for a pause in typing; false if the person typed on and no longer wants this answer. */
  pause(): Promise<boolean>;
}

type InlineResult = Telegram.InlineQueryResultArticle | Telegram.InlineQueryResultCachedVoice;

export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  /** The label of a button that leads to the bot's help. */
  readonly hint?: string;
  /** How long Telegram may repeat this answer to the same query, in seconds. */
  readonly cacheSeconds: number;
}

/** Answers a query of a person who may use the bot; undefined if the answer is no longer wanted. */
type AnswerInline = (query: InlineQuery) => Promise<InlineAnswer | undefined>;

/** A pause in typing of this length means that the person wants an answer, in ms. */
const PAUSE_MS = 700;
/** The payload of /start behind a hint's button. */
const START_PARAMETER = 'help';

export class InlineMode {
  readonly #bot: HandlerDeps;
  readonly #answer: AnswerInline;
  readonly #onEnd: OnEnd;
  readonly #stopping = new AbortController();

  constructor(bot: HandlerDeps, answer: AnswerInline, onEnd: OnEnd) {
    this.#bot = bot;
    this.#answer = answer;
    this.#onEnd = onEnd;
  }

  /** Takes no more queries, and drops those that wait for a pause: the person types on. A paid call that was sent is kept. */
  stop(): void {
    this.#stopping.abort();
  }

  /** Answers a query; never rejects. */
  async take({ update_id, inline_query: received }: Telegram.Update.InlineQueryUpdate): Promise<void> {
    if (this.#stopping.signal.aborted) return;
    const bot = this.#bot;
    noteNames(bot, received);
    const startedAt = performance.now();
    const person = String(received.from.id);
    const { signal } = this.#stopping;
    let outcome: Parameters<OnEnd>[0] = 'failed';
    try {
      const language = await languageOf(received.from, bot.sessions);
      const query = {
        bot,
        update: update_id,
        text: inUnicode(received.query.trim()),
        asker: { person, group: undefined },
        signal,
        words: (id: string, args?: Arguments) => bot.words(language, id, args),
        pause: async () => {
          await delay(PAUSE_MS, undefined, { signal });
          return bot.results.isNewest(person, update_id);
        },
      };
      const answer = await this.#answerTo(query);
      if (answer !== undefined && answer !== 'superseded') {
        const { results, hint, cacheSeconds } = answer;
        const button = hint === undefined ? undefined : { text: hint, start_parameter: START_PARAMETER };
        const extra = { is_personal: true, cache_time: cacheSeconds, button };
        await bot.api.answerInlineQuery(received.id, results, extra);
      }
      outcome = answer === 'superseded' ? answer : 'ok';
    } catch (error) {
      // Telegram waits about 10 s; a result that comes later is kept for the next query.
      bot.log.debug({ error }, 'answering an inline query failed');
    }
    this.#onEnd(outcome, performance.now() - startedAt);
  }

  /** Answers people who may use the bot; tells strangers why not, and blocked people nothing. A failure becomes words. */
  async #answerTo(query: InlineQuery): Promise<InlineAnswer | 'superseded' | undefined> {
    const { access, results, log, alerts } = this.#bot;
    try {
      const verdict = await access.verdict(query.asker);
      if (verdict === 'in') {
        await results.noteTyping(query.asker.person, query.update);
        return (await this.#answer(query)) ?? 'superseded';
      }
      return verdict === 'blocked' ? undefined : hint(query, 'inline-stranger');
    } catch (error) {
      if (this.#stopping.signal.aborted) return 'superseded';
      const isPaused = isFailure(error, 'paused');
      if (isPaused && query.text === '') return hint(query, 'inline-paused');
      const level = isPaused ? 'debug' : isFailure(error) ? 'warn' : 'error';
      log[level]({ error, kind: 'inline_query' }, 'a request failed');
      if (isFailure(error, 'database')) alerts.raise({ reason: 'database' });
      return untranslated(query, error);
    }
  }
}

/** Not longer: a voice note may be added soon, and after a /forget Telegram should not repeat the answer for long. */
const LASTING_S = 5 * 60;
/** Limits and failures are temporary, and hints cost nothing. */
const PASSING_S = 5;

/** The length of a title that fits one line of the list, in UTF-16 units. */
const TITLE_LENGTH = 80;

/** An answer with results. `isWhole`: false if another result is missing for now. */
export function offers(results: readonly InlineResult[], isWhole = true): InlineAnswer {
  return { results, cacheSeconds: isWhole ? LASTING_S : PASSING_S };
}

/** A text as a result: its beginning is the title, and the message holds as much of it as fits. */
export function textResult(
  id: string,
  text: string,
  description?: string,
): Telegram.InlineQueryResultArticle {
  return {
    type: 'article',
    id,
    title: truncate(text.replace(/\s+/gu, ' '), TITLE_LENGTH),
    description,
    input_message_content: {
      message_text: truncate(text, TELEGRAM_LIMIT),
      link_preview_options: { is_disabled: true },
    },
  };
}

/** The voice notes of these texts that Telegram already has: nothing is paid for or uploaded. */
export async function voiceResults(
  { bot, words }: InlineQuery,
  texts: readonly string[],
): Promise<Telegram.InlineQueryResultCachedVoice[]> {
  const notes = await Promise.all(texts.map((text) => uploadedNotes(bot.interpreter, text)));
  return texts.flatMap((text, index) =>
    (notes[index] ?? []).map(({ speaker, fileId }) => {
      const variety = words(speaker.variety);
      const name = 'voice' in speaker ? `${variety} · ${words(`voice-${speaker.voice}`)}` : variety;
      const whole = voiceCaption(variety, text);
      return {
        type: 'voice',
        id: `voice-${index}-${'voice' in speaker ? speaker.voice : speaker.variety}`,
        voice_file_id: fileId,
        title: `🔊 ${name}`,
        caption: fitsCaption(whole) ? whole : voiceCaption(variety, firstLine(text)),
      };
    }),
  );
}

/** An empty list with a button that says what to type, or why there is nothing, and leads to the bot. */
export function hint({ words }: InlineQuery, id: string): InlineAnswer {
  return { results: [], hint: words(id), cacheSeconds: PASSING_S };
}

/** A result that says why there is no translation. If chosen, it sends the typed text: the reader need not know of the failure. */
function untranslated(query: InlineQuery, error: unknown): InlineAnswer {
  const asTyped = textResult('untranslated', query.text, failureWords(query, error));
  return offers([{ ...asTyped, title: query.words('inline-untranslated') }], false);
}
