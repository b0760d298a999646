/** The ways in which the local service can be told to fail, each with a label and the kinds of call that it can befall. */
import { DOCUMENTED_ERRORS } from './answers.ts';
import { CALL_KINDS, type CallKind } from './call-log.ts';

const ENVELOPES: readonly CallKind[] = ['translation', 'speech'];

/** Faults that are told by their name alone. */
const PLAIN = {
  quota: { label: 'Quota used up (2001001)', kinds: ENVELOPES },
  auth: { label: 'Credentials refused', kinds: CALL_KINDS },
  /** Every token issued so far is forgotten, this call's too; a new one works. */
  'token-expired': { label: 'Token expired (110)', kinds: ['recognition'] },
  /** An error of the right shape with a code that no document names. */
  'undocumented-error': { label: 'An error no document names', kinds: CALL_KINDS },
  /** An error envelope with status 200 and, in speech, the content type of audio. */
  'envelope-200': { label: 'Error envelope with HTTP 200', kinds: ENVELOPES },
  /** The connection is cut before the request is read. */
  refuse: { label: 'Connection cut at once', kinds: CALL_KINDS },
  /** The connection is cut after the request was read, before the work. */
  reset: { label: 'Connection cut before the answer', kinds: CALL_KINDS },
  /** No answer ever comes, though the work was done. */
  hang: { label: 'Never answers (charged)', kinds: CALL_KINDS },
  /** The connection is cut after half of the true answer. */
  'break-off': { label: 'Breaks off halfway (charged)', kinds: CALL_KINDS },
  /** The audio ends with half a sample, properly closed. */
  'odd-bytes': { label: 'Audio ends in half a sample (charged)', kinds: ['speech'] },
  empty: { label: 'Empty answer (not charged)', kinds: CALL_KINDS },
  'not-json': {
    label: 'A web page instead of JSON (not charged)',
    kinds: ['token', 'recognition', 'translation'],
  },
  /** JSON, but without the fields that make it an answer. */
  'missing-fields': { label: 'JSON without its fields (not charged)', kinds: CALL_KINDS },
} as const satisfies Record<string, { label: string; kinds: readonly CallKind[] }>;

/** A call that meets a fault is charged only where its label, or its comment here, says so. */
export type Fault =
  /** A documented error (service-interface §7), by its code. */
  | { readonly type: 'error'; readonly code: string | number }
  /** An HTTP status with a body that is no envelope; `retryAfter` is the header's value. */
  | {
      readonly type: 'status';
      readonly status: number;
      readonly body?: string;
      readonly retryAfter?: string | number;
    }
  /**
   * The true answer, late: when `until` is settled, then milliseconds before the first byte and, in speech, before every further chunk.
   * Charged.
   */
  | {
      readonly type: 'slow';
      readonly ms: number;
      readonly msPerChunk?: number;
      readonly until?: Promise<unknown>;
      /** Speech: only what follows the first chunk waits for `until`. */
      readonly isBegun?: boolean;
    }
  | { readonly type: keyof typeof PLAIN };

/** Faults with particulars that have a name, too. */
const PARTICULAR = {
  'too-long': { label: 'Input too long (4004002)', type: 'error', code: '4004002' },
  'bad-parameter': { label: 'Parameter out of range (500)', type: 'error', code: '500' },
  'status-429': { label: 'Too many requests (429)', type: 'status', status: 429, retryAfter: 1 },
  'status-503': { label: 'Unavailable (503)', type: 'status', status: 503 },
  slow: { label: 'Slow: 5 s before the first byte (charged)', type: 'slow', ms: 5_000, msPerChunk: 200 },
} as const satisfies Record<string, Fault & { label: string }>;

export type FaultId = keyof typeof PLAIN | keyof typeof PARTICULAR;

/** Every fault that has a name of its own, for a page to make switches of. */
export function listFaults(): Array<{ id: FaultId; label: string; kinds: readonly CallKind[] }> {
  const labelled = { ...PLAIN, ...PARTICULAR };
  return Object.keys(labelled)
    .filter(isFaultId)
    .map((id) => ({ id, label: labelled[id].label, kinds: kindsOf(faultCalled(id)) }));
}

/** True for the id of a fault in the catalogue. */
export function isFaultId(id: string): id is FaultId {
  return isPlain(id) || Object.hasOwn(PARTICULAR, id);
}

function isPlain(id: string): id is keyof typeof PLAIN {
  return Object.hasOwn(PLAIN, id);
}

const BY_NAME = new Map(
  Object.keys(PLAIN)
    .filter(isPlain)
    .map((type) => [type, { type }]),
);

/** The fault behind an id, the same object each time. */
export function faultCalled(id: FaultId): Fault {
  return isPlain(id) ? (BY_NAME.get(id) ?? { type: id }) : PARTICULAR[id];
}

/** The kinds of call that a fault can befall: `odd-bytes` only speech, an `error` only where its code is documented. */
export function kindsOf(fault: Fault): readonly CallKind[] {
  if (fault.type === 'error') return DOCUMENTED_ERRORS[String(fault.code)]?.kinds ?? [];
  return isPlain(fault.type) ? PLAIN[fault.type].kinds : CALL_KINDS;
}
