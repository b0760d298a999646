/** The sentence of `locales/` for each kind of failure. */
import { type Failure, type FailureKind, isFailure, mayPass } from '../../errors.ts';
import { msUntilNextDay } from '../../store/money/spending.ts';
import type { HandlerDeps } from '../context.ts';
import type { Arguments } from '../locale.ts';
import type { TextEntity } from '../request/additions.ts';

interface LocaleContext {
  readonly bot: Pick<HandlerDeps, 'now' | 'api'>;
  words(id: string, args?: Arguments): string;
}

/** What happened and what to do, in the person's language; also for an unforeseen error. */
export function failureWords(ctx: LocaleContext, error: unknown): string {
  if (!isFailure(error)) return ctx.words('failure-unforeseen');
  if (error.said !== undefined) return error.said;
  const sentence = sentenceFor(error);
  const waitMs = (error.nextTryAt ?? 0) - ctx.bot.now();
  if (waitMs > 0 && mayPass(error)) {
    const [minutes, seconds] = [Math.ceil(waitMs / 60_000), Math.ceil(waitMs / 1000)];
    return ctx.words(`${sentence}-until`, { minutes, seconds });
  }
  const most = ctx.bot.api.maxFileBytes / 2 ** 20;
  const words = ctx.words(sentence, { most, ...error.calls, ...error.pages });
  // A group whose admins allow nothing has nothing tomorrow, either.
  const isOfToday = sentence.startsWith('limit-') && sentence !== 'limit-group-none';
  return isOfToday ? `${words}\n${startsAgain(ctx)}` : words;
}

export function startsAgain(ctx: LocaleContext): string {
  const minutes = Math.ceil(msUntilNextDay(ctx.bot.now()) / 60_000);
  return ctx.words('starts-again', { hours: Math.floor(minutes / 60), minutes: minutes % 60 });
}

/** The time at which the limits start again, as `starts-again` in `locales/` writes it. */
const MIDNIGHT = /UTC [^\d\n]*00:00|00:00 UTC/gu;

/** Marks that time in the bot's own words, so that apps show it in the reader's time zone. `now`: ms since the epoch. */
export function timesIn(words: string, now: number): TextEntity[] {
  const unix_time = Math.ceil((now + msUntilNextDay(now)) / 1000);
  return [...words.matchAll(MIDNIGHT)].map(({ index: offset, 0: { length } }) => ({
    type: 'date_time',
    offset,
    length,
    unix_time,
    date_time_format: 't',
  }));
}

/** The key of its sentence. "Used up" would be wrong for somebody who has some calls left, though too few, or is never allowed any. */
export function sentenceFor({ kind, calls = { left: 0, limit: 1 } }: Failure): string {
  if (!kind.startsWith('limit-')) return WORDS[kind] ?? `failure-${kind}`;
  if (calls.left > 0) return `${kind}-few`;
  return kind === 'limit-group' && calls.limit === 0 ? 'limit-group-none' : kind;
}

/** The kinds that have no sentence of their own. */
const WORDS: Partial<Record<FailureKind, string>> = {
  malformed: 'failure-unavailable',
  // Used only where we cannot ask to confirm the cost (guests, inline).
  costly: 'failure-too-long',
  paused: 'paused',
};
