/** Reading an answer in JSON: the service's own error, a result, or something that is neither. */
import type { z } from 'zod';
import { readRetryAfter } from '../calls/retry-policy.ts';
import { ServiceFailure } from '../failure.ts';
import type { Answer } from '../transport/transport.ts';
import { readText } from './answer-text.ts';
import { errorIn } from './error-body.ts';
import { parseExactJson } from './exact-json.ts';

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
