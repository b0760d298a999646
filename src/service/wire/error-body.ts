/** The service's own errors: both shapes of body, and the kind of every documented code (service-interface §2.2, §2.3, §7). */
import { z } from 'zod';
import type { FailureKind } from '../../errors.ts';
import { ServiceFailure } from '../calls/failure.ts';
import { code, id } from './spellings.ts';

/** §7.1, `error_code` of the token and recognition endpoints. What 110 means once the token was renewed, token.ts decides. */
const KIND_OF_ERROR_CODE: ReadonlyMap<string, FailureKind> = new Map([
  ['6', 'auth'],
  ['110', 'auth'],
]);

/** §7.2, `msgId` of translation and speech. */
const KIND_OF_MSG_ID: ReadonlyMap<string, FailureKind> = new Map([
  ['4011001', 'auth'],
  ['500', 'bad-request'],
  ['2001001', 'quota'],
  ['4004002', 'too-long'],
]);

export const SUCCESS = '2000000';
/** Not documented, but how services with an `error_code` say that there is none. */
const NO_ERROR = '0';
/** §4.2, §5: the access token is invalid or no longer valid. */
const TOKEN_INVALID = '110';

const words = z.string().catch('');

const envelope = z.object({ msgId: code, msg: words, traceId: id });
const accessError = z.object({ error_code: code, error_msg: words, log_id: id });

/**
 * The failure that a body tells of, undefined when it tells of none. Either shape is understood from every endpoint.
 * An undocumented code becomes `unavailable`: all a person can do is to try later. It is not retried by itself, since the
 * service did answer. Its number is kept, and its text as far as neither repeats one of `privates`.
 */
export function errorIn(body: unknown, privates: readonly string[]): ServiceFailure | undefined {
  const enveloped = envelope.safeParse(body);
  if (enveloped.success) {
    const { msgId, msg, traceId } = enveloped.data;
    if (msgId === SUCCESS) return undefined;
    return answeredFailure(KIND_OF_MSG_ID.get(msgId), { code: msgId, text: msg, id: traceId }, privates);
  }
  const refused = accessError.safeParse(body);
  if (!refused.success) return undefined;
  const { error_code, error_msg, log_id } = refused.data;
  if (error_code === NO_ERROR) return undefined;
  const said = { code: error_code, text: error_msg, id: log_id };
  return answeredFailure(KIND_OF_ERROR_CODE.get(error_code), said, privates);
}

/** Whether a body is an envelope, be it of an error or of a success (service-interface §2.3). */
export function isEnvelope(body: unknown): boolean {
  return envelope.safeParse(body).success;
}

interface Said {
  readonly code: string;
  readonly text: string;
  readonly id: string | undefined;
}

/** With a documented code the service's own words are not needed. */
function answeredFailure(
  kind: FailureKind | undefined,
  { code, text, id }: Said,
  privates: readonly string[],
): ServiceFailure {
  const traceId = publicId(id, privates);
  if (kind !== undefined) {
    const isRenewable = code === TOKEN_INVALID;
    return new ServiceFailure(kind, 'the service refused', { code, traceId, answered: true, isRenewable });
  }
  return new ServiceFailure('unavailable', 'the service answered with an undocumented code', {
    code: publicId(code, privates),
    traceId,
    answered: true,
    text: publicText(text, privates),
  });
}

/** What the service says may be kept up to this many UTF-16 units. */
const LONGEST_TEXT = 200;
/** A run of this many units that was also in the request is no coincidence. */
const TELLING_RUN = 6;
/** What people write, and what a picture says, is hardly ever in ASCII; a service may also repeat it escaped. */
const NOT_ASCII = /[^\n\t\x20-\x7e]+/g;
const ESCAPED = /%[0-9a-f]{2}|\\u[0-9a-f]{4}|&#\w+;/i;
/** Numbers, UUIDs and what else programs number things with. */
const ID = /^[\w.:-]{1,64}$/;

const WITHHELD = '(withheld: repeats the request)';

/**
 * The first 200 units of `text`, without what is not ASCII; or a remark in its place when it repeats part of one of `privates` (a
 * person's text, a secret), or may.
 */
function publicText(text: string, privates: readonly string[]): string {
  const kept = text.slice(0, LONGEST_TEXT);
  return ESCAPED.test(kept) || repeatsAny(kept, privates) ? WITHHELD : kept.replace(NOT_ASCII, '…');
}

/** A code or an id, exactly as it came; a remark in its place where it is something else. Where there is none, none. */
export function publicId<Id extends string | undefined>(id: Id, privates: readonly string[]): Id | string {
  if (id === undefined) return id;
  return ID.test(id) && !repeatsAny(id, privates) ? id : WITHHELD;
}

function repeatsAny(text: string, privates: readonly string[]): boolean {
  return privates.some((secret) => repeats(text, secret));
}

function repeats(text: string, secret: string): boolean {
  const run = Math.min(TELLING_RUN, secret.length);
  if (run === 0) return false;
  for (let start = 0; start + run <= text.length; start++) {
    if (secret.includes(text.slice(start, start + run))) return true;
  }
  return false;
}
