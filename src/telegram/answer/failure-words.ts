/** The sentence of `locales/` for each kind of failure. */
import { type Failure, isFailure } from '../../errors.ts';
import { msUntilNextDay } from '../../store/money/spending.ts';
import type { HandlerDeps } from '../context.ts';
import type { Arguments } from '../locale.ts';
import type { TextEntity } from '../request/additions.ts';

/** The context of an update, or an inline or guest query. */
interface LocaleContext {
  readonly bot: Pick<HandlerDeps, 'now' | 'api'>;
  words(id: string, args?: Arguments): string;
}

/** What happened and what to do, in the person's language; also for an unforeseen error. */
export function failureWords(ctx: LocaleContext, error: unknown): string {
  if (!isFailure(error)) return ctx.words('failure-unforeseen');
  if (error.said !== undefined) return error.said;
  const most = ctx.bot.api.maxFileBytes / 2 ** 20;
  const waitMs = (error.nextTryAt ?? 0) - ctx.bot.now();
  const suspended = waitMs > 0 ? WORDS_WITH_TIME[error.kind] : undefined;
  if (suspended !== undefined)
    return ctx.words(suspended, { minutes: Math.ceil(waitMs / 60_000), seconds: Math.ceil(waitMs / 1000) });
  const sentence = sentenceFor(error);
  const words = ctx.words(sentence, { most, ...error.calls });
  // A group whose admins allow nothing has nothing tomorrow, either.
  const isOfToday = sentence.startsWith('limit-') && sentence !== 'limit-group-none';
  return isOfToday ? `${words}\n${startsAgain(ctx)}` : words;
}

/** When the daily limits start again. */
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
  if (kind === 'limit-group' && calls.limit === 0) return 'limit-group-none';
  if (kind === 'limit-group' && calls.left > 0) return 'limit-group-few';
  if (kind === 'limit-person' && calls.left > 0) return 'limit-person-few';
  if (kind === 'limit-bot' && calls.left > 0) return 'limit-bot-few';
  return WORDS[kind];
}

/** While calls are suspended: with the time of the next try. */
const WORDS_WITH_TIME: Partial<Record<Failure['kind'], string>> = {
  auth: 'failure-auth-until',
  quota: 'failure-quota-until',
  unavailable: 'failure-unavailable-until',
  malformed: 'failure-unavailable-until',
  'in-doubt': 'failure-in-doubt-until',
};

const WORDS: Record<Failure['kind'], string> = {
  auth: 'failure-auth',
  quota: 'failure-quota',
  'too-long': 'failure-too-long',
  'bad-request': 'failure-bad-request',
  unavailable: 'failure-unavailable',
  malformed: 'failure-unavailable',
  'in-doubt': 'failure-in-doubt',
  cancelled: 'failure-cancelled',
  'image-unreadable': 'failure-image-unreadable',
  'image-too-large': 'failure-image-too-large',
  'document-encrypted': 'failure-document-encrypted',
  'document-page-blank': 'failure-document-page-blank',
  'document-unreadable': 'failure-document-unreadable',
  'text-file-too-large': 'failure-text-file-too-large',
  'document-too-large': 'failure-document-too-large',
  'document-too-long': 'failure-document-too-long',
  'file-too-large': 'failure-file-too-large',
  'file-gone': 'failure-file-gone',
  'file-unfetched': 'failure-file-unfetched',
  'file-unserved': 'failure-file-unserved',
  audio: 'failure-audio',
  'limit-person': 'limit-person',
  'limit-group': 'limit-group',
  'limit-bot': 'limit-bot',
  // Not shown: askBeforeCost asks instead.
  costly: 'failure-too-long',
  paused: 'paused',
  database: 'failure-database',
};
