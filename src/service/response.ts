/** Reads an answer in JSON, in all spellings of the service: a result, its own error, or neither (service-interface §2.2, §2.3, §7). */
import { z } from 'zod';
import type { FailureKind } from '../errors.ts';
import { readRetryAfter, ServiceFailure } from './calls/failure.ts';
import type { HttpAnswer } from './http/http.ts';

/** Throws the service's own error, whatever the status, or `notUnderstood`. No failure repeats `confidential` (secrets, the sent text). */
export async function readResult<Schema extends z.ZodType>(
  answer: HttpAnswer,
  schema: Schema,
  confidential: readonly string[],
): Promise<z.output<Schema>> {
  const body = parseExactJson(Buffer.concat(await Array.fromAsync(answer.bytes)));
  const error = errorIn(body, confidential);
  if (error !== undefined) throw error;
  const result = schema.safeParse(body);
  if (!result.success) throw notUnderstood(answer, body);
  return result.data;
}

/** A body with one of these fields comes from the service itself, even if the rest is unusable. */
const MARKS = ['msgId', 'log_id', 'logId', 'words_result'];

/** Returns `unavailable` for 429 and 5xx, else `malformed`. Unusable content in the service's own form counts as charged: no retry. */
export function notUnderstood({ status, retryAfter }: HttpAnswer, body: unknown): ServiceFailure {
  if (typeof body === 'object' && body !== null && MARKS.some((mark) => mark in body)) {
    return new ServiceFailure('malformed', `the service's answer lacks a required field (HTTP ${status})`, {
      answered: true,
      outcome: 'charged',
    });
  }
  const mayPass = status === 429 || status >= 500;
  const isOk = status >= 200 && status < 300;
  return new ServiceFailure(
    mayPass ? 'unavailable' : 'malformed',
    `the answer did not come from the service (a proxy's page?) (HTTP ${status})`,
    { retryAfterMs: readRetryAfter(retryAfter, Date.now()), outcome: isOk ? 'in-doubt' : 'failed' },
  );
}

/** Fatal, since wrongly decoded text would be taken for an answer. */
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Returns undefined for what is no JSON in UTF-8. Integers beyond 2⁵³ stay strings of digits (`log_id` is a uint64). Lone surrogates, which
 * Telegram refuses, become U+FFFD; NUL, which PostgreSQL refuses, is dropped.
 */
export function parseExactJson(bytes: Buffer): unknown {
  try {
    return JSON.parse(utf8.decode(bytes), repair);
  } catch {
    return undefined;
  }
}

/** `source`: the number as spelled (Node 24). */
function repair(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return context?.source ?? value;
}

/** A code (`msgId`, `error_code`), as a string. */
export const code = z.union([z.string().trim(), z.number()]).transform(String);

/** An id for troubleshooting (`traceId`, `log_id`), as a string; undefined if it is something else, which may be a person's text. */
export const id = code
  .pipe(z.string().regex(/^[\w.:-]{1,64}$/))
  .optional()
  .catch(undefined);

/** A number; the documentation calls it a string, its examples show a number. */
export const figure = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** §7.1: `error_code` of the token and recognition endpoints. */
const KIND_OF_ERROR_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['6', 'auth'],
  // The next try has a new token, so our credentials are not what is refused.
  ['110', 'unavailable'],
]);

/** §7.2: `msgId` of translation and speech. */
const KIND_OF_MSG_ID: ReadonlyMap<string, FailureKind> = new Map([
  ['4011001', 'auth'],
  ['500', 'bad-request'],
  ['2001001', 'quota'],
  ['4004002', 'too-long'],
]);

export const SUCCESS = '2000000';
/** Undocumented, but usual for success where there is an `error_code`. */
const NO_ERROR = '0';
/** §4.2, §5: the access token is invalid or no longer valid. */
const TOKEN_INVALID = '110';

const words = z.string().catch('');

/** Every endpoint may answer in either shape. */
const status = z.union([
  z.object({ msgId: code, msg: words, traceId: id }),
  z.object({ error_code: code, error_msg: words, log_id: id }),
]);

/**
 * Returns undefined if the body holds no error. An undocumented code becomes `unavailable`: a person can only try later. It is not retried,
 * since the service did answer. Its number and text are kept unless they reveal something `confidential`.
 */
export function errorIn(body: unknown, confidential: readonly string[]): ServiceFailure | undefined {
  const { data } = status.safeParse(body);
  if (data === undefined) return undefined;
  const isEnvelope = 'msgId' in data;
  const number = isEnvelope ? data.msgId : data.error_code;
  if (number === (isEnvelope ? SUCCESS : NO_ERROR)) return undefined;
  const kind = (isEnvelope ? KIND_OF_MSG_ID : KIND_OF_ERROR_CODE).get(number);
  const details = {
    traceId: isEnvelope ? data.traceId : data.log_id,
    refusedToken: !isEnvelope && number === TOKEN_INVALID,
    answered: true,
  };
  if (kind !== undefined)
    return new ServiceFailure(kind, 'the service refused', { ...details, code: number });
  return new ServiceFailure('unavailable', 'the service answered with an undocumented code', {
    ...details,
    code: id.parse(number) ?? WITHHELD,
    text: publicText(isEnvelope ? data.msg : data.error_msg, confidential),
  });
}

const WITHHELD = '(withheld)';
/** Maximum length of the service's text that is kept, in UTF-16 units. */
const MAX_TEXT_LENGTH = 200;
/** People's texts are rarely ASCII; a service may also repeat them escaped. */
const NOT_PLAIN = /[^\n\t\x20-\x7e]|%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#\w+;/i;
/** A word of at least this length that also occurs in the request repeats it. */
const TELLING_LENGTH = 5;

/** Returns the beginning of the service's text if it is plain ASCII and repeats no word of `confidential`. */
function publicText(text: string, confidential: readonly string[]): string {
  const kept = text.slice(0, MAX_TEXT_LENGTH);
  const telling = confidential.flatMap((secret) =>
    secret.split(/\s+/).filter(({ length }) => length >= TELLING_LENGTH),
  );
  return NOT_PLAIN.test(kept) || telling.some((word) => text.includes(word)) ? WITHHELD : kept;
}
