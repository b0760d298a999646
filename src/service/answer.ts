/** Reads an answer in JSON, in all spellings of the service: a result, its own error, or neither (service-interface §2.2, §2.3, §7). */
import { isUtf8 } from 'node:buffer';
import { z } from 'zod';
import type { FailureKind } from '../errors.ts';
import { ServiceFailure } from './calls/failure.ts';
import { readRetryAfter } from './calls/retry.ts';
import type { Answer } from './http/transport.ts';

/** What reading an answer depends on. */
export interface Reader {
  /** Secrets, and the text that was sent: a failure must not repeat them. */
  readonly confidential: readonly string[];
  /** ms since the epoch */
  now(): number;
}

/** Reads a result. Throws the service's own error, whatever the HTTP status, and `notUnderstood` for a body that is neither. */
export async function readResult<Schema extends z.ZodType>(
  answer: Answer,
  schema: Schema,
  reader: Reader,
): Promise<z.output<Schema>> {
  const body = parseExactJson(await readText(answer));
  const error = errorIn(body, reader.confidential);
  if (error !== undefined) throw error;
  const result = schema.safeParse(body);
  if (!result.success) throw notUnderstood(answer, body, reader);
  return result.data;
}

/** A body with one of these fields comes from the service itself, even if the rest makes no sense. */
const MARKS = ['msgId', 'log_id', 'logId', 'words_result'];

/**
 * The failure for a body that is neither a result nor an error: `malformed`, or `unavailable` for a 429 or a 5xx. A body in the service's
 * own form with unusable content counts as charged, and is not asked for again.
 */
export function notUnderstood(answer: Answer, body: unknown, reader: Pick<Reader, 'now'>): ServiceFailure {
  const { status } = answer;
  if (typeof body === 'object' && body !== null && MARKS.some((mark) => mark in body)) {
    return new ServiceFailure('malformed', `the service's answer lacks what it promises (HTTP ${status})`, {
      answered: true,
      outcome: 'charged',
    });
  }
  const retryAfterMs = readRetryAfter(answer.retryAfter, reader.now());
  if (status === 429 || status >= 500) {
    return new ServiceFailure('unavailable', `no answer of the service's own (HTTP ${status})`, {
      retryAfterMs,
    });
  }
  return new ServiceFailure('malformed', `no answer of the service's own (HTTP ${status})`, {
    retryAfterMs,
    outcome: isOk(status) ? 'in-doubt' : 'failed',
  });
}

/** True for the HTTP statuses of success, 200 to 299. */
export function isOk(status: number): boolean {
  return status >= 200 && status < 300;
}

/** Generous: 3000 code points, or the text of one page, are some tens of kB. A longer text would take long to read and to split. */
const MAX_TEXT_BYTES = 500_000;
/** How long a text may take from its first byte to its end, in ms: the connection's own timeout bounds only the wait for each byte. */
const LONGEST_TEXT_MS = 60_000;

/**
 * The whole body as UTF-8 text; empty if it is not UTF-8, since wrongly decoded text would be believed. Throws `malformed` beyond 500 kB,
 * `in-doubt` after more than a minute, and errors of `Answer.bytes`.
 */
export async function readText(answer: Answer): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  const checkTime = textDeadline();
  for await (const chunk of answer.bytes) {
    checkTime();
    length += chunk.length;
    if (length > MAX_TEXT_BYTES) {
      throw new ServiceFailure('malformed', 'the answer is too large', { outcome: 'in-doubt' });
    }
    chunks.push(chunk);
  }
  const bytes = Buffer.concat(chunks);
  return isUtf8(bytes) ? new TextDecoder().decode(bytes) : '';
}

/** Makes a function to call at each piece of a text; it throws `in-doubt` once they have taken too long. */
export function textDeadline(): () => void {
  let until: number | undefined;
  return () => {
    until ??= performance.now() + LONGEST_TEXT_MS;
    if (performance.now() <= until) return;
    throw new ServiceFailure('in-doubt', 'the answer comes too slowly', { outcome: 'in-doubt' });
  };
}

/**
 * Parses JSON; undefined if it is none. Integers beyond 2⁵³ stay strings of their digits (`log_id` is a uint64). Half a surrogate pair,
 * which Telegram refuses, becomes U+FFFD; NUL, which PostgreSQL refuses, is dropped.
 */
export function parseExactJson(text: string): unknown {
  try {
    return JSON.parse(text, repair);
  } catch {
    return undefined;
  }
}

