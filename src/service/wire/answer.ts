/** Reading an answer in JSON: the service's own error, a result, or something that is neither. */
import { isUtf8 } from 'node:buffer';
import type { z } from 'zod';
import { ServiceFailure } from '../calls/failure.ts';
import { readRetryAfter } from '../calls/retry.ts';
import type { Answer } from '../http/transport.ts';
import { errorIn } from './error-body.ts';
import { parseExactJson } from './spellings.ts';

/** What reading an answer takes besides the answer. */
export interface Reader {
  /** What must not turn up in a failure: secrets, and the text that was sent. */
  readonly privates: readonly string[];
  /** ms since the epoch */
  now(): number;
}

/**
 * The result in an answer. Throws the service's own error whatever the HTTP status, or what `notUnderstood` makes of a
 * body that is neither.
 */
export async function readResult<Schema extends z.ZodType>(
  answer: Answer,
  schema: Schema,
  reader: Reader,
): Promise<z.output<Schema>> {
  const body = parseExactJson(await readText(answer));
  const error = errorIn(body, reader.privates);
  if (error !== undefined) throw error;
  const result = schema.safeParse(body);
  if (!result.success) throw notUnderstood(answer, body, reader);
  return result.data;
}

/** The fields by which a body is known as the service's own, even when the rest of it makes no sense. */
const MARKS = ['msgId', 'log_id', 'logId', 'words_result'];

/**
 * The failure for a body that is neither a result nor an error: `malformed`, or `unavailable` for a 429 and a 5xx.
 * A body in the service's own form whose content cannot be used counts as charged, and is not asked for again.
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

/** Generous: 3000 code points, or the text of one page, are some tens of kB. A longer text would take long to read and to cut. */
const MAX_TEXT_BYTES = 500_000;
/** How long a text may take from its head to its end, in ms: the connection's own timeout bounds only the wait for the next byte. */
const LONGEST_TEXT_MS = 60_000;

/**
 * The whole body as UTF-8 text; empty where it is not UTF-8, since text decoded by a guess would be believed. Throws `malformed`
 * beyond 500 kB, `in-doubt` when it takes longer than a minute, and what `Answer.bytes` throws.
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

/** Makes a function that throws `in-doubt` once a text that began now takes too long. */
export function textDeadline(): () => void {
  const until = performance.now() + LONGEST_TEXT_MS;
  return () => {
    if (performance.now() <= until) return;
    throw new ServiceFailure('in-doubt', 'the answer comes too slowly', { outcome: 'in-doubt' });
  };
}
