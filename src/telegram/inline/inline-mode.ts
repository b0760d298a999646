/** Inline mode beside the lanes: a query is answered at once or never, and does not wait behind the person's other work. */
import { setTimeout as delay } from 'node:timers/promises';
import { Failure, isFailure } from '../../errors.ts';
import type { PersonSessions } from '../../store/kept/sessions.ts';
import { isRefusal } from '../api/api-errors.ts';
import { inlineQueryIn, type ReceivedInlineQuery } from '../intake/usable-update.ts';
import { languageOf } from '../locale.ts';
import {
  type InlineAnswer,
  type InlineDeps,
  type InlineQuery,
  refusal,
  untranslated,
} from './inline-query.ts';

type HandlingOutcome = 'ok' | 'failed' | 'superseded';

/** Told how handling went. */
export interface HandlingMetrics {
  /**
   * One attempt at a piece of work ended after `ms`. `updates` is 1, or the parts of an album; `failed` work is tried
   * again or a dead letter, while a request that was answered with the words of a failure is `ok`. An inline query is `failed` where it
   * gets no answer, and `superseded`, without a time, where its person typed on.
   */
  handled(kind: string, outcome: HandlingOutcome, updates: number, ms: number): void;
}

/** A person who waits for an answer stops typing for this long, in ms. */
const PAUSE_MS = 700;
/** Where a hint's button leads: /start with this. */
const START_PARAMETER = 'help';
/** Queries answered at once; beyond them none is begun: Telegram asks again with the next letter. */
const MOST_AT_ONCE = 500;

interface InlineMode {
  /** Begins to answer the inline query of this update, if it brings one. */
  take(body: unknown): void;
  /** Begins nothing more; waits up to `graceMs` for what is paid for, then aborts it. */
  stop(graceMs: number): Promise<void>;
}

interface InlineModeOptions {
  readonly bot: InlineDeps;
  readonly sessions: Pick<PersonSessions, 'get'>;
  readonly metrics: HandlingMetrics;
  /** What a query is answered; undefined where the answer is no longer wanted. */
  readonly handle: (query: InlineQuery) => Promise<InlineAnswer | undefined>;
}

/** Inline mode that answers with what `handle` gives; a failure becomes words in place of the translation. */
export function createInlineMode({ bot, sessions, metrics, handle }: InlineModeOptions): InlineMode {
  const newest = createNewestQuery();
  const closing = new AbortController();
  const aborter = new AbortController();
  const running = new Set<Promise<void>>();

  const pauseUnless = async (superseded: AbortSignal): Promise<boolean> => {
    const signal = AbortSignal.any([superseded, closing.signal]);
    return delay(PAUSE_MS, true, { signal }).catch(() => false);
  };

  /** Gives false where the answer is no longer wanted. */
  const answer = async (received: ReceivedInlineQuery): Promise<boolean> => {
    const person = String(received.from.id);
    const superseded = newest.begin(person);
    try {
      const language = await languageOf(received.from, sessions);
      const query: InlineQuery = {
        bot,
        text: received.query.trim(),
        asker: { person, group: undefined },
        signal: aborter.signal,
        words: (id, args) => bot.words(language, id, args),
        pause: () => pauseUnless(superseded),
      };
      const answered = await admitted(query, handle).catch((error: unknown) => inWords(query, error));
      if (answered !== undefined) await send(received.id, answered);
      return answered !== undefined;
    } finally {
      newest.end(person, superseded);
    }
  };

  const inWords = (query: InlineQuery, error: unknown): InlineAnswer | undefined => {
    if (isFailure(error, 'cancelled')) return undefined;
    if (isFailure(error, 'paused'))
      return query.text === '' ? refusal(query, 'inline-paused') : untranslated(query, error);
    bot.log[isFailure(error) ? 'warn' : 'error']({ error, kind: 'inline_query' }, 'a request failed');
    if (isFailure(error, 'database')) bot.alert({ reason: 'database' });
    return untranslated(query, error);
  };

  const send = async (id: string, { results, hint, cacheSeconds }: InlineAnswer): Promise<void> => {
    const extra = {
      is_personal: true,
      cache_time: cacheSeconds,
      ...(hint === undefined ? {} : { button: { text: hint, start_parameter: START_PARAMETER } }),
    };
    const texts = results.filter(({ type }) => type !== 'voice');
    await bot.api.answerInlineQuery(id, results, extra).catch((error: unknown) => {
      // Telegram may have forgotten a voice note; the texts are good all the same.
      if (!isRefusal(error) || texts.length === results.length) throw error;
      return bot.api.answerInlineQuery(id, texts, { ...extra, cache_time: 0 });
    });
  };

  return {
    take: (body) => {
      const received = inlineQueryIn(body);
      if (received === undefined || closing.signal.aborted) return;
      const startedAt = performance.now();
      const note = (outcome: Parameters<HandlingMetrics['handled']>[1]): void =>
        metrics.handled('inline_query', outcome, 1, performance.now() - startedAt);
      if (running.size >= MOST_AT_ONCE) return note('failed');
      const work: Promise<void> = answer(received)
        .then((isAnswered) => note(isAnswered ? 'ok' : 'superseded'))
        .catch((error: unknown) => {
          note('failed');
          // Telegram waits for about 10 s; what came too late is kept, and there when it is asked for again.
          bot.log.debug({ error }, 'an inline query was not answered');
        })
        .finally(() => running.delete(work));
      running.add(work);
    },
    stop: async (graceMs) => {
      closing.abort();
      const timer = setTimeout(() => aborter.abort(), graceMs);
      await Promise.all(running);
      clearTimeout(timer);
    },
  };
}

/** What those are answered who may use the bot; others only hear why not, and blocked ones nothing. Throws `paused` and `database`. */
async function admitted(
  query: InlineQuery,
  handle: InlineModeOptions['handle'],
): Promise<InlineAnswer | undefined> {
  const verdict = await query.bot.access.verdict(query.asker);
  if (verdict === 'in') return handle(query);
  if (verdict === 'paused') throw new Failure('paused', 'the bot is paused');
  return verdict === 'blocked' ? undefined : refusal(query, 'inline-stranger');
}

interface NewestQuery {
  /** A query of this person has come: the signals given for earlier ones abort. */
  begin(person: string): AbortSignal;
  /** The query of this signal is done with. */
  end(person: string, query: AbortSignal): void;
}

/** The newest queries of everybody who types at the moment. */
function createNewestQuery(): NewestQuery {
  const newest = new Map<string, AbortController>();
  return {
    begin: (person) => {
      newest.get(person)?.abort();
      const aborter = new AbortController();
      newest.set(person, aborter);
      return aborter.signal;
    },
    end: (person, query) => {
      if (newest.get(person)?.signal === query) newest.delete(person);
    },
  };
}
