/** Answers as the service words them: successes, and the error bodies of service-interface §2.2, §2.3 and §7. */
import { randomUUID } from 'node:crypto';
import type { CallKind } from './call-log.ts';

export interface ServiceAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** A stream is audio, sent as it is made. */
  readonly body: Buffer | AsyncIterable<Buffer>;
  /** The error's code, as a string; absent from a success. */
  readonly errorCode?: string;
}

interface DocumentedError {
  readonly kinds: readonly CallKind[];
  readonly message: string;
}

/** Every error of service-interface §7, by its code. */
export const DOCUMENTED_ERRORS: Readonly<Record<string, DocumentedError>> = {
  '6': { kinds: ['token'], message: 'No permission to access data' },
  '110': { kinds: ['recognition'], message: 'Access token invalid or no longer valid' },
  '4011001': { kinds: ['translation', 'speech'], message: 'AuthFailed' },
  '500': { kinds: ['translation', 'speech'], message: 'lang out of range' },
  '2001001': { kinds: ['translation', 'speech'], message: 'InsufficientInventory' },
  '4004002': { kinds: ['translation', 'speech'], message: 'InputTooLong' },
};

/** A JSON answer; the text is given ready, since a uint64 does not survive `JSON.stringify`. */
export function jsonAnswer(text: string, status = 200, errorCode?: string): ServiceAnswer {
  const answer = { status, headers: { 'content-type': 'application/json' }, body: Buffer.from(text) };
  return errorCode === undefined ? answer : { ...answer, errorCode };
}

/** The envelope of translation and speech (§2.3). */
export function envelope(msgId: string, msg: string, data: string | null): ServiceAnswer {
  const text = JSON.stringify({ traceId: randomUUID(), msgId, msg, data });
  return msgId === '2000000' ? jsonAnswer(text) : jsonAnswer(text, statusOf(msgId), msgId);
}

/**
 * An error in the shape that this kind of call uses (§2.2, §2.3). No HTTP status is documented: token and recognition
 * errors come with 200, envelopes with the status that their msgId seems to begin with.
 */
export function errorAnswer(kind: CallKind, code: string, message: string): ServiceAnswer {
  if (kind === 'translation' || kind === 'speech') return envelope(code, message, null);
  const body = { error_code: Number(code), error_msg: message };
  const details = kind === 'token' ? { details: null } : {};
  return jsonAnswer(JSON.stringify({ ...body, ...details }), 200, code);
}

/** A documented error (§7), by its code. */
export function documentedError(kind: CallKind, code: string): ServiceAnswer {
  return errorAnswer(kind, code, DOCUMENTED_ERRORS[code]?.message ?? '');
}

function statusOf(msgId: string): number {
  return Number(msgId.slice(0, 3));
}
