/** An inline query as a handler is given it, and its answer: results that a person may send, or a hint above an empty list. */
import type { InlineQueryResultArticle, InlineQueryResultCachedVoice } from 'telegraf/types';
import type { UploadedNote } from '../../interpreter/speech.ts';
import { TELEGRAM_LIMIT } from '../../language/split.ts';
import { truncate } from '../../language/truncate.ts';
import type { Asker } from '../../store/money/scopes.ts';
import { failureWords } from '../answer/failure-words.ts';
import { fitsCaption } from '../answer/sending.ts';
import type { HandlerDeps } from '../deps.ts';
import type { Arguments } from '../locale.ts';
import { firstLine, voiceCaption } from '../request/own-text.ts';

/** What inline mode needs of what all updates share. */
export type InlineDeps = Pick<
  HandlerDeps,
  'access' | 'api' | 'interpreter' | 'words' | 'log' | 'now' | 'alert'
>;

export interface InlineQuery {
  readonly bot: InlineDeps;
  /** What was typed, at most 256 characters (Bot API, InlineQuery), without outer white space. */
  readonly text: string;
  /** The person who types: a chat has no part in it, so no group pays. */
  readonly asker: Asker;
  /** Aborts when the process stops for good. */
  readonly signal: AbortSignal;
  /** A sentence of `locales/` in the person's language. */
  words(id: string, args?: Arguments): string;
  /** Waits for a pause in typing; false: the person typed on, and the answer is no longer wanted. */
  pause(): Promise<boolean>;
}

type InlineResult = InlineQueryResultArticle | InlineQueryResultCachedVoice;

export interface InlineAnswer {
  readonly results: readonly InlineResult[];
  /** The words of a button that leads to the bot's help. */
  readonly hint?: string;
  /** How long Telegram may give the same answer to the same query, in seconds. */
  readonly cacheSeconds: number;
}

/** A translation stays what it is, but it may be spoken soon, and after a /forget it should not be given for long. */
const LASTING_S = 5 * 60;
/** The language of a hint may be changed. */
const HINT_S = 60;
/** A limit ends, a failure passes. */
const FAILURE_S = 5;

/** What a list of results shows of a title in one line, in UTF-16 units. */
const TITLE_LENGTH = 80;

/** What there is to choose from, each with what it is. `isWhole` is false where another is not there for now. */
export function offers(results: readonly InlineResult[], isWhole = true): InlineAnswer {
  return { results, cacheSeconds: isWhole ? LASTING_S : FAILURE_S };
}

/** A text as a result: its beginning, what it is, and all of it as the message, as far as one message holds it. */
export function textResult(id: string, text: string, description: string): InlineQueryResultArticle {
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

/** The voice notes of these texts that Telegram has already, each with its text: nothing is paid for, or uploaded. */
export async function voiceResults(
  { bot, words }: InlineQuery,
  texts: readonly string[],
): Promise<InlineQueryResultCachedVoice[]> {
  const notes = await Promise.all(texts.map((text) => bot.interpreter.uploadedNotes(text)));
  return texts.flatMap((text, index) =>
    (notes[index] ?? []).map(({ speaker, fileId }: UploadedNote) => {
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

/** Nothing to send: a button that says what to type. */
export function hint(query: InlineQuery, id: string): InlineAnswer {
  return { results: [], hint: query.words(id), cacheSeconds: HINT_S };
}

/** Nothing to send, for now: a button that says why, and leads to the bot. */
export function refusal(query: InlineQuery, id: string): InlineAnswer {
  return { results: [], hint: query.words(id), cacheSeconds: FAILURE_S };
}

/** Says that there is no translation, and why. Chosen, it sends what was typed: its reader need not hear of our troubles. */
export function untranslated(query: InlineQuery, error: unknown): InlineAnswer {
  const asTyped = textResult('untranslated', query.text, failureWords(query, error));
  return {
    results: [{ ...asTyped, title: query.words('inline-untranslated') }],
    cacheSeconds: FAILURE_S,
  };
}