/** `source`: the number as it was spelled (Node 24). */
function repair(_key: string, value: unknown, context?: { source?: string }): unknown {
  if (typeof value === 'string') return value.toWellFormed().replaceAll('\0', '');
  if (typeof value !== 'number' || !Number.isInteger(value) || Number.isSafeInteger(value)) return value;
  return context?.source ?? value;
}

/** A code (`msgId`, `error_code`), as a string. */
export const code = z.union([z.string().trim(), z.number()]).transform(String);

/** An id for troubleshooting (`traceId`, `log_id`), as a string; undefined if unusable. */
export const id = z.union([z.string(), z.number()]).transform(String).optional().catch(undefined);

/** A number, which the documentation calls a string and its examples show as a number. */
export const figure = z.union([z.number(), z.string().trim().min(1).transform(Number).pipe(z.number())]);

/** §7.1: `error_code` of the token and recognition endpoints. token.ts handles 110 after a renewal. */
const KIND_OF_ERROR_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['6', 'auth'],
  ['110', 'auth'],
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

const envelope = z.object({ msgId: code, msg: words, traceId: id });
const accessError = z.object({ error_code: code, error_msg: words, log_id: id });

/**
 * The failure in a body; undefined if there is none. Every endpoint may answer in either shape. An undocumented code becomes `unavailable`,
 * since a person can only try later; it is not retried, since the service did answer. Its number and text are kept as far as they do not
 * repeat one of `confidential`.
 */
export function errorIn(body: unknown, confidential: readonly string[]): ServiceFailure | undefined {
  const enveloped = envelope.safeParse(body);
  if (enveloped.success) {
    const { msgId, msg, traceId } = enveloped.data;
    if (msgId === SUCCESS) return undefined;
    return answeredFailure(KIND_OF_MSG_ID.get(msgId), { code: msgId, text: msg, id: traceId }, confidential);
  }
  const refused = accessError.safeParse(body);
  if (!refused.success) return undefined;
  const { error_code, error_msg, log_id } = refused.data;
  if (error_code === NO_ERROR) return undefined;
  const said = { code: error_code, text: error_msg, id: log_id };
  return answeredFailure(KIND_OF_ERROR_CODE.get(error_code), said, confidential);
}

interface Said {
  readonly code: string;
  readonly text: string;
  readonly id: string | undefined;
}

/** Leaves out the service's own words if the code is documented. */
function answeredFailure(
  kind: FailureKind | undefined,
  { code, text, id }: Said,
  confidential: readonly string[],
): ServiceFailure {
  const traceId = publicId(id, confidential);
  if (kind !== undefined) {
    const isRenewable = code === TOKEN_INVALID;
    return new ServiceFailure(kind, 'the service refused', { code, traceId, answered: true, isRenewable });
  }
  return new ServiceFailure('unavailable', 'the service answered with an undocumented code', {
    code: publicId(code, confidential),
    traceId,
    answered: true,
    text: publicText(text, confidential),
  });
}

/** The most of the service's words that is kept, in UTF-16 units. */
const LONGEST_TEXT = 200;
/** A run of this many units that also occurs in the request is no coincidence. */
const TELLING_RUN = 6;
/** People's texts are hardly ever ASCII; a service may also repeat them escaped. */
const NOT_ASCII = /[^\n\t\x20-\x7e]+/g;
const ESCAPED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#\w+;/i;
/** Numbers, UUIDs and similar ids. */
const ID = /^[\w.:-]{1,64}$/;

const WITHHELD = '(withheld: repeats the request)';

/** The first 200 units of `text` in ASCII; a remark instead if they may repeat part of one of `confidential`. */
function publicText(text: string, confidential: readonly string[]): string {
  const kept = text.slice(0, LONGEST_TEXT);
  return ESCAPED.test(kept) || repeatsAny(kept, confidential) ? WITHHELD : kept.replace(NOT_ASCII, '…');
}

/** A code or an id, exactly as it came; a remark instead if it is something else. */
export function publicId<Id extends string | undefined>(
  id: Id,
  confidential: readonly string[],
): Id | string {
  if (id === undefined) return id;
  return ID.test(id) && !repeatsAny(id, confidential) ? id : WITHHELD;
}

function repeatsAny(text: string, confidential: readonly string[]): boolean {
  return confidential.some((secret) => repeats(text, secret));
}

function repeats(text: string, secret: string): boolean {
  const run = Math.min(TELLING_RUN, secret.length);
  if (run === 0) return false;
  for (let start = 0; start + run <= text.length; start++) {
    if (secret.includes(text.slice(start, start + run))) return true;
  }
  return false;
}
